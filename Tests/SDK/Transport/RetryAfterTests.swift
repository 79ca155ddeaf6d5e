import FuzzProperty
import Testing

@testable import SDK

@Suite("Retry-After")
struct RetryAfterTests {
  /// 1994-11-06T08:49:37Z.
  private static let date: Int64 = 784_111_777

  private func wait(_ value: String, date: String? = nil, deviceTime: Int64 = 0) -> Int64? {
    var headers = [HTTPHeader("retry-AFTER", value)]
    if let date { headers.append(HTTPHeader("Date", date)) }
    return RetryAfter.nanoseconds(
      HTTPResponse(status: 429, headers: headers, body: []), deviceTime: deviceTime
    ).map { $0 / .nanosecondsPerSecond }
  }

  @Test(
    "seconds", arguments: [("0", 0), ("7", 7), (" 120\t", 120), ("00003", 3)] as [(String, Int64)])
  func seconds(_ text: String, _ expected: Int64) {
    #expect(wait(text) == expected)
  }

  @Test("more seconds than there are numbers are a long time")
  func hugeSeconds() {
    #expect(wait(String(repeating: "9", count: 400)) ?? 0 >= 86_400)
  }

  @Test(
    "the three forms of a date, against the answer's own",
    arguments: [
      "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ])
  func dates(_ text: String) {
    #expect(HTTPDate.parse(Array(text.utf8)) == Self.date)
    #expect(wait(text, date: "Sun, 06 Nov 1994 08:49:00 GMT") == 37)
    // A date that has passed means now.
    #expect(wait(text, date: "Sun, 06 Nov 1994 09:00:00 GMT") == 0)
    #expect(wait(text, deviceTime: (Self.date - 90) * 1_000) == 90)
    #expect(wait(text, date: "rubbish", deviceTime: (Self.date - 5) * 1_000) == 5)
  }

  @Test(
    "what cannot be read is none",
    arguments: [
      "", " ", "-1", "+5", "1.5", "soon", "5 seconds", "0x10", "Sun, 06 Nov 1994 08:49:37",
      "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT",
      "Sun, 06 Nov 94 08:49:37 GMT",
      "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 6 NOV 1994 08:49:37 GMT",
      "Sun, 06 Nov 1994 8:49:37 GMT",
      "Sunday, 06-Nov-1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 CET", "１０",
    ])
  func unreadable(_ text: String) {
    #expect(wait(text) == nil)
  }

  @Test("no header is none")
  func missing() {
    let response = HTTPResponse(status: 429, headers: [HTTPHeader("Retry", "5")], body: [])
    #expect(RetryAfter.nanoseconds(response, deviceTime: 0) == nil)
  }

  @Test("two digits of a year lie between 1970 and 2069; leap seconds count")
  func corners() {
    #expect(HTTPDate.parse(Array("Friday, 01-Jan-70 00:00:00 GMT".utf8)) == 0)
    #expect(HTTPDate.parse(Array("Tuesday, 01-Jan-69 00:00:00 GMT".utf8)) == 3_124_224_000)
    #expect(HTTPDate.parse(Array("Sat, 31 Dec 2016 23:59:60 GMT".utf8)) == 1_483_228_800)
    #expect(HTTPDate.parse(Array("Thu, 29 Feb 2024 00:00:00 GMT".utf8)) == 1_709_164_800)
    #expect(HTTPDate.parse(Array("Wed, 29 Feb 2023 00:00:00 GMT".utf8)) == nil)
  }

  @Test("any text is read or refused")
  func total() throws {
    let pieces = Generator<String>.element(of: [
      "Sun,", " ", "06", "Nov", "1994", "08:49:37", "GMT", "-", ":", "9", "06-Nov-94", "é", "",
    ]).array(0...9).map { $0.joined() }
    try check("reading is total", runs: 2_000, .oneOf(pieces, .text(0...70))) { text in
      (wait(text, date: text) ?? 0) >= 0
    }
  }
}
