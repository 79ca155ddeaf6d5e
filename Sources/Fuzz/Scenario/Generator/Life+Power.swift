import FuzzHistory
import SimKernel

/// What happens to the device as a whole, and to the copy of the app on it.
extension Life {
  /// From here on are the ordinals of calls that belong to no visit and no burst.
  static let firstFreeOrdinal = visitBound * 100 + burstBound * burstSize

  /// The user locks the screen after a visit, now and then within one.
  mutating func addLocks() {
    guard features.has(.locks) else { return }
    for (index, visit) in visits.enumerated() {
      var draw = source.stream(Streams.lock, UInt64(index))
      switch draw.below(8) {
      case 0, 1, 2: add(visit.end + draw.within(0...2_000), .lock)
      case 3:
        let now = draw.within(visit.start...max(visit.start, visit.end))
        add(now, .lock)
        add(now + draw.within(500...60_000), draw.chance(1, in: 2) ? .unlock : .foreground)
      default: break
      }
    }
  }

  /// Restarts, mostly between visits; after half of them the system starts the app before anybody
  /// has unlocked the device.
  mutating func addReboots(epochMilliseconds: Int64) {
    guard features.has(.reboots) else { return }
    var draw = source.stream(Streams.power, 1_000)
    for reboot in 0..<draw.int(1...5) {
      var draw = source.stream(Streams.power, UInt64(reboot))
      let now = someMoment(&draw)
      var off = draw.pick([5, 20, 40, 300, 3_600, 30_000] as [Int64]) * 1_000
      if features.has(.clock), draw.chance(1, in: 12) { off = 31 * 86_400_000 }
      add(now, .reboot(off: .milliseconds(off)))
      let boot = draw.int(1...3)
      if draw.chance(1, in: 2) { lockedLaunch(after: boot, key: UInt64(reboot), near: now + off) }
      guard features.has(.clock), draw.chance(1, in: 2) else { continue }
      let until = draw.within(1_000...900_000)
      add(
        Trigger(.booted, occurrence: boot), near: now + off,
        .setWallClock(milliseconds: draw.within(0...90_000)))
      let later = now + off + until
      if later < durationMilliseconds {
        add(later, .setWallClock(milliseconds: epochMilliseconds + later))
      }
    }
  }

  /// A push before the first unlock: the app calls, the user unlocks, the app calls again.
  private mutating func lockedLaunch(after boot: Int, key: UInt64, near: Int64) {
    var draw = source.stream(Streams.power, 100 + key)
    func trigger(_ milliseconds: Int64) -> Trigger {
      Trigger(.booted, occurrence: boot, plus: .milliseconds(milliseconds))
    }
    var now = draw.within(200...60_000)
    add(trigger(now), near: near, .launch(.background))
    for place in 0..<draw.int(1...4) {
      now += draw.within(20...4_000)
      let ordinal = Life.firstFreeOrdinal + Int(key) * 10 + place
      var call = caller.call(ordinal)
      if draw.chance(1, in: 6) {
        call = .consent(
          analytics: draw.pick([nil, true, false, false]), marketing: draw.pick([nil, true, false]))
      }
      add(trigger(now), near: near, .call(thread: UInt16(draw.below(threads)), call))
      if place == 1, draw.chance(1, in: 2) { add(trigger(now + 5), near: near, .unlock) }
    }
    now += draw.within(100...40_000)
    if draw.chance(1, in: 2) { add(trigger(now), near: near, .unlock) }
    if draw.chance(1, in: 3) {
      add(trigger(now + draw.within(10...30_000)), near: near, .end(.memoryKill))
    }
  }

  /// The power goes at chosen events of the world, more often than not inside a step of the file
  /// system or soon after one.
  mutating func addPowerLosses() {
    guard features.has(.powerLosses) else { return }
    var draw = source.stream(Streams.power, 2_000)
    for loss in 0..<draw.int(1...5) {
      let key = 2_001 + UInt64(loss)
      var draw = source.stream(Streams.power, key)
      let near = someMoment(&draw)
      let off = TimeSpan.seconds(draw.pick([1, 5, 30, 600]))
      if draw.chance(1, in: 4) {
        add(near, .powerLoss(off: off))
      } else {
        var trigger = Trigger(
          draw.pick([.diskStep, .diskStep, .callReturned, .batchEnded, .ended, .backgrounded]),
          occurrence: draw.int(1...60))
        if draw.chance(1, in: 2) {
          trigger.plusDiskSteps = draw.int(1...9)
        } else {
          trigger.plus = .milliseconds(draw.within(0...9_000))
        }
        add(trigger, near: near, .powerLoss(off: off))
      }
      let boot = draw.int(1...3)
      if draw.chance(1, in: 3) { lockedLaunch(after: boot, key: 50 + UInt64(loss), near: near) }
      if draw.chance(2, in: 3) {
        add(
          Trigger(.booted, occurrence: boot, plus: .milliseconds(draw.within(1_000...60_000))),
          near: near, .foreground)
      }
    }
  }

