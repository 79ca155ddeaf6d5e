/// The bytes of a crash record (docs/disk.md: crash records).
///
/// Head, length and checksum of the payload, then the payload: kind, signal, thread, uptime at
/// fixed places, so that a handler has nothing to do but to fill them, and after them what was
/// prepared.
enum CrashFormat {
  static let head: [UInt8] = [0x50, 0x4D, 0x43, 0x31, 1, 0, 0, 0]
  static let payloadOffset = 20
  /// Where in the payload the slots lie, and where what was prepared begins.
  static let kindOffset = 0
  static let signalOffset = 1
  static let threadOffset = 2
  static let uptimeOffset = 6
  static let slotByteCount = 14
  /// What a file is made with: room for a record of a signal whatever the disk says later.
  static let preparedByteCount = 4_096
  /// No record of ours is longer.
  static let mostBytes = 65_536

  static let exceptionKind: UInt8 = 1
  static let signalKind: UInt8 = 2

  /// A whole record but for the slots and the checksum.
  static func prepared(_ subject: CrashSubject) -> [UInt8] {
    var bytes = head
    bytes.append(contentsOf: repeatElement(0, count: payloadOffset - head.count + slotByteCount))
    append(subject, to: &bytes)
    let length = UInt32(bytes.count - payloadOffset)
    bytes.withUnsafeMutableBytes {
      $0.storeBytes(of: length.littleEndian, toByteOffset: head.count, as: UInt32.self)
    }
    return bytes
  }

  /// Fills the slots of a prepared record and seals it. Touches nothing but these bytes: it runs in
  /// the handler of a signal.
  static func fill(
    _ bytes: UnsafeMutableRawBufferPointer, kind: UInt8, signal: UInt8, thread: UInt32,
    uptime: Int64
  ) {
    let payload = payloadOffset
    bytes.storeBytes(of: kind, toByteOffset: payload + kindOffset, as: UInt8.self)
    bytes.storeBytes(of: signal, toByteOffset: payload + signalOffset, as: UInt8.self)
    bytes.storeBytes(
      of: thread.littleEndian, toByteOffset: payload + threadOffset, as: UInt32.self)
    bytes.storeBytes(
      of: uptime.littleEndian, toByteOffset: payload + uptimeOffset, as: Int64.self)
    let checksum = checksum(UnsafeRawBufferPointer(bytes), from: payload)
    bytes.storeBytes(of: checksum.littleEndian, toByteOffset: head.count + 4, as: UInt64.self)
  }

  /// A record of an exception, made of a prepared one.
  static func record(
    _ prepared: [UInt8], _ details: CrashRecord.Details, thread: UInt32, uptime: Int64
  ) -> [UInt8] {
    var bytes = prepared
    for text in [
      details.type, details.message, details.stack, details.stackHash, details.threadName,
    ] {
      append(text, to: &bytes)
    }
    let length = UInt32(bytes.count - payloadOffset)
    bytes.withUnsafeMutableBytes {
      $0.storeBytes(of: length.littleEndian, toByteOffset: head.count, as: UInt32.self)
      fill($0, kind: exceptionKind, signal: 0, thread: thread, uptime: uptime)
    }
    return bytes
  }

