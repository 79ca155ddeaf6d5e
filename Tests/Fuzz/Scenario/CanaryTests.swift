import FuzzHistory
import FuzzProperty
import SimKernel
import Testing

@testable import FuzzScenario

@Suite("Canaries")
struct CanaryTests {
  @Test("Every run of four letters belongs to one word alone")
  func runsOfFour() {
    var owners = Lookup<String, UInt32>()
    // Neighbours, far numbers, and those that differ in one place.
    var numbers = Array(0..<3_000 as Range<UInt32>)
    numbers += (1..<1_000).map { CanaryWords.count - UInt32($0) * 191 }
    for number in numbers where owners[CanaryWords.word(number)] == nil {
      let letters = Array(CanaryWords.word(number).unicodeScalars)
      #expect(letters.count == 8)
      owners[CanaryWords.word(number)] = number
      for start in 0...4 {
        let run = String(String.UnicodeScalarView(letters[start..<start + 4]))
        #expect(owners[run] ?? number == number)
        owners[run] = number
      }
    }
  }

  @Test("All letters are Cherokee syllables")
  func alphabet() {
    for number in stride(from: 0, to: CanaryWords.count, by: 997) {
      #expect(CanaryWords.word(number).unicodeScalars.allSatisfy { (0x13A0...0x13F4) ~= $0.value })
    }
  }

  @Test("No word of a generated scenario stands in two values", arguments: Profile.all)
  func generated(profile: Profile) {
    for seed in 0..<UInt64(Effort.runs(10, release: 100)) {
      let scenario = Scenario.generate(seed: seed, profile: profile)
      let words = scenario.canaries.filter { $0.kind == .trait || $0.kind == .property }
      var owners = Lookup<String, Int>()
      for (place, canary) in words.enumerated() {
        let letters = Array(canary.text.unicodeScalars)
        for start in 0...letters.count - 4 {
          let run = String(String.UnicodeScalarView(letters[start..<start + 4]))
          #expect(owners[run] ?? place == place)
          owners[run] = place
        }
      }
      #expect(words.count == Lookup<String, Void>(words.map(\.text)).count)
    }
  }

  @Test("The median default seed has more than a hundred words, twenty of them in traits")
  func plenty() {
    let counts = (0..<200 as Range<UInt64>).map { seed in
      let canaries = Scenario.generate(seed: seed, profile: .default).canaries
      return (canaries.count { $0.kind == .trait }, canaries.count { $0.kind == .property })
    }
    #expect(counts.map(\.0).sorted()[100] >= 20)
    #expect(counts.map(\.1).sorted()[100] >= 100)
  }

  @Test("Words are found wherever a value hides them, and once each")
  func hidden() {
    let words = (0..<9 as Range<UInt32>).map { CanaryWords.word($0 * 1_000 + 7) }
    func call(_ entries: [PropertyEntry]) -> ActionKind {
      .call(thread: 0, .identify(userId: words[8], traits: entries))
    }
    let traits = [
      PropertyEntry("plain", .string(words[0])),
      PropertyEntry("inside", .string("x\"\(words[1])\\y")),
      PropertyEntry("deep", .array([.object([PropertyEntry("in", .optional(.string(words[2])))])])),
      PropertyEntry("bytes", .data(Array(words[3].utf8))),
      PropertyEntry("again", .string(words[0])),
      PropertyEntry("short", .string(String(words[4].unicodeScalars.prefix(3)))),
      PropertyEntry("both", .string(words[5])),
    ]
    var scenario = Scenario()
    scenario.device.appName = "Möwe"
    scenario.start?.writeKey = "key-1"
    let property = [
      PropertyEntry("both", .string(words[5])), PropertyEntry("p", .string(words[6])),
    ]
    let kinds: [ActionKind] = [
      call(traits), .call(thread: 0, .screen(name: "s", properties: property)),
      .call(thread: 0, .load(writeKey: "key-2", options: HostOptions())),
    ]
    scenario.actions = kinds.enumerated().map {
      Action(id: UInt32($0), moment: .at(.zero), kind: $1)
    }
    let expected: [(Canary.Kind, String)] = [
      (.writeKey, "key-1"), (.appIdentity, "Möwe"), (.appIdentity, "com.example.kiosk"),
      (.appIdentity, "iPhone15,2"), (.advertisingId, scenario.device.advertisingId),
      (.vendorId, scenario.device.vendorId), (.trait, words[0]), (.trait, words[1]),
      (.trait, words[2]),
      (.trait, words[3]), (.property, words[5]), (.property, words[6]), (.writeKey, "key-2"),
    ]
    #expect(scenario.canaries == expected.map { Canary(kind: $0, text: $1) })
  }
}

extension Lookup where Key == String, Value == Void {
  fileprivate init(_ keys: [String]) {
    self.init()
    for key in keys { insert(key) }
  }
}
