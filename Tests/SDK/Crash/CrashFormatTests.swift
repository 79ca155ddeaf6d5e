import FuzzProperty
import Testing

@testable import SDK

@Suite("Crash records on disk")
struct CrashFormatTests {
  private static let subject = CrashSubject(
    messageId: "00000000-0000-4000-8000-000000000001",
    anonymousId: "00000000-0000-4000-8000-000000000002",
    sessionId: "00000000-0000-4000-8000-000000000003", userId: "u-1042", path: "/Ödeme",
    app: AppVersion(version: "1.4.0", build: "140"), anchor: 1_780_000_000_123_456_789,
    anchorUptime: 77_000_000_001)

  private static let details = CrashRecord.Details(
    type: "NSRangeException", message: "index 4", stack: "Kiosk -[KCList row:]",
    stackHash: "00112233445566778899aabbccddeeff", threadName: "Uploads")

  private static let exception = CrashFormat.record(
    CrashFormat.prepared(subject), details, thread: 4, uptime: 78_000_000_001)

  private static let signal: [UInt8] = {
    var bytes = CrashFormat.prepared(subject)
    bytes.withUnsafeMutableBytes {
      CrashFormat.fill(
        $0, kind: CrashFormat.signalKind, signal: FatalSignal.trap.rawValue, thread: 0,
        uptime: 78_000_000_001)
    }
    return bytes
  }()

  @Test("what was written is read")
  func roundTrip() {
    #expect(
      CrashFormat.read(Self.exception)
        == .record(
          CrashRecord(
            subject: Self.subject, cause: .exception(Self.details), thread: 4,
            uptime: 78_000_000_001)))
    #expect(
      CrashFormat.read(Self.signal)
        == .record(
          CrashRecord(
            subject: Self.subject, cause: .signal(.trap), thread: 0, uptime: 78_000_000_001)))
  }

  @Test("a record over what was made beforehand is read, whatever lies behind it")
  func overPrepared() {
    let rest = [UInt8](repeating: 0, count: CrashFormat.preparedByteCount - Self.signal.count)
    #expect(CrashFormat.read(Self.signal + rest) == CrashFormat.read(Self.signal))
    #expect(CrashFormat.read(Self.exception + [9, 9]) == CrashFormat.read(Self.exception))
  }

  @Test("a file made beforehand is none, nor is a prepared record that nothing has filled")
  func unused() {
    let zeros = [UInt8](repeating: 0, count: CrashFormat.preparedByteCount)
    #expect(CrashFormat.read(zeros) == .unused)
    #expect(CrashFormat.read(CrashFormat.prepared(Self.subject)) == .damaged)
    #expect(CrashFormat.read([]) == .damaged)
  }

  @Test("a record that is cut anywhere is none (B94)", arguments: [exception, signal])
  func cut(_ record: [UInt8]) {
    for count in 0..<record.count {
      #expect(CrashFormat.read(Array(record.prefix(count))) == .damaged)
      let torn = record.prefix(count) + [UInt8](repeating: 0, count: record.count - count)
      if torn.elementsEqual(record) { continue }
      #expect(CrashFormat.read(Array(torn)) == .damaged)
    }
  }

  @Test("a record with one bit flipped is none (B94)", arguments: [exception, signal])
  func flipped(_ record: [UInt8]) {
    for place in record.indices {
      for bit in 0..<8 {
        var bytes = record
        bytes[place] ^= 1 << UInt8(bit)
        #expect(CrashFormat.read(bytes) == .damaged, "byte \(place), bit \(bit)")
      }
    }
  }

  @Test("no length in a record is believed (B94, B107)", arguments: [exception, signal])
  func lengths(_ record: [UInt8]) {
    for place in 8..<record.count - 3 {
      for value in [0xFFFF_FFFF, 0x7FFF_FFFF, 0x0001_0000] as [UInt32] {
        var bytes = record
        bytes.withUnsafeMutableBytes {
          $0.storeBytes(of: value.littleEndian, toByteOffset: place, as: UInt32.self)
        }
        if bytes == record { continue }
        #expect(CrashFormat.read(bytes) == .damaged)
        // Also where the checksum is right again.
        bytes.withUnsafeMutableBytes {
          CrashFormat.fill(
            $0, kind: record[20], signal: record[21], thread: 0, uptime: 0)
        }
        _ = CrashFormat.read(bytes)
      }
    }
  }

  @Test("arbitrary bytes are read to their end")
  func arbitrary() throws {
    let bytes = Generator<UInt8>.element(of: Array(0...255)).array(0...300)
    try check("reads anything", runs: 3_000, bytes) { bytes in
      var record = CrashFormat.head + bytes
      if record.count >= CrashFormat.payloadOffset + CrashFormat.slotByteCount {
        let length = UInt32(record.count - CrashFormat.payloadOffset)
        record.withUnsafeMutableBytes {
          $0.storeBytes(of: length.littleEndian, toByteOffset: 8, as: UInt32.self)
          CrashFormat.fill(
            $0, kind: bytes[12] & 3, signal: bytes[13] & 7, thread: 1, uptime: .max)
        }
      }
      if case .record(let found) = CrashFormat.read(record) { _ = found.properties }
      return true
    }
  }
}
