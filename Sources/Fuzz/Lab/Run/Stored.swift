import FuzzHistory
import SimKernel

/// What the collector has stored at the end of a history, read from the wire.
struct Stored {
  struct Message {
    var id: String
    /// The event of a track, the name of a screen, else the type.
    var name: String
  }

  /// Distinct messages in the order they were first received.
  private(set) var messages: [Message] = []

  init(_ history: History) {
    var bodies = Lookup<UInt32, ByteSlice>()
    var known = Lookup<String, Void>()
    for record in history.records {
      switch record.fact {
      case .requestStarted(let exchange, .collector, _, true, _, _, let body, _, _, _, _):
        bodies[exchange] = body
      case .answered(let exchange, _, let status, _, let answer):
        guard (200..<300).contains(status), let body = bodies[exchange] else { continue }
        let refused = Stored.refused(history.bytes(answer))
        for message in Stored.batch(history.bytes(body)) {
          if refused.contains(message.id) || !known.insert(message.id) { continue }
          messages.append(message)
        }
      default: continue
      }
    }
  }

  func count(named name: String) -> Int { messages.reduce(0) { $0 + ($1.name == name ? 1 : 0) } }

  private static func batch(_ bytes: ArraySlice<UInt8>) -> [Message] {
    guard let batch = (try? JSONValue.parse(bytes))?["batch"]?.array else { return [] }
    return batch.compactMap { message in
      guard let id = message["messageId"]?.string else { return nil }
      let name = message["event"] ?? message["name"] ?? message["type"]
      return Message(id: id, name: name?.string ?? "")
    }
  }

  private static func refused(_ bytes: ArraySlice<UInt8>) -> [String] {
    let entries = (try? JSONValue.parse(bytes))?["rejected"]?.array ?? []
    return entries.compactMap { $0["messageId"]?.string }
  }
}
