/// What the user decided, as stored (docs/disk.md: `consent.json`).
struct ConsentRecord: Hashable, Sendable {
  static let version = "1"
  /// Always the same, so that a decision finds room where an older one or the spare lies.
  static let byteCount = 256
  /// What stands for a decision that nobody can read (S-35, S-38).
  static let declined = ConsentRecord(analytics: false, marketing: false)

  /// Nil where the app never passed the flag.
  var analytics: Bool?
  var marketing: Bool?
  /// Whether `$first_open` was tried or waived for this install; alone it is no decision.
  var isOpened = false
  /// Messages with numbers up to this one have lost their advertising id for good: marketing was
  /// withdrawn while they were queued, and granted anew since (S-02).
  var idsAfter: UInt64 = 0

  /// Keys sorted, filled up with spaces.
  func encode() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.byteCount)
    bytes.append(0x7B)
    if idsAfter > 0 {
      bytes.append(ascii: "\"advertisingIdsAfter\":")
      bytes.append(decimal: Int64(idsAfter))
      bytes.append(0x2C)
    }
    if analytics != nil || marketing != nil {
      bytes.append(ascii: "\"decision\":{")
      if let analytics {
        bytes.append(ascii: analytics ? "\"analytics\":true" : "\"analytics\":false")
      }
      if analytics != nil && marketing != nil { bytes.append(0x2C) }
      if let marketing {
        bytes.append(ascii: marketing ? "\"marketing\":true" : "\"marketing\":false")
      }
      bytes.append(ascii: "},")
    }
    bytes.append(ascii: isOpened ? "\"opened\":true" : "\"opened\":false")
    bytes.append(ascii: ",\"version\":")
    bytes.append(contentsOf: Self.version.utf8)
    bytes.append(0x7D)
    bytes += [UInt8](repeating: 0x20, count: max(0, Self.byteCount - bytes.count))
    return bytes
  }

  /// Reads a record; nil if it is damaged or of another version (S-38).
  static func parse(_ bytes: [UInt8]) -> ConsentRecord? {
    guard bytes.count <= byteCount, let root = JSONParser.parse(bytes),
      root["version"] == .number(version), let isOpened = root["opened"]?.bool
    else { return nil }
    var record = ConsentRecord(isOpened: isOpened)
    if let number = root["advertisingIdsAfter"] {
      guard case .number(let digits) = number, let idsAfter = UInt64(digits),
        idsAfter <= JournalFormat.highestSequence
      else { return nil }
      record.idsAfter = idsAfter
    }
    guard let decision = root["decision"] else { return record }
    guard case .object = decision else { return nil }
    if let flag = decision["analytics"] {
      guard let value = flag.bool else { return nil }
      record.analytics = value
    }
    if let flag = decision["marketing"] {
      guard let value = flag.bool else { return nil }
      record.marketing = value
    }
    return record
  }
}
