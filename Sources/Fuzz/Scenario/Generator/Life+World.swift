import FuzzHistory
import SimKernel

/// What happens around the visits: bursts, networks, clocks, places, deaths and damage.
extension Life {
  /// A moment of the run, more often inside a visit than not.
  func someMoment(_ draw: inout RandomStream) -> Int64 {
    let visit = visits[Int(draw.below(UInt64(visits.count)))]
    if draw.chance(1, in: 4) { return draw.within(visit.start...max(visit.start, visit.next - 1)) }
    return draw.within(visit.start...max(visit.start, visit.end))
  }

  /// More calls at once than a batch, the hold buffer or the queue has room for.
  mutating func addBursts() {
    guard features.has(.bursts) else { return }
    var draw = source.stream(Streams.burst, 1_000)
    for burst in 0..<draw.int(1...3) {
      var draw = source.stream(Streams.burst, UInt64(burst))
      let index = Int(draw.below(UInt64(visits.count)))
      let visit = visits[index]
      let overflows = draw.chance(1, in: 4) && !profile.isCalm
      let size = overflows ? draw.int(205...Life.burstSize) : draw.int(22...50)
      // The hold buffer overflows only where a process has just begun.
      var now = visit.start + (overflows ? draw.within(1...10) : draw.within(150...1_000))
      // Some bursts are storms of flushes.
      let isStorm = draw.chance(1, in: 5) && !overflows
      let step: [Int64] = draw.chance(1, in: 2) ? [0, 0, 0, 1] : [0, 1, 4, 9]
      // And some are of messages so large that a body holds fewer of them than a batch may.
      let isHeavy =
        !overflows && !isStorm && !profile.isCalm
        && source.happens(Ratio(1, 6), Streams.burst, 2_000 + UInt64(burst))
      for place in 0..<(isHeavy ? min(size, Life.heavyBurstSize) : size) {
        let ordinal = Life.visitBound * 100 + burst * Life.burstSize + place
        let kind = isStorm && place % 3 > 0 ? CallKind.flush : .track
        let call = isHeavy ? caller.heavyTrack(ordinal) : caller.call(kind, ordinal)
        add(now, .call(thread: UInt16(draw.below(threads)), call))
        now += draw.pick(step)
      }
    }
  }

  mutating func addLinks() {
    var draw = source.stream(Streams.link, 1_000)
    let outage = addLongOutage()
    let isAlwaysOff = profile.name == "offline"
    if features.has(.offline) {
      for span in 0..<draw.int(isAlwaysOff ? 4...9 : 1...4) {
        offline(.none, UInt64(span), outside: outage)
      }
    }
    if features.has(.captive) {
      for span in 0..<draw.int(1...3) {
        offline(.captive, 100 + UInt64(span), outside: outage)
      }
    }
    // From Wi-Fi to cellular and back; in the calm only between visits, when nothing is in flight.
    for change in 0..<draw.int(0...3) {
      var draw = source.stream(Streams.link, 200 + UInt64(change))
      let visit = visits[Int(draw.below(UInt64(visits.count)))]
      let kind: LinkKind = draw.chance(1, in: 2) ? .cellular : .wifi
      if !profile.isCalm {
        let now = someMoment(&draw)
        if !outage.contains(now) { add(now, .link(kind)) }
      } else if visit.next - visit.end > 240_000 {
        add(visit.end + 100_000, .link(kind))
      }
    }
  }

  /// In a life of months the network is away for more than 30 days, from just before a visit, so
  /// that something is unsent all that time (B41).
  /// - Returns: when nothing else may bring the network back.
  private mutating func addLongOutage() -> Range<Int64> {
    let length: Int64 = 31 * 86_400_000
    let early = visits.filter { $0.start < durationMilliseconds - length - 3_600_000 }
    if early.isEmpty || profile.isCalm { return 0..<0 }
    var draw = source.stream(Streams.link, 1_001)
    let from = early[Int(draw.below(UInt64(early.count)))].start
    add(from, .link(.none))
    add(from + length, .link(.wifi))
    return from..<from + length
  }

  private mutating func offline(_ kind: LinkKind, _ key: UInt64, outside outage: Range<Int64>) {
    var draw = source.stream(Streams.link, key)
    let from = someMoment(&draw)
    var length = draw.pick(
      [2_000, 20_000, 90_000, 600_000, 3_600_000, 14_400_000, 43_200_000] as [Int64])
    length += draw.within(0...length)
    let until = min(from + length, durationMilliseconds)
    if outage.contains(from) || outage.contains(until) { return }
    add(from, .link(kind))
    add(until, .link(draw.chance(2, in: 3) ? .wifi : .cellular))
  }

  mutating func addClock(epochMilliseconds: Int64) {
    guard features.has(.clock) else { return }
    var draw = source.stream(Streams.clock, 1_000)
    for step in 0..<draw.int(1...4) {
      var draw = source.stream(Streams.clock, UInt64(step))
      let now = someMoment(&draw)
      if draw.chance(1, in: 6) {
        add(now, .setWallClock(milliseconds: draw.within(0...90_000)))
        let later = now + draw.within(1_000...900_000)
        add(later, .setWallClock(milliseconds: epochMilliseconds + later))
      } else {
        let seconds = draw.pick([1, 37, 300, 3_600, 86_400, 40 * 86_400] as [Int64])
        add(now, .stepWallClock(.seconds(draw.chance(1, in: 2) ? seconds : -seconds)))
      }
    }
  }

