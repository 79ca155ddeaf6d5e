import FuzzHistory
import SimKernel
import Testing

@testable import FuzzScenario

@Suite("The generator")
struct GeneratorTests {
  @Test("One seed gives one scenario", arguments: Profile.all)
  func same(profile: Profile) {
    for seed in [0, 1, 42, Scenario.largestSeed] {
      let first = Scenario.generate(seed: seed, profile: profile)
      #expect(first == Scenario.generate(seed: seed, profile: profile))
      #expect(first.provenance == Provenance(seed: seed, profile: profile.name, build: ""))
    }
  }

  @Test("Different seeds give different scenarios")
  func different() {
    var hashes = Lookup<UInt64, Void>()
    for seed in 0..<100 as Range<UInt64> {
      hashes.insert(Scenario.generate(seed: seed, profile: .default).contentHash)
    }
    #expect(hashes.count == 100)
  }

  @Test("A change of the generator is a decision: it makes all seeds mean something else")
  func golden() {
    func hash(_ seed: UInt64, _ profile: Profile) -> String {
      String(Scenario.generate(seed: seed, profile: profile).contentHash, radix: 16)
    }
    #expect(hash(1, .calm) == "b45908cb91ffa030")
    #expect(hash(42, .default) == "9ec241c10889848f")
    #expect(hash(7, .offline) == "612bd803e6ced84e")
    #expect(hash(7, .server) == "1d0df4261a337804")
    #expect(hash(7, .disk) == "89fe0971ccbacf0a")
  }

  @Test("Families do not shift each other: the same visits are made with and without faults")
  func keyedStreams() {
    for seed in 0..<20 as Range<UInt64> {
      let calm = Scenario.generate(seed: seed, profile: .calm)
      let server = Scenario.generate(seed: seed, profile: .server)
      let offline = Scenario.generate(seed: seed, profile: .offline)
      #expect(calm.randomness == server.randomness)
      #expect(calm.device == offline.device)
      #expect(calm.duration == server.duration)
      // Options are the same apart from what the calm and small queues need.
      #expect(calm.start?.options.flushIntervalBits == server.start?.options.flushIntervalBits)
      #expect(calm.start?.options.consent == offline.start?.options.consent)
    }
  }

  @Test("A given number of days is kept")
  func days() {
    #expect(Scenario.generate(seed: 5, profile: .default, days: 3).duration == .days(3))
    #expect(Scenario.generate(seed: 5, profile: .disk, days: 30).duration == .days(30))
  }

  @Test("Everything happens inside the run, in the order of the ids", arguments: Profile.all)
  func order(profile: Profile) {
    for seed in 0..<60 as Range<UInt64> {
      let scenario = Scenario.generate(seed: seed, profile: profile)
      var last = TimeSpan.zero
      for (place, action) in scenario.actions.enumerated() {
        #expect(action.id == UInt32(place + 1))
        guard case .at(let span) = action.moment else { continue }
        #expect(span >= last)
        last = span
      }
      #expect(last <= scenario.duration + .minutes(30))
    }
  }

  @Test("Properties have no key twice: no dictionary literal could", arguments: Profile.all)
  func keys(profile: Profile) {
    for seed in 0..<60 as Range<UInt64> {
      for action in Scenario.generate(seed: seed, profile: profile).actions {
        guard case .call(_, let call) = action.kind else { continue }
        let keys = call.entries.map(\.key)
        #expect(
          keys.count
            == keys.sorted().reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }.count)
      }
    }
  }

  @Test("Name and reason tell in one line each what was drawn")
  func words() {
    let scenario = Scenario.generate(seed: 42, profile: .default)
    #expect(
      scenario.name == """
        default 42: network, server, config, slow queues, kills, pushes, overlays, offline, \
        bursts, attribution, tracking; flushAt 7
        """)
    #expect(
      scenario.why == """
        A bit of everything: most seeds mix several families of faults. No calls of: \
        oddOther. Starts with analytics off.
        """)
  }

  @Test("Profiles have their own names and are found by them")
  func profiles() {
    #expect(
      Profile.all.map(\.name) == [
        "calm", "default", "offline", "server", "disk", "crashy", "locked", "clock", "consent",
        "upgrade", "screens", "hangs",
      ])
    for profile in Profile.all {
      #expect(Profile.named(profile.name) == profile)
      #expect(profile.description.hasSuffix("."))
    }
    #expect(Profile.named("storm") == nil)
  }
}
