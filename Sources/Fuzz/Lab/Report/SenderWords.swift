import FuzzHistory

/// Who sends a batch, in words: people follow "visitor 2, session 3" where ids are all alike.
struct SenderWords {
  /// Anonymous ids in the order met; people count them from 1.
  private var visitors: [String] = []
  /// Session ids in the order met.
  private var sessions: [String] = []

  /// What the messages of a batch say of their senders, and when they say that they were sent.
  /// - Parameters:
  ///   - batch: the body of a batch request.
  ///   - clock: what the clock of the device shows.
  mutating func text(_ batch: JSONValue, clock: String) -> String {
    let messages = batch["batch"]?.array ?? []
    if messages.isEmpty { return "" }
    var seen: (visitors: [Int], sessions: [Int]) = ([], [])
    for message in messages {
      if let id = message["anonymousId"]?.string {
        SenderWords.note(SenderWords.number(id, in: &visitors), in: &seen.visitors)
      }
      if let id = message["context"]?["session"]?["id"]?.string {
        SenderWords.note(SenderWords.number(id, in: &sessions), in: &seen.sessions)
      }
    }
    var text = SenderWords.list("visitor", seen.visitors)
    text += SenderWords.list("session", seen.sessions)
    let consents = messages.map { $0["context"]?["consent"]?["analytics"]?.bool }
    if consents.contains(false) {
      text += consents.contains(true) ? ", in part without consent" : ", without consent"
    }
    // A clock that was set since the process began; the days alone, as milliseconds may differ.
    if let sent = batch["sentAt"]?.string, !clock.hasPrefix(sent.prefix(10)) {
      text += ", sent on \(sent.prefix(10)) by the clock that the process began with"
    }
    return text
  }

  private static func number(_ id: String, in known: inout [String]) -> Int {
    if let place = known.firstIndex(of: id) { return place + 1 }
    known.append(id)
    return known.count
  }

  private static func note(_ number: Int, in seen: inout [Int]) {
    if !seen.contains(number) { seen.append(number) }
  }

  private static func list(_ what: String, _ numbers: [Int]) -> String {
    if numbers.isEmpty { return "" }
    let shown = numbers.sorted().map { "\($0)" }.joined(separator: " and ")
    return ", \(what)\(numbers.count == 1 ? "" : "s") \(shown)"
  }
}