  mutating func addPlaces() {
    guard features.has(.locale) else { return }
    var draw = source.stream(Streams.locale, 1_000)
    for _ in 0..<draw.int(1...3) {
      let (locale, zone) = Places.pick(&draw)
      add(someMoment(&draw), .locale(locale, zone: zone))
    }
  }

  /// Deaths at chosen events of the world, each followed by a user who opens the app again.
  mutating func addDeaths() {
    guard features.has(.kills), !profile.isCalm else { return }
    var draw = source.stream(Streams.kill, 1_000)
    let isDisk = profile.name == "disk"
    for death in 0..<draw.int(isDisk ? 2...6 : 0...3) {
      var draw = source.stream(Streams.kill, UInt64(death))
      let event = draw.pick([
        WorldEvent.batchStarted, .batchArrived, .batchAnswered, .batchEnded, .configStarted,
        .configArrived, .callReturned, .diskStep, .diskStep,
      ])
      var trigger = Trigger(event, occurrence: draw.int(Life.occurrences(event)))
      if draw.chance(isDisk ? 3 : 1, in: 4) {
        trigger.plusDiskSteps = draw.int(1...9)
      } else if draw.chance(1, in: 2) {
        trigger.plus = .milliseconds(draw.within(0...400))
      }
      let near = someMoment(&draw)
      let cause = draw.pick([EndCause.memoryKill, .crash, .exit])
      add(
        trigger, near: near,
        cause == .crash ? .crash(crashPlan(20_000 + UInt64(death))) : .end(cause))
      trigger.plusDiskSteps = 0
      trigger.plus = .milliseconds(draw.within(2_000...60_000))
      add(trigger, near: near, .foreground)
    }
  }

  private static func occurrences(_ event: WorldEvent) -> ClosedRange<Int> {
    switch event {
    case .configStarted, .configArrived: return 1...10
    case .callReturned: return 1...250
    case .diskStep: return 1...500
    default: return 1...50
    }
  }

  mutating func addDamage() {
    guard features.has(.damage) else { return }
    var draw = source.stream(Streams.damage, 1_000)
    for blow in 0..<draw.int(1...3) {
      var draw = source.stream(Streams.damage, UInt64(blow))
      let now = someMoment(&draw)
      let later = now + draw.within(500...600_000)
      let file = draw.pick([
        FileSelector.queueFile(0), .queueFile(1), .newestQueueFile, .path("install.json"),
      ])
      switch draw.below(5) {
      case 0, 1: add(now, .damage(file, draw.pick([.vanished, .garbled, .truncated])))
      case 2, 3:
        add(now, .diskRoom(bytes: draw.pick([0, 1, 100, 3_000, 20_000])))
        add(later, .diskRoom(bytes: nil))
      default:
        add(now, .access(file, denied: true))
        add(later, .access(file, denied: false))
      }
    }
  }

  /// Loads that are late, doubled, or cannot work.
  mutating func addOddLoads() {
    guard features.has(.oddLoads), let start else { return }
    var draw = source.stream(Streams.load, 0)
    var options = start.options
    switch draw.below(4) {
    case 0:
      let other = HostCall.load(writeKey: "pk_live_other", options: HostOptions())
      // While the first load waits for its config, or at any time.
      if draw.chance(1, in: 2) {
        var trigger = Trigger(.configStarted, occurrence: draw.int(1...4))
        trigger.plus = .milliseconds(draw.within(0...20))
        add(trigger, near: visits[min(2, visits.count - 1)].start, .call(thread: 1, other))
        return
      }
      let now = someMoment(&draw)
      add(now, .call(thread: 1, other))
      add(now + 40, .call(thread: 0, .load(writeKey: start.writeKey, options: options)))
    case 1:
      options.host = draw.pick(["", "not a host", "ftp://example.net", "https://"])
      addFirstLoad(start.writeKey, options, &draw)
    case 2:
      addFirstLoad("", options, &draw)
    default:
      // This app has no start code: it loads at some point of each of the first visits.
      self.start = nil
      for (index, visit) in visits.enumerated() where index % 7 != 6 {
        let load = HostCall.load(writeKey: start.writeKey, options: start.options)
        add(visit.start + draw.pick([0, 30, 900, 4_000]), .call(thread: 0, load))
      }
    }
  }

  /// A load that comes before the one of the start code, in one process.
  private mutating func addFirstLoad(
    _ writeKey: String, _ options: HostOptions, _ draw: inout RandomStream
  ) {
    let trigger = Trigger(.launched, occurrence: draw.int(2...6))
    add(
      trigger, near: visits[min(3, visits.count - 1)].start,
      .call(thread: 0, .load(writeKey: writeKey, options: options)))
  }
}
