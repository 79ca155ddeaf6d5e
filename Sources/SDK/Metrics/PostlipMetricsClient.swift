/// A client with its own storage, transport, clock and queue; clients share nothing (API-05).
///
/// Every call returns at once and never throws: it converts what the app passed, seals it under the
/// lock, and leaves the rest to the client's queue (API-01 to API-03).
public final class PostlipMetricsClient: @unchecked Sendable {
  private let platform: Platform
  private let hasPlatform: Bool
  private let state = Protected(CallState())
  private let pipeline: Pipeline

  /// Makes a client.
  /// - Parameters:
  ///   - platform: the machine it runs on.
  ///   - storageDirectory: where it stores, relative to the app's container.
  public convenience init(
    platform: Platform, storageDirectory: String = "Library/Application Support/PostlipMetrics"
  ) {
    self.init(platform: platform, storageDirectory: storageDirectory, hasPlatform: true)
  }

  /// Makes a client that never starts: nothing was said of the machine.
  convenience init() {
    self.init(platform: .unavailable(), storageDirectory: "", hasPlatform: false)
  }

  private init(platform: Platform, storageDirectory: String, hasPlatform: Bool) {
    self.platform = platform
    self.hasPlatform = hasPlatform
    pipeline = Pipeline(platform: platform, storageDirectory: storageDirectory, state: state)
  }

  /// Starts the client; only the first call of a process counts (API-06).
  /// - Parameters:
  ///   - writeKey: names the source; must not be empty.
  ///   - options: what the app chooses itself.
  public func load(_ writeKey: String, options: PostlipMetrics.Options = .init()) {
    let ordinal = enter()
    let host = Host.parse(options.host ?? Host.standard)
    let problem: Diagnostic? =
      !hasPlatform
      ? .noPlatform : writeKey.isEmpty ? .emptyWriteKey : host == nil ? .invalidHost : nil
    let isForeground = platform.application.stateOnMainThread().map { $0 != .background }
    let current = platform.context.current()
    let isFirst = state.withLock { state in
      guard case .unloaded = state.phase else { return false }
      state.isDebug = options.debug ?? false
      if problem == nil {
        state.phase = .loading
        state.tracksLifecycle = options.trackLifecycle ?? true
        state.screens.isTracking = options.trackScreens ?? false
        state.noteLoad(
          isForeground: isForeground, ordinal: ordinal, uptime: platform.clock.continuous(),
          current)
      } else {
        state.fail()
      }
      return true
    }
    if !isFirst { return log(.loadIgnored) }
    guard let host, problem == nil else { return problem.map(log) ?? () }
    pipeline.start(writeKey: writeKey, host: host, options: options)
  }

  /// Reports something that happened in the app.
  /// - Parameters:
  ///   - event: its name; not empty and not starting with `$` (API-11, S-52).
  ///   - properties: values of JSON types, dates, URLs and data.
  ///   - messageId: 1 to 100 printable ASCII characters; anything else is ignored (API-12, API-13).
  /// - Returns: the message's id, also when the event is refused (API-14).
  @discardableResult
  public func track(
    _ event: String, properties: [String: Any] = [:], messageId: String? = nil
  ) -> String {
    let ordinal = enter()
    let id = messageIdentifier(own: messageId, ordinal: ordinal)
    let refusal: Diagnostic.Refusal? =
      event.isEmpty ? .emptyName : event.utf8.first == 0x24 ? .reservedEventName : nil
    if let refusal {
      log(.callRefused(refusal))
      return id
    }
    var call = Call(.message(.track), ordinal: ordinal, messageId: id, name: event)
    attach(properties, to: &call)
    submit(call)
    return id
  }

  /// Reports that a screen is shown.
  /// - Parameters:
  ///   - name: its name; not empty (S-52).
  ///   - properties: as for `track`; a `path` with a leading `/` is the screen's path (API-18).
  public func screen(_ name: String, properties: [String: Any] = [:]) {
    let ordinal = enter()
    if name.isEmpty { return log(.callRefused(.emptyName)) }
    let pageviewId = Identifier.uuid(platform.random.random128(.pageviewIdentifier, key: ordinal))
    var call = message(.screen, ordinal: ordinal, name: name)
    call.pageviewId = pageviewId
    call.path = ScreenPath.derive(name, properties: properties)
    attach(properties, fixed: [("pageview_id", pageviewId), ("path", call.path)], to: &call)
    submit(call)
  }

  /// Says who the user is, or what is known of a guest.
  /// - Parameters:
  ///   - userId: an opaque id, kept until `reset` (ID-02); nil and empty are a guest.
  ///   - traits: sent as given, never stored (ID-05, ID-06).
  public func identify(_ userId: String? = nil, traits: [String: Any] = [:]) {
    let ordinal = enter()
    let userId = userId ?? ""
    if userId.isEmpty && traits.isEmpty { return log(.callRefused(.nothingToIdentify)) }
    if Identifier.looksPersonal(userId) { log(.userIdentifierLooksPersonal) }
    submit(message(.identify, ordinal: ordinal, name: userId), traits: traits)
  }

