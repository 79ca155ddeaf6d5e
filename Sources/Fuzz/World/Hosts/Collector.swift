import FuzzHistory
import SimKernel

/// The collector: takes batches, reads each distinct message once, compares bytes on repeats.
struct Collector {
  /// Hashes of message bytes that were found to be well-formed.
  private var known = Lookup<UInt64, Bool>()

  /// Takes a batch.
  /// - Returns: 200 with an empty object, or 400 for a body that is no batch.
  mutating func receive(_ body: UnsafeRawBufferPointer) -> HostAnswer {
    guard let ranges = Collector.messages(in: body) else {
      return HostAnswer(status: 400, body: Array("{\"error\":\"not a batch\"}".utf8))
    }
    for range in ranges {
      let bytes = UnsafeRawBufferPointer(rebasing: body[range])
      var hash = TraceHash()
      hash.combine(bytes: bytes)
      if known.contains(hash.value) { continue }
      guard (try? JSONBytes.validate(bytes)) != nil else {
        return HostAnswer(status: 400, body: Array("{\"error\":\"not a message\"}".utf8))
      }
      known[hash.value] = true
    }
    return HostAnswer(status: 200, body: Array("{}".utf8))
  }

  /// The places of the messages in a batch; nil if the body is none.
  static func messages(in body: UnsafeRawBufferPointer) -> [Range<Int>]? {
    guard let array = try? JSONBytes.value(of: "batch", in: body) else { return nil }
    return try? JSONBytes.elements(in: body, array)
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