  /// Other copies of the app, after visits.
  mutating func addInstalls() {
    guard features.has(.installs) else { return }
    var draw = source.stream(Streams.install, 1_000)
    for install in 0..<draw.int(1...5) {
      var draw = source.stream(Streams.install, UInt64(install))
      let visit = visits[Int(draw.below(UInt64(visits.count)))]
      let kind = draw.pick(InstallKind.allCases)
      let minor = kind == .downgrade ? draw.int(0...3) : draw.int(4...60)
      add(
        draw.within(visit.end...max(visit.end, visit.next - 1)),
        .install(
          kind, version: Numerals.text("1.", minor, ".0"),
          build: Numerals.text("1", 400 + (draw.chance(1, in: 2) ? minor : minor + 1))))
    }
  }

  mutating func addDrift() {
    guard features.has(.drift) else { return }
    var draw = source.stream(Streams.drift, 0)
    for _ in 0..<draw.int(1...3) {
      let rate = draw.pick([20, 40, 120, 500] as [Int64])
      add(someMoment(&draw), .drift(partsPerMillion: draw.chance(1, in: 2) ? rate : -rate))
    }
  }

  /// A second window in some visits.
  mutating func addScenes() {
    guard features.has(.scenes) else { return }
    for (index, visit) in visits.enumerated() {
      var draw = source.stream(Streams.scene, UInt64(index))
      guard draw.chance(1, in: 6) else { continue }
      let now = draw.within(visit.start...max(visit.start, visit.end))
      add(now, .openScene)
      // One of the two goes, and a moment later the other.
      if draw.chance(3, in: 4) { add(now + draw.within(300...20_000), .background) }
    }
  }

  /// Extensions that want the storage as well: at a launch, between two visits, or at any time.
  mutating func addExtensions() {
    guard features.has(.sharedGroup) else { return }
    var draw = source.stream(Streams.shared, 1_000)
    for place in 0..<draw.int(1...6) {
      var draw = source.stream(Streams.shared, UInt64(place))
      let visit = visits[Int(draw.below(UInt64(visits.count)))]
      let moments = [
        max(0, visit.start - draw.within(1...500)),
        draw.within(visit.end...max(visit.end, visit.next - 1)),
        visit.end + draw.within(2_000...40_000), someMoment(&draw),
      ]
      let now = draw.pick(moments)
      let span = draw.pick([1_000, 2_500, 20_000, 300_000, 7_200_000] as [Int64])
      add(now, .extensionRuns(.milliseconds(span)))
      guard draw.chance(1, in: 4) else { continue }
      // The user changes the mind while the app may be without its storage.
      let analytics = draw.pick([nil, true, false, false] as [Bool?])
      add(
        now + draw.within(500...30_000),
        .call(
          thread: UInt16(draw.below(threads)), .consent(analytics: analytics, marketing: false)))
    }
  }

  /// Users who change their mind, once or in quick succession, at any time.
  mutating func addDecisions() {
    guard features.has(.decisions) else { return }
    var draw = source.stream(Streams.decision, 1_000)
    for decision in 0..<draw.int(3...14) {
      var draw = source.stream(Streams.decision, UInt64(decision))
      var now = someMoment(&draw)
      for _ in 0..<draw.pick([1, 1, 2, 4]) {
        let analytics = draw.pick([nil, true, true, false, false] as [Bool?])
        let marketing = draw.pick([nil, nil, true, false] as [Bool?])
        add(
          now,
          .call(
            thread: UInt16(draw.below(threads)),
            .consent(analytics: analytics, marketing: marketing)))
        now += draw.pick([0, 1, 40, 900, 20_000])
      }
      if features.has(.powerLosses), draw.chance(1, in: 4) {
        // What was decided some seconds ago is durable (A-02, S-42).
        let loss = now + draw.within(0...9_000)
        add(loss, .powerLoss(off: .seconds(5)))
        add(loss + draw.within(6_000...60_000), .foreground)
      }
    }
  }
}