  /// Ties the person to an account.
  /// - Parameters:
  ///   - groupId: the account; not empty (ID-12).
  ///   - traits: what is known of it; sent as given, never stored.
  public func group(_ groupId: String, traits: [String: Any] = [:]) {
    let ordinal = enter()
    if groupId.isEmpty { return log(.callRefused(.emptyIdentifier)) }
    submit(message(.group, ordinal: ordinal, name: groupId), traits: traits)
  }

  /// Says that two ids are one person; the kept user id stays (ID-15).
  /// - Parameters:
  ///   - userId: the new id; not empty and not the previous one (S-12).
  ///   - previousId: by default the current user id, else the anonymous id (ID-13).
  public func alias(_ userId: String, previousId: String? = nil) {
    let ordinal = enter()
    if userId.isEmpty || previousId?.isEmpty == true {
      return log(.callRefused(.emptyIdentifier))
    }
    if userId == previousId { return log(.callRefused(.aliasToItself)) }
    if Identifier.looksPersonal(userId) { log(.userIdentifierLooksPersonal) }
    var call = message(.alias, ordinal: ordinal, name: userId)
    call.previousId = previousId
    submit(call)
  }

  /// Forgets the user: a new anonymous id and a new session; consent stays (ID-16, ID-17).
  public func reset() { submit(Call(.reset, ordinal: enter())) }

  /// Takes the user's choice; only the flags passed change (CON-23).
  /// - Parameters:
  ///   - analytics: whether ids, session and queue may be stored.
  ///   - marketing: whether the advertising id may be sent.
  public func consent(analytics: Bool? = nil, marketing: Bool? = nil) {
    let ordinal = enter()
    if analytics == nil && marketing == nil { return }
    submit(Call(.consent(analytics: analytics, marketing: marketing), ordinal: ordinal))
  }

  /// Sends the queue now (API-20).
  public func flush() {
    enter()
    let wake = state.withLock { state in
      state.acceptFlush()
      return state.needsDrain()
    }
    if wake { pipeline.wake() }
  }

  /// The visitor's id; nil before the client has started (API-21).
  public func getAnonymousId() -> String? {
    enter()
    return state.withLock { $0.circumstances?.anonymousId }
  }

  /// What a backend forwards with its own events; nil before the client has started (API-21).
  public func getContext() -> MetricsContext? {
    enter()
    return state.withLock { $0.circumstances }?.context
  }
}

extension PostlipMetricsClient {
  /// Begins a public call.
  /// - Returns: the call's ordinal, its key for random draws.
  @discardableResult
  private func enter() -> UInt64 { state.withLock { $0.begin(platform.clock) } }

  /// The app's own message id if it is valid, else a new one.
  private func messageIdentifier(own: String?, ordinal: UInt64) -> String {
    // Drawn also for an app's own id, so that draws do not depend on what calls pass.
    let bits = platform.random.random128(.messageIdentifier, key: ordinal)
    if let own {
      if Identifier.isValidMessageIdentifier(own) { return own }
      log(.messageIdentifierIgnored)
    }
    return Identifier.uuid(bits)
  }

  /// A call that carries a message with an id of ours.
  private func message(_ type: MessageType, ordinal: UInt64, name: String) -> Call {
    Call(
      .message(type), ordinal: ordinal,
      messageId: messageIdentifier(own: nil, ordinal: ordinal), name: name)
  }

  /// Converts an app's values into the call's payload.
  private func attach(
    _ values: [String: Any], fixed: [(key: String, text: String)] = [], to call: inout Call
  ) {
    var encoder = ValueEncoder()
    encoder.encode(values, fixed: fixed)
    for key in encoder.leftOut { log(.propertyLeftOut(key: key)) }
    if encoder.isTooLarge || encoder.bytes.count > MessageEncoder.mostBytes {
      // It cannot be sent; holding its bytes until that is noticed would only cost memory.
      call.isTooLarge = true
    } else {
      call.payload = encoder.bytes
    }
  }

  private func submit(_ call: Call, traits: [String: Any]) {
    var call = call
    if !traits.isEmpty { attach(traits, to: &call) }
    submit(call)
  }

  /// Hands a call over: its place among all calls is fixed here.
  private func submit(_ call: Call) {
    var call = call
    call.current = platform.context.current()
    let wake = state.withLock { state in
      call.uptime = platform.clock.continuous()
      state.accept(call, platform)
      return state.needsDrain()
    }
    if wake { pipeline.wake() }
  }

  private func log(_ diagnostic: Diagnostic) {
    if diagnostic.needsAttention || state.withLock({ $0.isDebug }) {
      platform.log.log(diagnostic)
    }
  }
}
