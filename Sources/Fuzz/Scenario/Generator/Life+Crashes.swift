import FuzzHistory
import SimKernel

/// Crashes: what they are, and when they strike beside the ends that other parts draw.
extension Life {
  /// A process ends; a crash is drawn in a stream of its own.
  mutating func addEnd(_ instant: Int64, _ cause: EndCause) {
    add(
      instant,
      cause == .crash ? .crash(crashPlan(1_000_000 + UInt64(bitPattern: instant))) : .end(cause))
  }

  /// How a process crashes.
  func crashPlan(_ key: UInt64) -> CrashPlan {
    var draw = source.stream(Streams.crash, 1_000 + key)
    let kinds: [CrashKind] = [
      .exception, .exception, .exception, .exception, .abort, .segmentationFault, .busError,
      .illegalInstruction, .floatingPointException, .trap, .trap,
    ]
    var plan = CrashPlan(draw.pick(kinds))
    if draw.chance(1, in: 3) {
      plan.thread = UInt16(draw.int(1...40))
      plan.threadName = draw.pick(["", "", "com.example.sync", "Uploads"])
    }
    if plan.kind == .exception {
      describe(&plan, &draw)
    } else if plan.kind == .segmentationFault {
      plan.isStackOverflow = draw.chance(1, in: 3)
    }
    switch draw.below(16) {
    case 0: plan.crashesAgain = true
    case 1: plan.killedAfterBytes = draw.int(0...900)
    default: break
    }
    return plan
  }

  private func describe(_ plan: inout CrashPlan, _ draw: inout RandomStream) {
    // A few crashes only, so that devices and launches meet the same ones.
    let place = Int(draw.below(UInt64(Self.crashes.count)))
    let crash = Self.crashes[place]
    plan.name = crash.name
    plan.reason = crash.reason
    if draw.chance(2, in: 3) { plan.reason += " " + secret(&draw) }
    plan.frames = crash.frames.map {
      CrashPlan.Frame($0.image, $0.symbol, offset: draw.int(4...2_000))
    }
    if draw.chance(1, in: 8) {
      let depth = draw.pick([40, 200, 600])
      let frame = CrashPlan.Frame("Kiosk", "-[KCTree walk:into:]", offset: 88)
      plan.frames += [CrashPlan.Frame](repeating: frame, count: depth)
    }
  }

  private static let crashes:
    [(name: String, reason: String, frames: [(image: String, symbol: String)])] = [
      (
        "NSInvalidArgumentException", "-[KCCart total]: unrecognized selector sent",
        [
          ("CoreFoundation", "__exceptionPreprocess"), ("libobjc.A.dylib", "objc_exception_throw"),
          ("CoreFoundation", "-[NSObject(NSObject) doesNotRecognizeSelector:]"),
          ("Kiosk", "-[KCCheckout pay:]"), ("UIKitCore", "-[UIControl sendAction:to:forEvent:]"),
        ]
      ),
      (
        "NSRangeException", "index 4 beyond bounds [0 .. 3]",
        [
          ("CoreFoundation", "__exceptionPreprocess"), ("libobjc.A.dylib", "objc_exception_throw"),
          ("CoreFoundation", "-[__NSArrayM objectAtIndex:]"), ("Kiosk", "-[KCList row:]"),
        ]
      ),
      (
        "KCPaymentError", "Payment state 240123 is no state",
        [
          ("Kiosk", "$s5Kiosk7PaymentC5stateySiF"),
          ("Kiosk", "closure #1 in Payment.run(_:) -> ()"),
          ("libdispatch.dylib", "_dispatch_call_block_and_release"),
        ]
      ),
    ]

  /// Something that must not leave the device, with a word or a number that is nowhere else.
  func secret(_ draw: inout RandomStream) -> String {
    let word = CanaryWords.word(UInt32(draw.below(UInt64(CanaryWords.count))))
    switch draw.below(5) {
    case 0: return "for \(word)@example.com"
    case 1:
      let number = Int(100_000_000_000_000 + draw.below(800_000_000_000_000))
      // The shortest that is taken out, one that is longer, and a whole card.
      switch number % 4 {
      case 0: return Numerals.text("call ", number / 100_000_000)
      case 1: return Numerals.text("order ", number / 10_000_000)
      default: return Numerals.text("card 4", number)
      }
    case 2: return "at https://api.example.com/v1/pay?token=\(word)&to=me"
    case 3: return "in /" + "Users/\(word)/Documents/cart.db"
    default: return "in /var/mobile/Containers/Data/Application/\(word)/Library/cart.db"
    }
  }

  /// Crashes at chosen moments: before the config, in the background, on a locked screen, on a full
  /// disk, several in a row.
  mutating func addCrashes() {
    guard features.has(.crashes), !profile.isCalm else { return }
    var draw = source.stream(Streams.crash, 3)
    let isCrashy = profile.name == "crashy"
    for place in 0..<draw.int(isCrashy ? 2...8 : 0...3) {
      let key = UInt64(place)
      var draw = source.stream(Streams.crash, 100 + key)
      let near = someMoment(&draw)
      let visit = visits[Int(draw.below(UInt64(visits.count)))]
      switch draw.below(7) {
      case 0:
        // A loop: each launch crashes before or soon after its config.
        for turn in 0..<draw.int(2...13) {
          let now = visit.start + Int64(turn) * 3_000 + draw.within(10...2_500)
          add(now, .crash(crashPlan(30_000 + key * 100 + UInt64(turn))))
          add(now + 200, .foreground)
        }
      case 1:
        add(
          Trigger(
            .configStarted, occurrence: draw.int(1...8),
            plus: .milliseconds(draw.within(0...60))),
          near: near, .crash(crashPlan(40_000 + key)))
      case 2:
        add(visit.end + draw.within(400...4_000), .crash(crashPlan(40_000 + key)))
      case 3:
        let now = draw.within(visit.start...max(visit.start, visit.end))
        add(now, .lock)
        add(now + draw.within(100...900), .crash(crashPlan(40_000 + key)))
        add(now + draw.within(2_000...60_000), .foreground)
      case 4:
        add(near, .diskRoom(bytes: draw.pick([0, 40, 900])))
        add(near + draw.within(10...900), .crash(crashPlan(40_000 + key)))
        add(near + draw.within(1_000...60_000), .diskRoom(bytes: nil))
        add(near + draw.within(1_000...60_000), .foreground)
      default:
        add(near, .crash(crashPlan(40_000 + key)))
        if draw.chance(1, in: 3) { add(near + draw.within(200...9_000), .launch(.background)) }
        add(near + draw.within(300...90_000), .foreground)
      }
    }
  }
}
