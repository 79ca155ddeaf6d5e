import Foundation
import FuzzHistory
import FuzzProperty
import SimKernel
import Testing

@testable import FuzzScenario

@Suite("Scenario files")
struct ScenarioFileTests {
  /// Equality of strings is too soft for a file: `é` equals `e` with an accent. So the text written
  /// again must be the same bytes, too.
  private func comesBack(_ scenario: Scenario) throws -> Bool {
    let text = scenario.fileText
    let read = try Scenario(fileText: text)
    return read == scenario && Array(read.fileText.utf8) == Array(text.utf8)
  }

  @Test("Whatever a scenario can say comes back from its file")
  func roundTrip() throws {
    try check("comes back", runs: Effort.runs(150, release: 1_500), AnyScenario.scenario) {
      try comesBack($0)
    }
  }

  @Test("Every value comes back with all its bits")
  func values() throws {
    try check("comes back", runs: Effort.runs(500, release: 6_000), AnyScenario.value) { value in
      var scenario = Scenario()
      let call = HostCall.identify(userId: nil, traits: [PropertyEntry("value", value)])
      scenario.actions = [Action(id: 1, moment: .at(.zero), kind: .call(thread: 0, call))]
      return try comesBack(scenario)
    }
  }

  @Test("Generated scenarios come back", arguments: Profile.all)
  func generated(profile: Profile) throws {
    for seed in 0..<UInt64(Effort.runs(5, release: 30)) {
      #expect(try comesBack(.generate(seed: seed, profile: profile)))
    }
  }

  @Test("Foundation reads every file as JSON")
  func isJSON() throws {
    for seed in 0..<20 as Range<UInt64> {
      let text = Scenario.generate(seed: seed, profile: .default).fileText
      _ = try JSONSerialization.jsonObject(with: Data(text.utf8))
    }
  }

  @Test("What is default is left out")
  func defaults() throws {
    #expect(Scenario().fileText == "{\n  \"version\": 1\n}\n")
    #expect(try Scenario(fileText: "{\"version\":1}") == Scenario())
  }

  @Test("A file reads like a story")
  func story() throws {
    var scenario = Scenario()
    scenario.name = "The answer is lost and the app dies before it wrote that down"
    scenario.why = "B29: what was taken is sent again under the same ids."
    scenario.randomness = 7
    scenario.duration = .minutes(90)
    scenario.start?.options.flushAt = 3
    scenario.start?.options.flushIntervalBits = Double.nan.bitPattern
    scenario.timing.networkMilliseconds = 40...40
    scenario.faults = [
      FaultSetting(.networkSlow, chance: Ratio(1, 20), from: .minutes(5), amount: 800)
    ]
    var rule = ServerRule(host: .collector)
    rule.first = 2
    rule.count = 1
    rule.answer.status = 429
    rule.answer.headers = ["Retry-After: 30"]
    rule.answer.body = .empty
    scenario.rules = [rule]
    let traits = [
      PropertyEntry("when", .date(milliseconds: 1_780_000_000_000)),
      PropertyEntry("home", .object([PropertyEntry("city", .string("Köln"))])),
      PropertyEntry("odd", .array([.double(bits: Double.nan.bitPattern), .unsigned(3), .null])),
      PropertyEntry("long", .string(String(repeating: "x", count: 33_000))),
    ]
    let kinds: [ActionKind] = [
      .foreground,
      .call(thread: 2, .track(event: "tap", properties: [], messageId: "m-1")),
      .call(thread: 0, .identify(userId: "user-1", traits: traits)),
      .call(thread: 0, .consent(analytics: true, marketing: nil)),
      .stepWallClock(.hours(-1)),
      .damage(.queueFile(0), .garbled),
      .repeated(
        Repetition(
          times: 500,
          steps: [
            Repetition.Step(waitMicroseconds: 0...3_000_000, kind: .foreground),
            Repetition.Step(
              waitMicroseconds: 0...0,
              kind: .call(thread: 0, .track(event: "tap", properties: [], messageId: nil))),
          ])),
    ]
    scenario.actions = kinds.enumerated().map { place, kind in
      Action(
        id: UInt32(place * 10 + 1), moment: .at(.seconds(Int64(place)) + .milliseconds(250)),
        kind: kind)
    }
    scenario.actions.append(
      Action(
        id: 70, moment: .after(Trigger(.batchAnswered, occurrence: 2, plusDiskSteps: 3)),
        kind: .end(.memoryKill)))
    scenario.expect = [
      .stored(.named("tap"), times: 1, by: .minutes(2)),
      .attempts(.collector, .init(atMost: 3, until: .seconds(40))), .quiet,
    ]
    #expect(scenario.fileText == ScenarioFileTests.storyText)
    #expect(try Scenario(fileText: ScenarioFileTests.storyText) == scenario)
  }

  @Test("The example of the documentation is a scenario, and written as this lab writes it")
  func documentation() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let page = folder.appendingPathComponent("../../../docs/scenarios.md").standardized
    let text = try String(contentsOf: page, encoding: .utf8)
    let example = try #require(text.components(separatedBy: "```json\n").dropFirst().first)
    let file = try #require(example.components(separatedBy: "```").first)
    #expect(try Scenario(fileText: file).fileText == file)
  }

  private static let storyText = #"""
    {
      "version": 1,
      "name": "The answer is lost and the app dies before it wrote that down",
      "why": "B29: what was taken is sent again under the same ids.",
      "randomness": 7,
      "duration": "1h 30m",
      "start": { "options": { "flush_at": 3, "flush_interval_seconds": "nan" } },
      "timing": { "network": "40ms" },
      "faults": [
        { "fault": "network.slow", "chance": "1/20", "from": "5m", "amount": 800 }
      ],
      "rules": [
        { "host": "collector", "first": 2, "count": 1, "status": 429, \#
    "headers": ["Retry-After: 30"], "body": "empty" }
      ],
      "actions": [
        { "id": 1, "at": "250ms", "do": "foreground" },
        { "id": 11, "at": "1s 250ms", "do": "track", "event": "tap", "message_id": "m-1", \#
    "thread": 2 },
        { "id": 21, "at": "2s 250ms", "do": "identify", "user_id": "user-1", \#
    "traits": { "when": { "date": "2026-05-28T20:26:40.000Z" }, \#
    "home": { "object": { "city": "Köln" } }, "odd": [{ "double": "nan" }, { "unsigned": 3 }, \#
    null], "long": { "repeat": "x", "times": 33000 } } },
        { "id": 31, "at": "3s 250ms", "do": "consent", "analytics": true },
        { "id": 41, "at": "4s 250ms", "do": "step_wall_clock", "by": "-1h" },
        { "id": 51, "at": "5s 250ms", "do": "damage", "file": 0, "how": "garbled" },
        { "id": 61, "at": "6s 250ms", "do": "repeat", "times": 500, \#
    "steps": [{ "wait": "0s to 3s", "do": "foreground" }, { "do": "track", "event": "tap" }] },
        { "id": 70, "after": "batch_answered", "occurrence": 2, "plus_disk_steps": 3, \#
    "do": "end", "cause": "memory_kill" }
      ],
      "expect": [
        { "expect": "stored", "name": "tap", "times": 1, "by": "2m" },
        { "expect": "attempts", "host": "collector", "at_most": 3, "until": "40s" },
        { "expect": "quiet" }
      ]
    }

    """#
}
