import FuzzHistory
import FuzzScenario
import SimKernel

/// What the collector has stored at the end of a history, read from the wire.
struct Stored {
  struct Message {
    var id: String
    /// The event of a track, the name of a screen, else the type.
    var name: String
    /// When the collector stored it.
    var instant: Instant
    /// Its bytes as sent.
    var bytes: ByteSlice
  }

  private let history: History

  /// Distinct messages in the order they were first received.
  private(set) var messages: [Message] = []

  init(_ history: History) {
    self.history = history
    var bodies = Lookup<UInt32, ByteSlice>()
    var known = Lookup<String, Void>()
    for record in history.records {
      switch record.fact {
      case .requestStarted(let exchange, .collector, _, true, _, _, let body, _, _, _, _):
        bodies[exchange] = body
      case .answered(let exchange, _, let status, _, let answer):
        guard (200..<300).contains(status), let body = bodies[exchange] else { continue }
        let refused = Stored.refused(history.bytes(answer))
        for message in Stored.batch(history.bytes(body), record.instant) {
          if refused.contains(message.id) || !known.insert(message.id) { continue }
          messages.append(message)
        }
      default: continue
      }
    }
  }

  /// How many messages of a selection were stored, by an instant if one is given.
  func count(_ selection: Expectation.Selection, by end: Instant?) -> Int {
    messages.count { message in
      if let end, message.instant > end { return false }
      return isSelected(message, selection)
    }
  }

  /// How many different values of a member the messages of a selection have.
  /// - Parameter member: its keys from the message on, with dots between.
  func distinct(_ member: String, _ selection: Expectation.Selection) -> Int {
    let keys = member.split(separator: ".").map { String($0) }
    var values: [JSONValue?] = []
    for message in messages where isSelected(message, selection) {
      let whole = try? JSONValue.parse(history.bytes(message.bytes))
      let value = keys.reduce(whole) { $0?[$1] }
      if !values.contains(value) { values.append(value) }
    }
    return values.count
  }

  private func isSelected(_ message: Message, _ selection: Expectation.Selection) -> Bool {
    switch selection {
    case .all: true
    case .named(let name): message.name == name
    case .containing(let text): history.contains(text, in: message.bytes)
    }
  }

  private static func batch(_ bytes: ArraySlice<UInt8>, _ instant: Instant) -> [Message] {
    let places = bytes.withUnsafeBytes { (try? JSONBytes.elements(of: "batch", in: $0)) ?? nil }
    return (places ?? []).compactMap { place in
      let start = bytes.startIndex + place.lowerBound
      guard let message = try? JSONValue.parse(bytes[start..<start + place.count]),
        let id = message["messageId"]?.string
      else { return nil }
      let name = message["event"] ?? message["name"] ?? message["type"]
      return Message(
        id: id, name: name?.string ?? "", instant: instant,
        bytes: ByteSlice(offset: UInt32(start), count: UInt32(place.count)))
    }
  }

  private static func refused(_ bytes: ArraySlice<UInt8>) -> [String] {
    let entries = (try? JSONValue.parse(bytes))?["rejected"]?.array ?? []
    return entries.compactMap { $0["messageId"]?.string }
  }
}
