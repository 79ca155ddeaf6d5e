import FuzzHistory
import SimKernel

extension Life {
  /// One visit: the user comes, the app calls, the user leaves, and the process may end.
  mutating func visit(_ index: Int) {
    let visit = visits[index]
    var draw = source.stream(Streams.visit, UInt64(index))
    add(visit.start, .foreground)
    let isWithdrawn = consentAtStart(index)
    // Now and then the app calls before its own `load`.
    let isEarly = draw.chance(1, in: 5) && !isWithdrawn
    var now = visit.start + (isEarly ? 1 : draw.within(120...2_500))
    var made = 0
    while made < visit.calls, now < visit.end - 1_000 {
      let cluster = min(visit.calls - made, draw.int(1...6))
      for _ in 0..<cluster {
        add(now, call(index * 100 + made, &draw))
        made += 1
        now += draw.pick([0, 0, 1, 7, 40])
      }
      if made < visit.calls { between(&now, until: visit.end, &draw) }
      now += pause(&draw, left: visit.end - now, calls: visit.calls - made)
    }
    let leave = draw.chance(1, in: 3) ? now : max(now, visit.end - draw.within(0...500))
    // In the calm nobody leaves before the app has loaded and sent what it held.
    let load = profile.isCalm ? start?.afterMilliseconds ?? 0 : 0
    leaveApp(index, at: max(leave, visit.start + load + 1_500))
  }

  private func call(_ ordinal: Int, _ draw: inout RandomStream) -> ActionKind {
    .call(thread: UInt16(draw.below(threads)), caller.call(ordinal))
  }

  /// Time between two groups of calls; the rest of the calls must find room.
  private func pause(_ draw: inout RandomStream, left: Int64, calls: Int) -> Int64 {
    let drawn: Int64
    switch draw.below(8) {
    case 0...2: drawn = draw.within(50...1_000)
    case 3...5: drawn = draw.within(1_000...8_000)
    case 6: drawn = draw.within(8_000...35_000)
    default: drawn = draw.within(35_000...120_000)
    }
    return max(20, min(drawn, left / Int64(max(1, calls / 3))))
  }

  /// What may happen between two groups of calls.
  private mutating func between(_ now: inout Int64, until end: Int64, _ draw: inout RandomStream) {
    let chances = (overlay: draw.chance(1, in: 24), crash: draw.chance(1, in: 40))
    if chances.overlay, features.has(.overlays) {
      add(now, .overlay(.milliseconds(draw.within(300...15_000))))
    }
    if chances.crash, features.has(.crashes) {
      now += draw.pick([0, 1, 5, 30, 400])
      addEnd(now, draw.pick([.crash, .crash, .exit, .memoryKill]))
      now += draw.within(800...20_000)
      add(now, .foreground)
      now += draw.within(100...1_500)
    }
  }

  private mutating func leaveApp(_ index: Int, at leave: Int64) {
    add(leave, .background)
    var draw = source.stream(Streams.after, UInt64(index))
    let next = visits[index].next
    visits[index].end = leave
    let gap = next - leave
    let staysAlive = !draw.chance(endsInEight, in: 8)
    // In the calm a process ends long after everything is sent, or stays.
    if staysAlive || profile.isCalm && gap < 400_000 { return pushSuspended(index, &draw) }
    let end: Int64
    if profile.isCalm {
      end = leave + draw.within(180_000...gap - 120_000)
    } else {
      let soon = draw.pick([50, 300, 900, 3_000, 9_000, 28_000, 45_000, 120_000, gap])
      end = leave + draw.within(0...max(1, min(soon, gap - 100)))
    }
    guard end < next else { return }
    endProcess(index, at: end, &draw)
    let chance = draw.chance(1, in: 3)
    if chance, features.has(.pushes), next - end > 600_000 { push(index, after: end, &draw) }
  }

  /// A push wakes the suspended app.
  private mutating func pushSuspended(_ index: Int, _ draw: inout RandomStream) {
    let chance = draw.chance(1, in: 5)
    let leave = visits[index].end
    if chance, features.has(.pushes), visits[index].next - leave > 900_000 {
      push(index, after: leave + 120_000, &draw)
    }
  }

  private mutating func endProcess(_ index: Int, at end: Int64, _ draw: inout RandomStream) {
    let isUpdate = draw.chance(1, in: 6)
    if isUpdate, features.has(.updates) {
      let minor = Int(5 + index)
      add(
        end,
        .update(version: Numerals.text("1.", minor, ".0"), build: Numerals.text("1", 400 + minor)))
    } else {
      add(end, .end(draw.pick([.userSwipe, .memoryKill, .memoryKill])))
    }
  }

  /// A push starts the app in the background, which makes a call or two.
  private mutating func push(_ index: Int, after end: Int64, _ draw: inout RandomStream) {
    let gap = visits[index].next - end
    var now = end + draw.within(60_000...gap - 300_000)
    add(now, .launch(.background))
    for place in 0..<draw.int(0...3) {
      now += draw.within(100...1_800)
      add(now, call(index * 100 + Life.callsPerVisitBound + 1 + place, &draw))
    }
    if !profile.isCalm, draw.chance(1, in: 3) {
      add(now + draw.pick([100, 2_000, 40_000, 120_000]), .end(.memoryKill))
    }
  }

  /// The user's choice, which the app hands on once a visit.
  /// - Returns: whether analytics is withdrawn at the very start.
  private mutating func consentAtStart(_ index: Int) -> Bool {
    let shape = source.bits(Streams.consent, 1_000)
    let first = Int(shape % 3)
    let changes = shape >> 8 & 1 == 0
    var draw = source.stream(Streams.consent, UInt64(index))
    let visit = visits[index]
    let marketing = draw.pick([nil, nil, true, false] as [Bool?])
    if hasWithdrawn, draw.chance(1, in: 2) {
      // Who declined is asked again: the decision holds over all launches until then.
      hasWithdrawn = false
      addConsent(visit.start + draw.within(70...110), true, marketing)
    } else if !startsWithAnalytics, index >= first, shape >> 16 & 7 != 0, draw.chance(7, in: 8) {
      addConsent(visit.start + draw.within(70...110), true, marketing)
    } else if startsWithAnalytics, draw.chance(1, in: 12) {
      addConsent(visit.start + draw.within(70...110), nil, draw.chance(1, in: 2))
    }
    guard changes, draw.chance(1, in: 5), visit.end - visit.start > 10_000 else { return false }
    // In the calm nothing is unsent at the start of a visit, so a withdrawal there loses nothing.
    if profile.isCalm {
      guard index > 0, hasQuietStart(index) else { return false }
      addConsent(visit.start + 60, false, nil)
      hasWithdrawn = true
      return true
    }
    let off = visit.start + draw.within(0...(visit.end - visit.start) / 2)
    addConsent(off, false, draw.chance(1, in: 3) ? false : nil)
    hasWithdrawn = draw.chance(1, in: 2)
    if !hasWithdrawn { addConsent(off + draw.within(0...5_000), true, nil) }
    return false
  }

  private mutating func addConsent(_ instant: Int64, _ analytics: Bool?, _ marketing: Bool?) {
    add(instant, .call(thread: 0, .consent(analytics: analytics, marketing: marketing)))
  }

  /// Whether the time before a visit was long enough for everything to be sent.
  private func hasQuietStart(_ index: Int) -> Bool {
    !features.has(.pushes) && visits[index].start - visits[index - 1].end > 120_000
  }
}
