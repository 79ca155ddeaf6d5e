import Foundation
import FuzzProperty
import Testing

@testable import SDK

@Suite("Times on the wire")
struct TimestampTests {
  private func text(_ milliseconds: Int64) -> String {
    var bytes: [UInt8] = []
    Timestamp.append(milliseconds: milliseconds, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(
    "known instants",
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
      (1_767_225_600_000, "2026-01-01T00:00:00.000Z"),
      (1_709_164_800_000, "2024-02-29T00:00:00.000Z"),
      (951_782_400_000, "2000-02-29T00:00:00.000Z"),
      (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
      (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
      (1_735_689_599_999, "2024-12-31T23:59:59.999Z"),
      (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
      (253_402_300_800_000, "9999-12-31T23:59:59.999Z"),
      (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"), (.min, "0000-01-01T00:00:00.000Z"),
    ] as [(Int64, String)])
  func known(_ milliseconds: Int64, _ expected: String) {
    #expect(text(milliseconds) == expected)
  }

  @Test("a part of a millisecond is cut, also just before midnight")
  func roundsDown() {
    let clock = FixedClock(wall: 1_790_035_199_999_500_000, uptime: 0)
    let anchor = Anchor(clock)
    #expect(text(anchor.milliseconds(atUptime: 0)) == "2026-09-21T23:59:59.999Z")
    #expect(text(anchor.milliseconds(atUptime: 499_999)) == "2026-09-21T23:59:59.999Z")
    #expect(text(anchor.milliseconds(atUptime: 500_000)) == "2026-09-22T00:00:00.000Z")
    #expect(text(anchor.milliseconds(atUptime: -500_001)) == "2026-09-21T23:59:59.998Z")
  }

  @Test("all instants agree with Foundation's calendar")
  func agreesWithFoundation() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    let instants = Generator<Int64>.integer(in: -10_000_000_000_000...250_000_000_000_000)
    try check("same fields", runs: 300, instants) { milliseconds in
      let seconds = floorDivide(milliseconds, 1_000)
      let parts = calendar.dateComponents(
        [.year, .month, .day, .hour, .minute, .second],
        from: Date(timeIntervalSince1970: TimeInterval(seconds)))
      // Foundation counts in the Julian calendar before October 1582.
      if milliseconds < -12_219_292_800_000 { return true }
      let expected = String(
        format: "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", parts.year ?? 0, parts.month ?? 0,
        parts.day ?? 0, parts.hour ?? 0, parts.minute ?? 0, parts.second ?? 0,
        Int(milliseconds - seconds * 1_000))
      return text(milliseconds) == expected
    }
  }

  @Test("dates and days are each other's inverse over eight centuries")
  func inverse() {
    var previous = Timestamp.civil(days: -146_098)
    for days in -146_097...146_097 {
      let date = Timestamp.civil(days: days)
      #expect(Timestamp.days(year: date.year, month: date.month, day: date.day) == days)
      let isNextDay =
        date == (previous.year, previous.month, previous.day + 1)
        || date.day == 1 && (date.month == previous.month + 1 || date.month == 1)
      #expect(isNextDay)
      previous = date
    }
  }
}

/// A clock that shows what it was given.
final class FixedClock: ClockPort, Sendable {
  private let wallNanoseconds: Int64
  private let uptimeNanoseconds: Int64

  init(wall: Int64, uptime: Int64) {
    wallNanoseconds = wall
    uptimeNanoseconds = uptime
  }

  func wall() -> Int64 { wallNanoseconds }
  func awake() -> Int64 { uptimeNanoseconds }
  func continuous() -> Int64 { uptimeNanoseconds }
  func bootIdentifier() -> UInt64 { 1 }
}
