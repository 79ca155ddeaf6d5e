import FuzzHistory

/// In what the content of a message differs from what must be sent.
public struct Deviation: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public static let identifier = Deviation(rawValue: 1 << 0)
  public static let type = Deviation(rawValue: 1 << 1)
  /// `event`, `name` or `groupId`.
  public static let name = Deviation(rawValue: 1 << 2)
  public static let properties = Deviation(rawValue: 1 << 3)
  public static let traits = Deviation(rawValue: 1 << 4)
  public static let timestamp = Deviation(rawValue: 1 << 5)
  public static let userId = Deviation(rawValue: 1 << 6)
  public static let previousId = Deviation(rawValue: 1 << 7)
  public static let anonymousId = Deviation(rawValue: 1 << 8)
  /// Which session it belongs to.
  public static let session = Deviation(rawValue: 1 << 9)
  public static let consent = Deviation(rawValue: 1 << 10)
  /// The rest of `context`.
  public static let context = Deviation(rawValue: 1 << 11)
  /// The same values, written in another way: order of keys, white space, members of other names.
  public static let shape = Deviation(rawValue: 1 << 12)
  /// Whether it carries the start flag of its session.
  public static let sessionStart = Deviation(rawValue: 1 << 13)
  /// The advertising id of the device.
  public static let advertisingId = Deviation(rawValue: 1 << 14)

  /// What is wrong in one word, for signatures and messages.
  public var words: [String] {
    let names: [(Deviation, String)] = [
      (.identifier, "messageId"), (.type, "type"), (.name, "name"), (.properties, "properties"),
      (.traits, "traits"), (.timestamp, "timestamp"), (.userId, "userId"),
      (.previousId, "previousId"), (.anonymousId, "anonymousId"), (.session, "session"),
      (.sessionStart, "session.start"), (.consent, "consent"), (.context, "context"),
      (.advertisingId, "advertisingId"), (.shape, "shape"),
    ]
    return names.filter { contains($0.0) }.map(\.1)
  }
}

/// Compares two messages part by part; values, not spellings, count.
struct MessageComparison {
  let expected: UnsafeRawBufferPointer
  let actual: UnsafeRawBufferPointer

  /// - Parameters:
  ///   - fields: the parts of the actual message, as slices of `actual`.
  ///   - expectedFields: the parts of the expected one, as slices of `expected`.
  ///   - bytes: the whole actual message.
  func deviation(
    _ expectedFields: MessageFields, _ fields: MessageFields, bytes: ByteSlice
  ) -> Deviation {
    var deviation: Deviation = []
    func compare(_ part: Deviation, _ left: ByteSlice, _ right: ByteSlice) {
      if !bytesEqual(expected.slice(left), actual.slice(right)), !sameText(left, right) {
        deviation.insert(part)
      }
    }
    compare(.identifier, expectedFields.messageId, fields.messageId)
    compare(.type, expectedFields.type, fields.type)
    compare(.name, expectedFields.event, fields.event)
    compare(.name, expectedFields.name, fields.name)
    compare(.name, expectedFields.groupId, fields.groupId)
    compare(.timestamp, expectedFields.timestamp, fields.timestamp)
    compare(.userId, expectedFields.userId, fields.userId)
    compare(.previousId, expectedFields.previousId, fields.previousId)
    compare(.anonymousId, expectedFields.anonymousId, fields.anonymousId)
    if !sameValue(expectedFields.properties, fields.properties) { deviation.insert(.properties) }
    if !sameValue(expectedFields.traits, fields.traits) { deviation.insert(.traits) }
    deviation.formUnion(contextDeviation(expectedFields.context, fields.context))
    if fields.unknownMembers > 0 || !fields.isWellFormed { deviation.insert(.shape) }
    if deviation.isEmpty, !isSorted(bytes) { deviation.insert(.shape) }
    return deviation
  }

  private func contextDeviation(_ left: ByteSlice, _ right: ByteSlice) -> Deviation {
    if bytesEqual(expected.slice(left), actual.slice(right)) { return [] }
    guard let want = try? JSONValue.parse(expected.slice(left)).object,
      let have = try? JSONValue.parse(actual.slice(right)).object
    else { return .context }
    var deviation: Deviation = []
    for entry in want {
      let other = have.first { sameBytes($0.key, entry.key) }?.value
      if let other, MessageComparison.same(entry.value, other) { continue }
      if entry.key == "session", let other {
        deviation.formUnion(sessionDeviation(entry.value, other))
        continue
      }
      if entry.key == "device", let other {
        deviation.formUnion(deviceDeviation(entry.value, other))
        continue
      }
      deviation.insert(ReferenceWords.part(ofContext: entry.key))
    }
    for entry in have where !want.contains(where: { sameBytes($0.key, entry.key) }) {
      deviation.insert(ReferenceWords.part(ofContext: entry.key))
    }
    return deviation
  }

