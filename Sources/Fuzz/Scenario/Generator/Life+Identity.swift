import FuzzHistory
import SimKernel

/// What changes of the device around the app: whether it may track, the system, the device itself.
extension Life {
  /// What the user had said of tracking before the run.
  static func initialTracking(_ source: Randomness) -> TrackingState {
    var draw = source.stream(Streams.tracking, 3_000)
    return draw.pick([
      .notDetermined, .notDetermined, .notDetermined, .authorized, .authorized, .authorized,
      .denied, .restricted,
    ])
  }

  mutating func addTracking() {
    guard features.has(.tracking) else { return }
    // In the calm nobody ends a process from the settings.
    if profile.isCalm, Life.initialTracking(source) != .notDetermined { return }
    var draw = source.stream(Streams.tracking, 1_000)
    // The app asks once, early in its life, while it is in front.
    let first = visits[Int(draw.below(UInt64(min(4, visits.count))))]
    let latest = max(first.start + 600, min(first.end - 500, first.start + 60_000))
    add(
      draw.within(first.start + 500...latest),
      .tracking(draw.chance(3, in: 4) ? .authorized : .denied))
    if profile.isCalm { return }
    for change in 0..<draw.int(0...4) {
      var draw = source.stream(Streams.tracking, UInt64(change))
      let now = someMoment(&draw)
      add(now, .tracking(draw.chance(1, in: 2) ? .authorized : .denied))
      if draw.chance(1, in: 2) { add(now + draw.within(1_500...40_000), .foreground) }
    }
  }

  mutating func addDevices() {
    guard features.has(.devices) else { return }
    var draw = source.stream(Streams.tracking, 2_000)
    for change in 0..<draw.int(1...3) {
      var draw = source.stream(Streams.tracking, 2_001 + UInt64(change))
      let now = someMoment(&draw)
      if draw.chance(1, in: 3) {
        add(
          now,
          .newDevice(
            model: draw.pick(["iPhone17,1", "iPhone14,5", "iPad14,8"]),
            advertisingId: draw.pick([
              "0C9F1B7A-52D4-4E8B-9A63-77D1C0E4A5B2", "F3D2A1B0-1C4E-4D7F-8A6B-5E90C2D3F4A1",
            ])))
      } else {
        add(
          now,
          .systemUpdate(
            version: draw.pick(["14.2", "14.3", "17.6", "18.0", "26.1"]),
            off: .seconds(draw.within(30...3_600))))
        add(now + draw.within(1_000...7_200_000), .unlock)
      }
    }
  }

  /// The device is turned, and turned back; the windows of a tablet share its screen.
  mutating func addResizes(of screen: ScreenSize) {
    guard features.has(.resizes) else { return }
    var draw = source.stream(Streams.resize, 1_000)
    let turned = ScreenSize(width: screen.height, height: screen.width)
    let isTablet = screen.width > 600
    for turn in 0..<draw.int(2...8) {
      var draw = source.stream(Streams.resize, UInt64(turn))
      var size = turned
      if isTablet, draw.chance(1, in: 2) {
        size = ScreenSize(width: draw.pick([320, 375, 507, 678]), height: screen.height)
      }
      let now = someMoment(&draw)
      switch draw.below(6) {
      case 0:
        // Between calls that are held until the config is there.
        add(
          Trigger(
            .configStarted, occurrence: draw.int(1...6), plus: .milliseconds(draw.within(0...60))),
          near: now, .resize(size))
      case 1:
        // While the app goes, and its view is timed.
        add(
          Trigger(
            .backgrounded, occurrence: draw.int(1...10), plus: .milliseconds(draw.within(0...900))),
          near: now, .resize(size))
      default: add(now, .resize(size))
      }
      if draw.chance(3, in: 4) { add(now + draw.within(300...90_000), .resize(screen)) }
    }
  }
}
