/// Something that happened to the app, with everything read that belongs to its instant. It shares
/// one occurrence counter with the calls.
struct LifecycleInput: Sendable {
  /// What happened.
  enum Kind: Sendable {
    /// `load` was called, with the app in the foreground or not; nil until that is known.
    case load(isForeground: Bool?)
    case foreground
    case background
    /// A controller has appeared that is a screen.
    case appearance(Call)
  }

  var kind: Kind
  var ordinal: UInt64
  /// The clock that runs in sleep, in nanoseconds.
  var uptime: Int64
  var current: CurrentContext
}

extension CallState {
  /// Where the app stands as far as it was heard of.
  enum Position: Sendable {
    /// `load` was called off the main thread, and the main thread was not heard of yet.
    case unknown
    case foreground
    case background
  }

  /// What an event of the platform means.
  enum Transition: Sendable {
    /// The app is where it was (B15, B16).
    case none
    case toForeground
    case toBackground
  }

  /// Notes `load` itself; lifecycle begins here (S-111).
  /// - Parameter isForeground: nil where the calling thread cannot tell.
  mutating func noteLoad(
    isForeground: Bool?, ordinal: UInt64, uptime: Int64, _ current: CurrentContext
  ) {
    if let isForeground { position = isForeground ? .foreground : .background }
    hold.hold(
      LifecycleInput(
        kind: .load(isForeground: isForeground), ordinal: ordinal, uptime: uptime,
        current: current))
  }

  /// Learns where the app stood at `load`, unless that is known.
  mutating func settlePosition(isForeground: Bool) {
    guard position == .unknown else { return }
    position = isForeground ? .foreground : .background
    hold.settleLoad(isForeground: isForeground)
  }

  /// Takes an event of the platform; events may repeat and come in any order.
  mutating func move(
    _ event: ApplicationEvent, uptime: Int64, _ current: CurrentContext, _ platform: Platform
  ) -> Transition {
    switch event {
    case .didEnterBackground:
      // The first that is heard: until now it was in front.
      settlePosition(isForeground: true)
      guard position == .foreground else { return .none }
      position = .background
      ordinal += 1
      take(.background, uptime, current, ordinal, platform)
      return .toBackground
    case .willEnterForeground, .didBecomeActive:
      settlePosition(isForeground: event == .didBecomeActive)
      guard position == .background else { return .none }
      position = .foreground
      ordinal += 1
      take(.foreground, uptime, current, ordinal, platform)
      return .toForeground
    case .willResignActive:
      settlePosition(isForeground: true)
      return .none
    case .didFinishLaunching, .willTerminate, .protectedDataDidBecomeAvailable,
      .protectedDataWillBecomeUnavailable:
      return .none
    }
  }

  /// Takes what happened: holds it or does what follows from it.
  mutating func take(
    _ kind: LifecycleInput.Kind, _ uptime: Int64, _ current: CurrentContext, _ ordinal: UInt64,
    _ platform: Platform
  ) {
    let input = LifecycleInput(kind: kind, ordinal: ordinal, uptime: uptime, current: current)
    switch phase {
    case .unloaded, .loading: hold.hold(input)
    case .running: perform(input, platform)
    case .failed: break
    }
  }

  /// Does what follows from a lifecycle input: as it happens, or at replay.
  mutating func perform(_ input: LifecycleInput, _ platform: Platform) {
    switch input.kind {
    case .load(let isForeground):
      if isForeground ?? false {
        noteForeground(input, platform)
      } else {
        noteBackground(input, platform)
      }
      beginLaunch(input, platform)
      if isForeground ?? false { sealAppOpen(input, platform) }
    case .foreground:
      let beginsSession = noteForeground(input, platform)
      sealAppOpen(input, platform)
      if beginsSession { showAgain(input, platform) }
    case .background: noteBackground(input, platform)
    case .appearance(let call): if screens.isTracking { show(call, platform) }
    }
  }

  /// Seals `$app_open`: once for each entry of the foreground, also the one that `load` met
  /// (LIF-01 to LIF-05, S-36).
  private mutating func sealAppOpen(_ input: LifecycleInput, _ platform: Platform) {
    guard tracksLifecycle, let circumstances else { return }
    var call = Call(
      .message(.track), ordinal: input.ordinal,
      messageId: Identifier.uuid(platform.random.random128(.lifecycle, key: input.ordinal)),
      name: "$app_open")
    call.origin = .appOpen
    call.uptime = input.uptime
    call.current = input.current
    call.payload.append(
      ascii: hasOpened ? "{\"from_background\":true}" : "{\"from_background\":false}")
    hasOpened = true
    seal(call, .track, circumstances, platform)
  }

  private mutating func beginLaunch(_ input: LifecycleInput, _ platform: Platform) {
    guard let anchor else { return }
    let first = min(input.uptime, firstMessageUptime ?? input.uptime)
    launch = Launch(
      ordinal: input.ordinal, uptime: first, time: anchor.milliseconds(atUptime: first),
      current: input.current)
    if circumstances?.analytics ?? false { reportLaunch(input.uptime, input.current, platform) }
  }

  /// Analytics is on, from `load` or from a grant on: `$app_updated` goes, `$first_open` becomes
  /// due (A-28, S-31).
  mutating func reportLaunch(
    _ uptime: Int64, _ current: CurrentContext, _ platform: Platform
  ) {
    guard let launch, let circumstances else { return }
    if let update {
      self.update = nil
      var call = Call(
        .message(.track), ordinal: launch.ordinal,
        messageId: update.messageIdentifier(anonymousId: circumstances.anonymousId),
        name: "$app_updated")
      call.origin = .appUpdated
      call.uptime = uptime
      call.current = current
      call.payload = update.properties
      seal(call, .track, circumstances, platform)
    }
    add(.launch(launch, self.circumstances ?? circumstances))
  }

  /// Seals `$first_open` with the ids of its launch and the consent of this instant.
  /// - Parameter install: what stands for the install in its context.
  /// - Returns: false where analytics was refused in the meantime.
  mutating func sealFirstOpen(_ due: FirstOpen.Due, _ install: [UInt8]) -> Bool {
    guard let circumstances, circumstances.analytics else { return false }
    var call = Call(
      .message(.track), ordinal: due.launch.ordinal, messageId: due.record.messageId,
      name: "$first_open")
    call.origin = .firstOpen
    call.uptime = due.launch.uptime
    call.current = due.launch.current
    call.payload.append(ascii: "{}")
    call.install = install
    let own = due.circumstances.asOfLaunch(
      session: due.isLate ? due.record.sessionId : nil, consent: circumstances)
    add(
      .message(
        SealedMessage(
          call: call, type: .track, sequence: nextSequence, time: due.record.time,
          userId: own.userId, previousId: nil, circumstances: own, isFromForeground: false)))
    nextSequence += 1
    return true
  }
}
