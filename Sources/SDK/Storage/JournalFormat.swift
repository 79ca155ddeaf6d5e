/// The bytes of the journal (docs/disk.md).
enum JournalFormat {
  static let head: [UInt8] = [0x50, 0x4D, 0x4A, 0x31, 1, 0, 0, 0]
  /// Length and checksum before each payload.
  static let frameByteCount = 8
  static let mostPayloadBytes = 65_536
  static let messageHeaderByteCount = 59
  /// Numbers above this are no sequence numbers of ours, whatever their checksum says.
  static let highestSequence: UInt64 = 1 << 62
  /// A segment holds only messages whose numbers are less than this above its own: its name tells
  /// also who cannot read it which numbers are free.
  static let numbersPerSegment: UInt64 = 1 << 20

  enum Kind: UInt8 {
    case message = 1
    case removal = 2
    case aging = 3
  }

  /// A record as read, without the bytes of its message.
  enum Record: Equatable {
    case message(MessageRecord, byteCount: Int)
    case removal([UInt64])
    case aging(sequence: UInt64, Stamp)
  }

  /// What stands at an offset of a segment.
  enum Frame: Equatable {
    /// A whole record with the number of bytes to the next one.
    case record(Record, byteCount: Int)
    /// A whole frame that holds no valid record.
    case damaged(byteCount: Int)
    /// Valid as far as the given bytes go, which is not to its end.
    case incomplete(byteCount: Int)
    /// The length itself cannot be: nothing behind it can be found.
    case lost
  }

  static func append(_ record: MessageRecord, _ message: [UInt8], to bytes: inout [UInt8]) {
    frame(in: &bytes) { bytes in
      bytes.append(Kind.message.rawValue)
      bytes.append(record.type.rawValue)
      bytes.append(record.flags.rawValue)
      bytes.append(littleEndian: record.sequence)
      bytes.append(littleEndian: record.identifierHash)
      bytes.append(littleEndian: record.anchor)
      append(record.stamp, to: &bytes)
      bytes.append(littleEndian: record.traitsGap)
      bytes.append(littleEndian: record.advertisingIdGap)
      bytes.append(contentsOf: message)
    }
  }

  /// Adds one removal record, or several where one would be too long.
  static func append(removalOf sequences: [UInt64], to bytes: inout [UInt8]) {
    let most = 4_096
    var start = 0
    while start < sequences.count {
      let part = sequences[start..<min(start + most, sequences.count)]
      frame(in: &bytes) { bytes in
        bytes.append(Kind.removal.rawValue)
        bytes.append(littleEndian: UInt32(part.count))
        for sequence in part { bytes.append(littleEndian: sequence) }
      }
      start += most
    }
  }

  static func append(agingOf sequence: UInt64, from stamp: Stamp, to bytes: inout [UInt8]) {
    frame(in: &bytes) { bytes in
      bytes.append(Kind.aging.rawValue)
      bytes.append(littleEndian: sequence)
      append(stamp, to: &bytes)
    }
  }

  private static func append(_ stamp: Stamp, to bytes: inout [UInt8]) {
    bytes.append(littleEndian: stamp.time)
    bytes.append(littleEndian: stamp.boot)
    bytes.append(littleEndian: stamp.uptime)
  }

  private static func frame(in bytes: inout [UInt8], _ payload: (inout [UInt8]) -> Void) {
    let start = bytes.count
    bytes.append(littleEndian: UInt64(0))
    payload(&bytes)
    let count = bytes.count - start - frameByteCount
    bytes.withUnsafeMutableBytes { buffer in
      let checksum = crc32(
        UnsafeRawBufferPointer(rebasing: buffer[(start + frameByteCount)...]))
      buffer.storeBytes(of: UInt32(count).littleEndian, toByteOffset: start, as: UInt32.self)
      buffer.storeBytes(of: checksum.littleEndian, toByteOffset: start + 4, as: UInt32.self)
    }
  }

