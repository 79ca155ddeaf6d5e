import FuzzHistory
import SimKernel

/// The collector: takes what is a batch of well-formed messages, and refuses anything else.
struct Collector {
  /// Takes a batch.
  /// - Parameter messages: the places of its messages; nil for a body that is no batch.
  /// - Returns: 200 with an empty object, or 400 for a body that is no batch.
  mutating func receive(_ messages: [Range<Int>]?) -> HostAnswer {
    guard messages != nil else {
      return HostAnswer(status: 400, body: Array("{\"error\":\"not a batch\"}".utf8))
    }
    return HostAnswer(status: 200, body: Array("{}".utf8))
  }

  /// The places of the messages in a batch; nil if the body is none. The whole body is checked.
  static func messages(in body: UnsafeRawBufferPointer) -> [Range<Int>]? {
    (try? JSONBytes.elements(of: "batch", in: body)) ?? nil
  }

  /// The message ids in a batch.
  static func identifiers(in body: UnsafeRawBufferPointer) -> [String] {
    (messages(in: body) ?? []).compactMap { range in
      let message = UnsafeRawBufferPointer(rebasing: body[range])
      guard let text = (try? JSONBytes.text(of: "messageId", in: message)) ?? nil else {
        return nil
      }
      return String(decoding: JSONBytes.unescaped(text, in: message), as: UTF8.self)
    }
  }
}
