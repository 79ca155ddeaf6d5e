extension Pipeline {
  /// Starts the client. Runs in `load`, on any thread.
  func start(writeKey: String, host: String, options: PostlipMetrics.Options) {
    platform.application.observe { [weak self] event in self?.note(event) }
    observeScreens(options)
    queue.async {
      self.begin(Connection(host: host, writeKey: writeKey), options)
    }
  }

  /// The first job: asks for the config, and reads what is stored while the answer is on its way.
  private func begin(_ connection: Connection, _ options: PostlipMetrics.Options) {
    self.connection = connection
    isDebug = options.debug ?? false
    anchor = state.withLock { $0.anchor }
    let asksForConfig = options.remoteConfig ?? true
    let startedAt = now
    if asksForConfig {
      _ = platform.http.start(connection.configRequest(), on: queue) { result in
        self.finishConfig(result, startedAt: startedAt, options)
      }
    }
    readStored()
    if asksForConfig { captureCrashesEarly(options) }
    if state.withLock({ $0.position == .unknown }) { askForPosition() }
    // A process that runs from memory needs no lock while it waits for the config.
    if isStorageShared && isMemoryOnly { finishBackgroundTask() }
    if !asksForConfig { apply(options, .none) }
  }

  private func finishConfig(
    _ result: Result<HTTPResponse, HTTPFailure>, startedAt: Int64,
    _ options: PostlipMetrics.Options
  ) {
    apply(options, readConfig(result, startedAt: startedAt))
  }

  /// The config in an answer; what goes wrong in any way means the defaults (OPT-22).
  private func readConfig(_ result: Result<HTTPResponse, HTTPFailure>, startedAt: Int64)
    -> RemoteConfig
  {
    let timeout = Int64(Connection.configTimeoutMilliseconds) * 1_000_000
    guard case .success(let response) = result, (200..<300).contains(response.status),
      now - startedAt <= timeout, let config = RemoteConfig.parse(response.body)
    else {
      log(.configFailed)
      return .none
    }
    log(.configApplied)
    return config
  }

  /// Reads the headers of the stored queue.
  /// - Returns: a number that no sequence number on disk exceeds, as far as anybody can tell.
  func loadQueue() -> UInt64 {
    unknownBelow = nil
    do {
      let loaded = try store.loadJournal(queuedAt: now)
      report(loaded)
      self.loaded = loaded.messages
      // A file that could not be read may name any number.
      return loaded.failures.isEmpty
        ? loaded.highestSequence
        : max(
          loaded.highestSequence + JournalFormat.numbersPerSegment, numberOfNow)
    } catch {
      log(.storageFailed(error))
      unknownBelow = numberOfNow + 1
      return numberOfNow
    }
  }

  /// Numbers on disk count messages, or are of this kind and older: the present lies above them.
  var numberOfNow: UInt64 { UInt64(max(anchor?.milliseconds ?? 0, 1)) << 16 }

  func report(_ loaded: LoadedJournal) {
    for failure in loaded.failures { log(.storageFailed(failure)) }
    if loaded.damagedRecords > 0 { log(.journalDamaged(records: loaded.damagedRecords)) }
  }

  /// The config is known or given up, and so is where the app stood at `load`: settings stand, and
  /// everything held is sealed in order.
  private func apply(_ options: PostlipMetrics.Options, _ config: RemoteConfig) {
    if state.withLock({ $0.position == .unknown }) {
      awaitingPosition = (options, config)
      return
    }
    settings = Settings(options, config)
    lane = Lane(policy: .postlip(flushAt: settings.flushAt))
    encoder = MessageEncoder(platform.context.fixed(), isTest: settings.isTest)
    forgetWithoutLock()
    if isMemoryOnly && !store.consent.isLocked {
      readStored()
    } else if unknownBelow != nil {
      // Once more before the first number is given away.
      noteFirstSequence(loadQueue())
    }
    highestSealed = firstSequence - 1
    let initial = consentAtStart
    allowsMarketing = initial.marketing
    isStoring = initial.analytics && !isMemoryOnly
    if isStoring, store.install == .unreadable { _ = store.loadInstall() }
    let circumstances = initialCircumstances(initial)
    let sessionClock = beginSession(circumstances)
    adopt(loaded)
    loaded = []
    let update = readMarks()
    keepIdentity(circumstances)
    keepSession()
    if messages.count >= settings.flushAt { trigger() }
    state.withLock {
      $0.start(
        circumstances, sessionClock, firstSequence: firstSequence, update, settings, platform)
    }
    takeInputs()
    watchHangs()
    if isBackgroundHeld {
      commit()
      synchronize()
      trigger()
    }
    isBackgroundHeld = false
    isStarted = true
    settle()
  }

  /// The main thread was heard of: a start that waits for it goes on.
  func applyIfPlaced() {
    guard let (options, config) = awaitingPosition else { return }
    awaitingPosition = nil
    apply(options, config)
  }

  /// Who the process is: the stored install where it may be used, else a new visitor.
  private func initialCircumstances(_ consent: (analytics: Bool, marketing: Bool))
    -> Circumstances
  {
    let own = drawOwnIds()
    let session = (isStoring ? storedSession?.id : nil) ?? own.session
    var anonymousId = own.anonymous
    var userId: String?
    if isStoring, case .known(let record) = store.install {
      anonymousId = record.anonymousId
      userId = record.userId
    }
    return Circumstances(
      generation: 1, sessionNumber: 1, sessionId: session, anonymousId: anonymousId,
      userId: userId, mode: settings.mode, analytics: consent.analytics,
      marketing: consent.marketing)
  }
}