  private func sessionDeviation(_ want: JSONValue, _ have: JSONValue) -> Deviation {
    var deviation: Deviation = []
    if want["id"] != have["id"] { deviation.insert(.session) }
    if want["start"] != have["start"] { deviation.insert(.sessionStart) }
    return deviation.isEmpty ? .session : deviation
  }

  private func deviceDeviation(_ want: JSONValue, _ have: JSONValue) -> Deviation {
    let isSame = MessageComparison.same(withoutId(want), withoutId(have))
    return isSame ? .advertisingId : .context
  }

  private func withoutId(_ device: JSONValue) -> JSONValue {
    .object((device.object ?? []).filter { $0.key != "advertisingId" })
  }

  /// Two strings that only differ in their escapes.
  private func sameText(_ left: ByteSlice, _ right: ByteSlice) -> Bool {
    if left.count == 0 || right.count == 0 { return left.count == right.count }
    return MessageComparison.same(quoted(expected.slice(left)), quoted(actual.slice(right)))
  }

  private func quoted(_ text: UnsafeRawBufferPointer) -> JSONValue? {
    try? JSONValue.parse([0x22] + Array(text) + [0x22])
  }

  private func sameValue(_ left: ByteSlice, _ right: ByteSlice) -> Bool {
    if bytesEqual(expected.slice(left), actual.slice(right)) { return true }
    if left.count == 0 || right.count == 0 { return false }
    return MessageComparison.same(
      try? JSONValue.parse(expected.slice(left)), try? JSONValue.parse(actual.slice(right)))
  }

  private func isSorted(_ bytes: ByteSlice) -> Bool {
    guard let value = try? JSONValue.parse(actual.slice(bytes)) else { return false }
    return MessageComparison.isSorted(value)
  }

  private static func isSorted(_ value: JSONValue) -> Bool {
    switch value {
    case .array(let elements): return elements.allSatisfy(isSorted)
    case .object(let entries):
      for index in entries.indices.dropFirst()
      where !entries[index - 1].key.utf8.lexicographicallyPrecedes(entries[index].key.utf8) {
        return false
      }
      return entries.allSatisfy { isSorted($0.value) }
    default: return true
    }
  }

  private static func same(_ left: JSONValue?, _ right: JSONValue?) -> Bool {
    guard let left, let right else { return false }
    return same(left, right)
  }

  /// Equal values: numbers by what they are worth, objects without order.
  static func same(_ left: JSONValue, _ right: JSONValue) -> Bool {
    switch (left, right) {
    case (.array(let a), .array(let b)):
      return a.count == b.count && zip(a, b).allSatisfy { same($0, $1) }
    case (.object(let a), .object(let b)):
      return a.count == b.count
        && a.allSatisfy { entry in
          b.contains { sameBytes($0.key, entry.key) && same($0.value, entry.value) }
        }
    case (.double(let a), .int(let b)): return Double(exactly: b) == a
    case (.int(let a), .double(let b)): return Double(exactly: a) == b
    case (.double(let a), .unsigned(let b)): return Double(exactly: b) == a
    case (.unsigned(let a), .double(let b)): return Double(exactly: a) == b
    case (.double(let a), .double(let b)): return a == b
    default: return left == right
    }
  }
}

enum ReferenceWords {
  /// Which part of a deviation a member of a message belongs to; `context` has parts of its own.
  static func part(of key: String) -> Deviation {
    switch key {
    case "messageId": return .identifier
    case "type": return .type
    case "event", "name", "groupId": return .name
    case "properties": return .properties
    case "traits": return .traits
    case "timestamp": return .timestamp
    case "userId": return .userId
    case "previousId": return .previousId
    case "anonymousId": return .anonymousId
    case "context": return .context
    default: return .shape
    }
  }

  /// Which part of a deviation a member of `context` belongs to.
  static func part(ofContext key: String) -> Deviation {
    switch key {
    case "consent": return .consent
    case "session": return .session
    default: return .context
    }
  }
}
