import FuzzHistory

/// A crash record as it lies on disk, read apart from any SDK (docs/disk.md: crash records).
struct CrashFile: Equatable {
  var kind: UInt8
  var signal: UInt8
  var thread: UInt32
  var uptime: Int64
  var messageId: [UInt8]
  var anonymousId: [UInt8]
  var sessionId: [UInt8]
  /// Type, message, stack, hash and thread of an exception; empty for a signal.
  var details: [[UInt8]]

  /// What the app could have said in it.
  var texts: [String] {
    details.enumerated().filter { $0.offset != 3 }.map {
      String(decoding: $0.element, as: UTF8.self)
    }
  }
}

/// What a file in the folder of crash records is.
enum CrashFileState: Equatable {
  /// Made beforehand, and not needed yet.
  case unused
  case whole(CrashFile)
  case damaged
}

enum CrashFileReader {
  private static let headCount = 20
  static let preparedCount = 4_096

  static func state(_ content: [UInt8]) -> CrashFileState {
    if content.count == preparedCount, content.allSatisfy({ $0 == 0 }) { return .unused }
    guard content.count > headCount + 14,
      Array(content[0..<8]) == Array("PMC1".utf8) + [1, 0, 0, 0]
    else { return .damaged }
    let length = Int(number(content, 8, 4))
    guard length <= content.count - headCount else { return .damaged }
    let payload = Array(content[headCount..<headCount + length])
    guard hashIdentifier(payload) == number(content, 12, 8), let file = parse(payload) else {
      return .damaged
    }
    return .whole(file)
  }

  private static func parse(_ payload: [UInt8]) -> CrashFile? {
    guard payload.count >= 31, payload[0] == 1 || payload[0] == 2 else { return nil }
    var place = 31
    var texts: [[UInt8]] = []
    while place < payload.count {
      guard payload.count - place >= 4 else { return nil }
      let count = Int(number(payload, place, 4))
      guard payload.count - place - 4 >= count else { return nil }
      texts.append(Array(payload[place + 4..<place + 4 + count]))
      place += 4 + count
    }
    guard texts.count == (payload[0] == 1 ? 12 : 7) else { return nil }
    return CrashFile(
      kind: payload[0], signal: payload[1], thread: UInt32(number(payload, 2, 4)),
      uptime: Int64(bitPattern: number(payload, 6, 8)), messageId: texts[0],
      anonymousId: texts[1], sessionId: texts[2], details: Array(texts[7...]))
  }

  private static func number(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> UInt64 {
    (0..<count).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
  }
}

extension DiskShadow {
  /// Whether a path lies in the folder of crash records, or is that folder.
  public func isCrash(_ path: ByteSlice) -> Bool { starts(path, with: crashFolder) }

  /// Whether a path is that of a file in that folder.
  func isCrashFile(_ path: ByteSlice) -> Bool {
    isCrash(path) && Int(path.count) > crashFolder.count
  }

  /// The whole crash records on disk, by the hash of their paths.
  var crashRecords: [(pathHash: UInt64, file: CrashFile)] {
    files.compactMap { file in
      guard isCrash(file.path), case .whole(let record) = CrashFileReader.state(file.content) else {
        return nil
      }
      return (file.pathHash, record)
    }
  }

  /// What lies under a path in the folder of crash records.
  func crashState(_ path: ByteSlice) -> CrashFileState? {
    let hash = hashIdentifier(arena.slice(path))
    return files.first { $0.pathHash == hash }.map { CrashFileReader.state($0.content) }
  }
}
