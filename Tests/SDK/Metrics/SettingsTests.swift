import Testing

@testable import SDK

@Suite("Options, panel and defaults")
struct SettingsTests {
  private func config(_ json: String) -> RemoteConfig? { RemoteConfig.parse(Array(json.utf8)) }

  @Test("defaults")
  func defaults() {
    let settings = Settings(.init(), .none)
    #expect(settings.mode == .required)
    #expect(settings.flushAt == 20)
    #expect(settings.flushIntervalNanoseconds == 30_000_000_000)
    #expect(settings.maxQueueSize == 1_000)
    #expect(settings.sessionTimeoutMinutes == 30)
    #expect(!settings.isTest)
  }

  @Test("an option beats the panel, the panel beats the default (OPT-01)")
  func layers() throws {
    let panel = try #require(
      config(#"{"consent":{"mode":"none"},"session":{"timeoutMinutes":10},"test":true}"#))
    #expect(Settings(.init(), panel).mode == .notRequired)
    #expect(Settings(.init(), panel).sessionTimeoutMinutes == 10)
    #expect(Settings(.init(), panel).isTest)
    let options = PostlipMetrics.Options(consent: .implied, sessionTimeoutMinutes: 60)
    #expect(Settings(options, panel).mode == .implied)
    #expect(Settings(options, panel).sessionTimeoutMinutes == 60)
    // What an app passes wrongly is as if it were not passed.
    #expect(
      Settings(.init(sessionTimeoutMinutes: .nan), panel).sessionTimeoutMinutes == 10)
  }

  @Test(
    "flushAt is limited to 1 to 20, negative means the default",
    arguments: [(0, 1), (1, 1), (7, 7), (20, 20), (500, 20), (-1, 20), (.max, 20), (.min, 20)])
  func flushAt(_ value: Int, _ expected: Int) {
    #expect(Settings(.init(flushAt: value), .none).flushAt == expected)
  }

  @Test(
    "flushInterval is limited to 1 to 3600 s, NaN and negative mean the default",
    arguments: [
      (0, 1), (0.25, 1), (1.5, 1.5), (3_600, 3_600), (1e9, 3_600), (.infinity, 3_600), (.nan, 30),
      (-5, 30), (-.infinity, 30), (-0.0, 1),
    ] as [(Double, Double)])
  func flushInterval(_ value: Double, _ expected: Double) {
    #expect(
      Settings(.init(flushInterval: value), .none).flushIntervalNanoseconds
        == Int64(expected * 1e9))
  }

  @Test(
    "maxQueueSize is limited to 1 to 10 000, negative means the default",
    arguments: [(0, 1), (1, 1), (10_000, 10_000), (20_000, 10_000), (-7, 1_000)])
  func maxQueueSize(_ value: Int, _ expected: Int) {
    #expect(Settings(.init(maxQueueSize: value), .none).maxQueueSize == expected)
  }

  @Test(
    "the session timeout is limited to 5 to 240 minutes",
    arguments: [(0, 5), (4, 5), (5, 5), (9_999, 240), (.nan, 30), (-1, 30)] as [(Double, Double)])
  func sessionTimeout(_ value: Double, _ expected: Double) {
    #expect(
      Settings(.init(sessionTimeoutMinutes: value), .none).sessionTimeoutMinutes == expected)
  }

  @Test(
    "odd answers (S-22)",
    arguments: [
      (#"{"consent":{"mode":"whatever"}}"#, .required), (#"{"consent":{"mode":7}}"#, .required),
      (#"{"consent":{"mode":null}}"#, .required), (#"{"consent":{"mode":"implied"}}"#, .implied),
      (#"{"consent":{}}"#, nil), (#"{"consent":[]}"#, nil), ("{}", nil),
      (#"{"consent":{"mode":"required"}}"#, .required),
    ] as [(String, PostlipMetrics.Options.ConsentMode?)])
  func modes(_ json: String, _ expected: PostlipMetrics.Options.ConsentMode?) {
    let parsed = config(json)
    #expect(parsed != nil)
    #expect(parsed?.mode == expected)
  }

  @Test("a timeout that is no number, and a test flag that is no Bool, count as absent")
  func wrongTypes() {
    let parsed = config(#"{"session":{"timeoutMinutes":"10"},"test":1,"capture":{"errors":"no"}}"#)
    #expect(parsed == RemoteConfig.none)
  }

  @Test("the six values are taken, and nothing else matters (OPT-29)")
  func switches() {
    let parsed = config(
      #"{"capture":{"pageviews":false,"pageleave":false,"errors":false},"policy":{"x":[{}]},"y":1}"#
    )
    var expected = RemoteConfig.none
    expected.capturesPageviews = false
    expected.capturesPageleave = false
    expected.capturesErrors = false
    #expect(parsed == expected)
  }

  @Test(
    "no answer", arguments: ["", "[]", "null", "<html>", "{\"a\":", "{\"test\":true}x"])
  func none(_ text: String) {
    #expect(config(text) == nil)
  }

  @Test("an answer of more than 64 KB is none")
  func tooLarge() {
    let exact = "{\"x\":\"" + String(repeating: "x", count: RemoteConfig.mostBytes - 8) + "\"}"
    #expect(exact.utf8.count == RemoteConfig.mostBytes)
    #expect(config(exact) != nil)
    #expect(config(exact + " ") == nil)
  }
}