  private static func append(_ subject: CrashSubject, to bytes: inout [UInt8]) {
    bytes.append(littleEndian: subject.anchor)
    bytes.append(littleEndian: subject.anchorUptime)
    bytes.append(subject.userId == nil ? 0 : 1)
    for text in [
      subject.messageId, subject.anonymousId, subject.sessionId, subject.userId ?? "",
      subject.path, subject.app.version, subject.app.build,
    ] {
      append(text, to: &bytes)
    }
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(littleEndian: UInt32(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  /// FNV-1a 64: a step is a permutation, so that no single flipped bit can go unseen, and it needs
  /// no table.
  private static func checksum(_ bytes: UnsafeRawBufferPointer, from start: Int) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    var index = start
    while index < bytes.count {
      hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01b3
      index &+= 1
    }
    return hash
  }

  /// What a file holds.
  enum Content: Equatable {
    /// It was prepared, and nothing has filled it.
    case unused
    case record(CrashRecord)
    /// Torn, garbled, or nothing of ours (B94).
    case damaged
  }

  /// Reads a file; total on any bytes.
  static func read(_ bytes: [UInt8]) -> Content {
    bytes.withUnsafeBytes { bytes in
      if bytes.count == preparedByteCount, bytes.allSatisfy({ $0 == 0 }) { return .unused }
      guard bytes.count >= payloadOffset + slotByteCount,
        bytes.prefix(head.count).elementsEqual(head)
      else { return .damaged }
      let length = Int(readLittleEndian(bytes, at: head.count, as: UInt32.self))
      guard length >= slotByteCount, length <= bytes.count - payloadOffset else { return .damaged }
      let whole = UnsafeRawBufferPointer(rebasing: bytes[..<(payloadOffset + length)])
      guard
        readLittleEndian(bytes, at: head.count + 4, as: UInt64.self)
          == checksum(whole, from: payloadOffset),
        let record = parse(UnsafeRawBufferPointer(rebasing: whole[payloadOffset...]))
      else { return .damaged }
      return .record(record)
    }
  }

  private static func parse(_ payload: UnsafeRawBufferPointer) -> CrashRecord? {
    var reader = CrashReader(payload, at: slotByteCount)
    guard let subject = subject(&reader) else { return nil }
    let cause: CrashRecord.Cause
    switch payload[kindOffset] {
    case exceptionKind:
      guard let type = reader.text(), let message = reader.text(), let stack = reader.text(),
        let hash = reader.text(), let threadName = reader.text()
      else { return nil }
      cause = .exception(
        .init(
          type: type, message: message, stack: stack, stackHash: hash, threadName: threadName))
    case signalKind:
      guard let signal = FatalSignal(rawValue: payload[signalOffset]) else { return nil }
      cause = .signal(signal)
    default: return nil
    }
    let record = CrashRecord(
      subject: subject, cause: cause,
      thread: readLittleEndian(payload, at: threadOffset, as: UInt32.self),
      uptime: readLittleEndian(payload, at: uptimeOffset, as: Int64.self))
    return reader.isAtEnd ? record : nil
  }

  private static func subject(_ reader: inout CrashReader) -> CrashSubject? {
    guard let anchor = reader.number(), let anchorUptime = reader.number(),
      let hasUser = reader.byte(), let messageId = reader.text(), let anonymousId = reader.text(),
      let sessionId = reader.text(), let userId = reader.text(), let path = reader.text(),
      let version = reader.text(), let build = reader.text(), Identifier.isUUID(messageId),
      Identifier.isUUID(anonymousId), Identifier.isUUID(sessionId)
    else { return nil }
    return CrashSubject(
      messageId: messageId, anonymousId: anonymousId, sessionId: sessionId,
      userId: hasUser == 1 ? userId : nil, path: path,
      app: AppVersion(version: version, build: build), anchor: anchor,
      anchorUptime: anchorUptime)
  }
}

/// Walks over a payload; what is not there is nil.
private struct CrashReader {
  private let bytes: UnsafeRawBufferPointer
  private var place: Int

  init(_ bytes: UnsafeRawBufferPointer, at place: Int) {
    self.bytes = bytes
    self.place = place
  }

  var isAtEnd: Bool { place == bytes.count }

  mutating func byte() -> UInt8? {
    guard bytes.count - place >= 1 else { return nil }
    place += 1
    return bytes[place - 1]
  }

  mutating func number() -> Int64? {
    guard bytes.count - place >= 8 else { return nil }
    place += 8
    return readLittleEndian(bytes, at: place - 8, as: Int64.self)
  }

  mutating func text() -> String? {
    guard bytes.count - place >= 4 else { return nil }
    let count = Int(readLittleEndian(bytes, at: place, as: UInt32.self))
    guard count <= bytes.count - place - 4 else { return nil }
    place += 4 + count
    return String(
      decoding: UnsafeRawBufferPointer(rebasing: bytes[(place - count)..<place]), as: UTF8.self)
  }
}
