/// What the state knows of screens.
struct ScreenState: Sendable {
  /// Whether controllers that appear are screens: the app's option, and once it is known the
  /// panel's switch as well (C-24).
  var isTracking = false
  /// Whether views are timed (OPT-27).
  var isTimingAllowed = false
  var timing = ScreenTiming(isInForeground: false)
  /// The name of the automatic screen on display; nil if the newest screen is the app's own.
  var automatic: String?
  /// The path of the newest screen of the app's own calls.
  var ownPath = ""
  /// The circumstances when the app last went to the background.
  var atBackground: Circumstances?
}

/// Screen views: each screen ends the one before it, and reset ends what shows (SCR, S-04, S-54).
extension CallState {
  /// A controller has appeared that is a screen: as a call of `screen`, but it takes no room while
  /// calls are held.
  mutating func appear(
    _ name: String, uptime: Int64, _ current: CurrentContext, _ platform: Platform
  ) {
    guard screens.isTracking else { return }
    ordinal += 1
    let call = automaticScreen(name, ordinal: ordinal, uptime: uptime, current, platform)
    shownPath = call.path
    take(.appearance(call), uptime, current, ordinal, platform)
  }

  private func automaticScreen(
    _ name: String, ordinal: UInt64, uptime: Int64, _ current: CurrentContext,
    _ platform: Platform
  ) -> Call {
    let random = platform.random
    var call = Call(
      .message(.screen), ordinal: ordinal,
      messageId: Identifier.uuid(random.random128(.messageIdentifier, key: ordinal)), name: name)
    call.origin = .automaticScreen
    call.uptime = uptime
    call.current = current
    call.path = ScreenPath.derive(name)
    call.pageviewId = Identifier.uuid(random.random128(.pageviewIdentifier, key: ordinal))
    call.payload.append(ascii: "{\"pageview_id\":")
    call.payload.append(jsonString: call.pageviewId)
    call.payload.append(ascii: ",\"path\":")
    call.payload.append(jsonString: call.path)
    call.payload.append(0x7D)
    return call
  }

  /// A screen shows: the view before it ends, then its own begins. The end belongs to the session
  /// that the view was in, also where the screen begins another one.
  mutating func show(_ call: Call, _ platform: Platform) {
    if let circumstances {
      endView(at: call.uptime, call.ordinal, call.current, circumstances, platform)
      seal(call, .screen, circumstances, platform)
    }
    screens.automatic = call.origin == .automaticScreen ? call.name : nil
    guard screens.isTimingAllowed, circumstances?.analytics ?? false else { return }
    screens.timing.begin(call.pageviewId, path: call.path, at: call.uptime)
  }

  /// The view that shows is over: `$pageleave` says so where it was timed.
  mutating func endView(
    at uptime: Int64, _ ordinal: UInt64, _ current: CurrentContext,
    _ circumstances: Circumstances, _ platform: Platform
  ) {
    guard let leave = screens.timing.end(at: uptime) else { return }
    sealLeave(
      leave, isFinal: true, uptime: uptime, ordinal, current, circumstances, platform,
      isFromForeground: sessionClock.isInForeground)
  }

  /// The app goes to the background: the view is paused (SCR-04). What says so belongs to the
  /// session that may end there, and is the last of its stay in the foreground (B51).
  mutating func pauseView(_ input: LifecycleInput, _ platform: Platform) {
    guard let leave = screens.timing.background(at: input.uptime), let circumstances else {
      screens.atBackground = circumstances
      return
    }
    screens.atBackground = circumstances
    sealLeave(
      leave, isFinal: false, uptime: input.uptime, input.ordinal, input.current, circumstances,
      platform, isFromForeground: true)
  }

  /// The return begins another session: what is on display by itself is left in the old one, as of
  /// the instant at which the app went to the background (S-04).
  mutating func leaveAutomaticScreen(_ input: LifecycleInput, _ platform: Platform) {
    guard screens.automatic != nil, let circumstances,
      let end = screens.timing.endAtBackgroundEntry()
    else { return }
    let session = screens.atBackground ?? circumstances
    sealLeave(
      end.leave, isFinal: true, uptime: end.uptime, input.ordinal, input.current,
      circumstances.inSession(of: session), platform, isFromForeground: false)
  }

  /// Shows what is on display by itself once more, as a view of the session that has begun
  /// (SCR-15).
  mutating func showAgain(_ input: LifecycleInput, _ platform: Platform) {
    guard let name = screens.automatic, screens.isTracking else { return }
    show(
      automaticScreen(
        name, ordinal: input.ordinal, uptime: input.uptime, input.current, platform), platform)
  }

  /// Seals `$pageleave`. It never begins a session: a view is left where it was shown.
  private mutating func sealLeave(
    _ leave: ScreenTiming.Leave, isFinal: Bool, uptime: Int64, _ ordinal: UInt64,
    _ current: CurrentContext, _ circumstances: Circumstances, _ platform: Platform,
    isFromForeground: Bool
  ) {
    guard let anchor, circumstances.analytics else { return }
    var call = Call(
      .message(.track), ordinal: ordinal,
      messageId: Identifier.uuid(platform.random.random128(.screenLeave, key: ordinal)),
      name: "$pageleave")
    call.origin = .screenLeave
    call.uptime = uptime
    call.current = current
    call.payload.append(ascii: "{\"active_ms\":")
    call.payload.append(decimal: leave.activeMilliseconds)
    call.payload.append(ascii: isFinal ? ",\"final\":true" : ",\"final\":false")
    call.payload.append(ascii: ",\"pageview_id\":")
    call.payload.append(jsonString: leave.pageviewId)
    call.payload.append(ascii: ",\"path\":")
    call.payload.append(jsonString: leave.path)
    call.payload.append(ascii: ",\"total_ms\":")
    call.payload.append(decimal: leave.totalMilliseconds)
    call.payload.append(0x7D)
    add(
      .message(
        SealedMessage(
          call: call, type: .track, sequence: nextSequence,
          time: anchor.milliseconds(atUptime: uptime), userId: circumstances.userId,
          previousId: nil, circumstances: circumstances, isFromForeground: isFromForeground)))
    nextSequence += 1
  }
}
