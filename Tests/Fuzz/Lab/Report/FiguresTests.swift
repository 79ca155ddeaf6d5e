import FuzzHistory
import SimKernel
import Testing

@testable import Fuzz

@Suite struct FiguresTests {
  @Test func hashesHaveSixteenDigits() {
    #expect(Figures.hash(0) == "0000000000000000")
    #expect(Figures.hash(.max) == "ffffffffffffffff")
    #expect(Figures.hash(0xab) == "00000000000000ab")
  }

  @Test(arguments: [
    (0, "0.000", "0"), (81_250_000_000, "81.250", "81.25"), (1, "0.000000001", "0.000000001"),
    (-1_500_000_000, "-1.500", "-1.5"), (172_800_000_000_000, "172800.000", "172800"),
  ])
  func secondsKeepEveryDigit(nanoseconds: Int64, text: String, short: String) {
    #expect(Figures.seconds(TimeSpan(nanoseconds: nanoseconds)) == text)
    #expect(Figures.shortSeconds(TimeSpan(nanoseconds: nanoseconds)) == short)
  }

  @Test(arguments: [
    (TimeSpan.milliseconds(0), "0 ms"), (.milliseconds(999), "999 ms"),
    (.milliseconds(5_020), "5.020 s"), (.seconds(59), "59 s"), (.seconds(61), "1 min 1 s"),
    (.hours(2), "2 h"), (.minutes(125), "2 h 5 min"), (.hours(49), "2 d 1 h"),
    (.hours(-3), "-3 h"),
  ])
  func spansAreToldInTheirLargestUnits(span: TimeSpan, text: String) {
    #expect(Figures.span(span) == text)
  }

  @Test func numbersAreRoundedAndGrouped() {
    #expect(Figures.grouped(0) == "0")
    #expect(Figures.grouped(999) == "999")
    #expect(Figures.grouped(1_000) == "1 000")
    #expect(Figures.grouped(-12_345_678) == "-12 345 678")
    #expect(Figures.decimal(2.005, 2) == "2.01" || Figures.decimal(2.005, 2) == "2.00")
    #expect(Figures.decimal(1.25, 1) == "1.3")
    #expect(Figures.decimal(-0.04, 1) == "0.0")
    #expect(Figures.decimal(7, 0) == "7")
  }

  @Test(arguments: [
    (0, "1970-01-01 00:00:00.000"), (1_780_000_000_000, "2026-05-28 20:26:40.000"),
    (951_782_400_123, "2000-02-29 00:00:00.123"), (-1, "1969-12-31 23:59:59.999"),
    (4_107_542_399_000, "2100-02-28 23:59:59.000"), (4_107_542_400_000, "2100-03-01 00:00:00.000"),
  ])
  func datesAreThoseOfTheCalendar(milliseconds: Int64, text: String) {
    #expect(DeviceTime.text(milliseconds * 1_000_000) == text)
  }
}
