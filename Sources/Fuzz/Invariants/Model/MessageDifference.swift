import FuzzHistory

/// Tells in what a message differs from what had to be sent: one place each, as
/// `path: expected → sent`.
struct MessageDifference {
  private static let mostPlaces = 5
  private static let mostCharacters = 60

  private let parts: Deviation
  private var places: [String] = []
  private var count = 0

  /// The places in words.
  /// - Parameters:
  ///   - parts: those that are told of.
  ///   - expected: the message as it had to be sent.
  ///   - sent: the message as it was sent.
  static func text(
    _ parts: Deviation, expected: UnsafeRawBufferPointer, sent: UnsafeRawBufferPointer
  ) -> String {
    guard let due = try? JSONValue.parse(expected), let value = try? JSONValue.parse(sent) else {
      return shortened(String(decoding: expected, as: UTF8.self)) + " → "
        + shortened(String(decoding: sent, as: UTF8.self))
    }
    var difference = MessageDifference(parts: parts)
    difference.compare(due, value, at: "", .shape)
    if difference.count == 0 { return "the same values, written in another way" }
    let others = difference.count - difference.places.count
    return difference.places.joined(separator: "; ") + (others > 0 ? "; and \(others) more" : "")
  }

  private init(parts: Deviation) { self.parts = parts }

  private mutating func compare(
    _ expected: JSONValue?, _ sent: JSONValue?, at path: String, _ part: Deviation
  ) {
    switch (expected, sent) {
    case (.object(let due)?, .object(let entries)?):
      for entry in due {
        compare(
          entry.value, entries.first { sameBytes($0.key, entry.key) }?.value, path, entry.key, part)
      }
      for entry in entries where !due.contains(where: { sameBytes($0.key, entry.key) }) {
        compare(nil, entry.value, path, entry.key, part)
      }
    case (.array(let due)?, .array(let elements)?) where due.count == elements.count:
      for index in due.indices {
        compare(due[index], elements[index], at: "\(path)[\(index)]", part)
      }
    case (let due?, let value?) where MessageComparison.same(due, value): break
    default:
      guard parts.contains(part) else { return }
      count += 1
      if places.count == MessageDifference.mostPlaces { return }
      places.append("\(path): \(word(expected)) → \(word(sent))")
    }
  }

  private mutating func compare(
    _ expected: JSONValue?, _ sent: JSONValue?, _ path: String, _ key: String, _ part: Deviation
  ) {
    let place = path.isEmpty ? key : path + "." + key
    switch path {
    case "": compare(expected, sent, at: place, ReferenceWords.part(of: key))
    case "context": compare(expected, sent, at: place, ReferenceWords.part(ofContext: key))
    default: compare(expected, sent, at: place, part)
    }
  }

  private func word(_ value: JSONValue?) -> String {
    value.map { MessageDifference.shortened($0.canonicalText()) } ?? "nothing"
  }

  private static func shortened(_ text: String) -> String {
    text.count > mostCharacters ? text.prefix(mostCharacters - 1) + "…" : text
  }
}