  /// Reads what stands at an offset; total on any bytes.
  static func frame(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Frame {
    let rest = bytes.count - offset
    guard rest >= frameByteCount else { return .incomplete(byteCount: frameByteCount) }
    let length = Int(readLittleEndian(bytes, at: offset, as: UInt32.self))
    guard length > 0 && length <= mostPayloadBytes else { return .lost }
    let byteCount = frameByteCount + length
    guard rest >= byteCount else { return .incomplete(byteCount: byteCount) }
    let payload = UnsafeRawBufferPointer(
      rebasing: bytes[(offset + frameByteCount)..<(offset + byteCount)])
    let checksum = readLittleEndian(bytes, at: offset + 4, as: UInt32.self)
    guard crc32(payload) == checksum, let record = record(payload) else {
      return .damaged(byteCount: byteCount)
    }
    return .record(record, byteCount: byteCount)
  }

  private static func record(_ payload: UnsafeRawBufferPointer) -> Record? {
    switch Kind(rawValue: payload[0]) {
    case .message: return message(payload)
    case .removal: return removal(payload)
    case .aging:
      guard payload.count == 33 else { return nil }
      let sequence = readLittleEndian(payload, at: 1, as: UInt64.self)
      return sequence <= highestSequence
        ? .aging(sequence: sequence, stamp(payload, at: 9)) : nil
    case nil: return nil
    }
  }

  private static func message(_ payload: UnsafeRawBufferPointer) -> Record? {
    guard payload.count > messageHeaderByteCount, let type = MessageType(rawValue: payload[1])
    else { return nil }
    let record = MessageRecord(
      type: type, flags: MessageRecord.Flags(rawValue: payload[2]),
      sequence: readLittleEndian(payload, at: 3, as: UInt64.self),
      identifierHash: readLittleEndian(payload, at: 11, as: UInt64.self),
      anchor: readLittleEndian(payload, at: 19, as: Int64.self),
      stamp: stamp(payload, at: 27),
      traitsGap: readLittleEndian(payload, at: 51, as: UInt32.self),
      advertisingIdGap: readLittleEndian(payload, at: 55, as: UInt32.self))
    let byteCount = payload.count - messageHeaderByteCount
    guard record.sequence <= highestSequence, byteCount <= MessageEncoder.mostBytes else {
      return nil
    }
    return .message(record, byteCount: byteCount)
  }

  private static func removal(_ payload: UnsafeRawBufferPointer) -> Record? {
    guard payload.count >= 5 else { return nil }
    let count = Int(readLittleEndian(payload, at: 1, as: UInt32.self))
    guard count <= mostPayloadBytes, payload.count == 5 + 8 * count else { return nil }
    return .removal(
      (0..<count).map { readLittleEndian(payload, at: 5 + 8 * $0, as: UInt64.self) })
  }

  private static func stamp(_ payload: UnsafeRawBufferPointer, at offset: Int) -> Stamp {
    Stamp(
      time: readLittleEndian(payload, at: offset, as: Int64.self),
      boot: readLittleEndian(payload, at: offset + 8, as: UInt64.self),
      uptime: readLittleEndian(payload, at: offset + 16, as: Int64.self))
  }

  static func segmentName(_ number: UInt64) -> String {
    let bytes = (0..<16).map { hexDigit(UInt8(truncatingIfNeeded: number >> (60 - 4 * $0)) & 0xF) }
    return String(decoding: bytes, as: UTF8.self) + ".journal"
  }

  /// The number in a segment's name; nil for a file that is none.
  static func segmentNumber(_ name: String) -> UInt64? {
    guard name.utf8.count == 24, name.hasSuffix(".journal") else { return nil }
    guard let number = UInt64(name.prefix(16), radix: 16) else { return nil }
    return number <= highestSequence && segmentName(number) == name ? number : nil
  }
}
