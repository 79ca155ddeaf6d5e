/// The layout of a crash record as docs/disk.md tells it, read and sealed without the SDK's code.
enum CrashLayout {
  static let payload = 20
  /// Behind head and slots: two clocks and whether there is a user.
  static let firstText = payload + 14 + 17

  static func number(_ bytes: [UInt8], at place: Int) -> Int {
    (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
  }

  /// What of a file is the record.
  static func record(_ file: [UInt8]) -> [UInt8] {
    Array(file.prefix(payload + number(file, at: 8)))
  }

  /// Where lengths stand in a record: that of the payload, and one ahead of each text.
  static func lengths(_ record: [UInt8]) -> [Int] {
    var places = [8]
    var place = firstText
    while place < record.count {
      places.append(place)
      place += 4 + number(record, at: place)
    }
    return places
  }

  /// The id of the event, which is the first text.
  static func messageId(_ file: [UInt8]) -> String {
    let count = number(file, at: firstText)
    return String(decoding: file[(firstText + 4)..<(firstText + 4 + count)], as: UTF8.self)
  }

  /// A file with another number in it.
  static func putting(_ value: UInt32, at place: Int, _ file: [UInt8]) -> [UInt8] {
    var bytes = file
    for byte in 0..<4 { bytes[place + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte)) }
    return bytes
  }

  /// The file with its checksum made right for as much as its length speaks of.
  static func sealing(_ file: [UInt8]) -> [UInt8] {
    let end = min(file.count, payload + number(file, at: 8))
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in file[payload..<end] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    var bytes = file
    for byte in 0..<8 { bytes[12 + byte] = UInt8(truncatingIfNeeded: hash >> (8 * byte)) }
    return bytes
  }

  /// The file with its event under another id.
  static func renaming(_ file: [UInt8], to messageId: String) -> [UInt8] {
    var bytes = file
    bytes.replaceSubrange((firstText + 4)..<(firstText + 4 + 36), with: messageId.utf8)
    return sealing(bytes)
  }
}
