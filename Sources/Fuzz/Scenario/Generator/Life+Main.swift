import FuzzHistory
import SimKernel

/// What the app's own code does to its main thread.
extension Life {
  /// Around the limits of A-17, and far away from them.
  private static let spans: [Int64] = [
    300, 3_000, 4_400, 4_900, 4_999, 5_000, 5_001, 5_200, 5_499, 5_500, 5_501, 6_000, 7_000, 9_000,
    12_000, 40_000,
  ]

  /// Where apps really stand when they hang; some of it names what must not be told.
  private static let frames: [StackFrame] = [
    StackFrame("libsystem_kernel.dylib", "__psynch_mutexwait"),
    StackFrame("libsystem_kernel.dylib", "read"), StackFrame("libdispatch.dylib", "dispatch_sync"),
    StackFrame("CoreFoundation", "__CFRunLoopRun"),
    StackFrame("Kiosk", "$s5Kiosk8CheckoutC3payyyF"),
    StackFrame("Kiosk", "-[Cart add:to:]"), StackFrame("Kiosk", ""),
    StackFrame("My Framework", "closure #1 in Loader.load(_:) + nested"),
    StackFrame("Kiosk", "load /Users/ayse/Documents/cart.json"),
    StackFrame("Kiosk", "get https://shop.example/pay?card=4111 for ayse@example.com"),
    StackFrame("Kiosk", "order_90532123456789()"), StackFrame("UIKitCore", "UIApplicationMain"),
    StackFrame("Kiosk", "main"),
  ]

  mutating func addHangs() {
    guard features.has(.hangs) else { return }
    var draw = source.stream(Streams.hang, 1_000)
    // Whoever does not ask for hangs has them all the same.
    if draw.chance(7, in: 8) { start?.options.captureHangs = true }
    let isMany = profile.name == "hangs"
    for hang in 0..<draw.int(isMany ? 4...12 : 1...4) {
      var draw = source.stream(Streams.hang, UInt64(hang))
      addHang(&draw)
    }
  }

  /// The time in the background is over while a request is on its way and the main thread, where
  /// the app would hear of it, is blocked.
  mutating func addOverruns() {
    guard features.has(.hangs), !profile.isCalm else { return }
    let oneIn: UInt64 = profile.name == "hangs" ? 2 : 8
    guard source.happens(Ratio(1, oneIn), Streams.hang, 3_000) else { return }
    var draw = source.stream(Streams.hang, 3_001)
    let visit = visits[Int(draw.below(UInt64(visits.count)))]
    // More than one request has room for, so that one follows the other while answers are late.
    var now = max(visit.start, visit.end - draw.within(20...800))
    for place in 0..<draw.int(45...70) {
      // Far behind those of launches before the first unlock.
      let ordinal = Life.firstFreeOrdinal + 2_000 + place
      add(now, .call(thread: 0, caller.call(.track, ordinal)))
      now += draw.pick([0, 0, 1])
    }
    let from = TimeSpan.milliseconds(visit.start)
    faults.append(
      FaultSetting(
        .serverLateAnswer, chance: .always, from: from,
        until: .milliseconds(visit.end + 40_000), amount: draw.within(11_000...18_500)))
    // From the entry of the background on, whose code the watch has just seen run, or near the end.
    let start = draw.chance(1, in: 3) ? draw.within(350...600) : draw.within(19_000...25_000)
    add(
      visit.end + start,
      .blockMain(.milliseconds(draw.within(8_000...40_000)), stack: stack(&draw)))
  }

  private mutating func addHang(_ draw: inout RandomStream) {
    let span = draw.pick(Life.spans)
    let block = ActionKind.blockMain(.milliseconds(span), stack: stack(&draw))
    var now = someMoment(&draw)
    switch draw.below(10) {
    case 0: add(now, .spinMain(.milliseconds(draw.within(5_000...20_000))))
    case 1:
      // At the start of a process, before its config or even before `load`.
      let trigger = Trigger(
        .launched, occurrence: draw.int(1...8), plus: .milliseconds(draw.pick([1, 10, 200])))
      add(trigger, near: now, block)
    case 2:
      // In the background, into the suspension and out of it.
      let trigger = Trigger(
        .backgrounded, occurrence: draw.int(1...20),
        plus: .milliseconds(draw.within(10...4_500)))
      add(trigger, near: now, block)
    default:
      add(now, block)
      now += draw.within(100...max(200, span))
      meanwhile(now, &draw)
      if draw.chance(1, in: 4) {
        // And once more, as soon as the thread is free.
        add(now + span, .blockMain(.milliseconds(draw.pick(Life.spans)), stack: stack(&draw)))
      }
    }
  }

  /// What may happen while the main thread is blocked.
  private mutating func meanwhile(_ now: Int64, _ draw: inout RandomStream) {
    switch draw.below(12) {
    case 0, 1:
      add(now - draw.within(0...3_000), .debugger(isAttached: true))
      add(now + draw.within(0...9_000), .debugger(isAttached: false))
    case 2: add(now, .background)
    case 3: add(now, .lock)
    case 4:
      add(now, .end(draw.pick([.memoryKill, .userSwipe, .crash])))
      add(now + draw.within(1_000...20_000), .foreground)
    case 5:
      add(now, .stepWallClock(.seconds(draw.pick([-3_600, 3_600, 86_400]))))
    case 6 where !profile.isCalm:
      add(now, .call(thread: 1, .consent(analytics: draw.chance(1, in: 2), marketing: nil)))
    default: break
    }
  }

  private func stack(_ draw: inout RandomStream) -> [StackFrame] {
    if draw.chance(1, in: 6) { return [] }
    var frames = (0..<draw.int(1...7)).map { _ in draw.pick(Life.frames) }
    if draw.chance(1, in: 3) { frames[0].symbol += " " + secret(&draw) }
    return frames
  }
}
