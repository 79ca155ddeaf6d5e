/// What decides under the SDK's lock whether a crash from here on is recorded, and as whose.
struct CrashCapture: Sendable {
  /// Who the process is while its calls are held.
  struct Early: Sendable {
    var anonymousId: String
    var sessionId: String
    var userId: String?
  }

  var recorder: CrashRecorder?
  /// The id of the event and the app that runs; nil while nothing may be recorded.
  private(set) var fixed: (messageId: String, app: AppVersion)?
  private(set) var early: Early?
  /// The folder is this process's: a dying one asks nobody.
  private(set) var hasStorage = true

  /// Longer ids are not kept either (docs/disk.md: `install.json`).
  private static let mostUserBytes = 8_192
  private static let mostPathScalars = 2_048
  private static let mostVersionScalars = 256

  /// A crash is recorded from here on.
  /// - Parameter early: who the process is until it starts; nil once it has.
  mutating func start(messageId: String, app: AppVersion, early: Early?) {
    let version = app.version.prefix(scalars: Self.mostVersionScalars)
    let build = app.build.prefix(scalars: Self.mostVersionScalars)
    fixed = (messageId, AppVersion(version: version, build: build))
    self.early = early
  }

  /// A crash is not recorded any more (S-106).
  mutating func stop() {
    fixed = nil
    early = nil
    recorder?.clear()
  }

  mutating func setStorage(_ hasStorage: Bool) { self.hasStorage = hasStorage }

  /// What the record would say, by the process's ids.
  func subject(_ ids: Early, path: String, _ anchor: Anchor) -> CrashSubject? {
    guard let fixed, hasStorage else { return nil }
    let userId = ids.userId.flatMap { $0.utf8.count > Self.mostUserBytes ? nil : $0 }
    return CrashSubject(
      messageId: fixed.messageId, anonymousId: ids.anonymousId, sessionId: ids.sessionId,
      userId: userId, path: path.prefix(scalars: Self.mostPathScalars), app: fixed.app,
      anchor: anchor.wall, anchorUptime: anchor.uptime)
  }
}

extension CallState {
  /// Brings what a crash would say in line with the state. Allocates, and enters no port.
  mutating func prepareCrash() {
    guard crashCapture.fixed != nil, let recorder = crashCapture.recorder, let anchor else {
      return
    }
    var ids: CrashCapture.Early?
    switch phase {
    case .unloaded, .failed: break
    case .loading: ids = crashCapture.early
    case .running(let circumstances):
      if circumstances.analytics {
        ids = CrashCapture.Early(
          anonymousId: circumstances.anonymousId, sessionId: circumstances.sessionId,
          userId: circumstances.userId)
      }
    }
    guard let ids, let subject = crashCapture.subject(ids, path: shownPath, anchor) else {
      return recorder.clear()
    }
    recorder.prepare(subject)
  }

  /// Seals the event of a crash: with the ids of the process that died, the consent of this
  /// instant, and no claim on any session (S-59).
  /// - Returns: its number; nil where analytics was refused in the meantime.
  mutating func sealCrash(_ record: CrashRecord) -> UInt64? {
    guard let circumstances, circumstances.analytics, let launch else { return nil }
    let subject = record.subject
    var call = Call(
      .message(.track), ordinal: launch.ordinal, messageId: subject.messageId, name: "$crash")
    call.origin = .crash
    call.uptime = launch.uptime
    call.current = launch.current
    call.payload = record.properties
    call.app = subject.app
    let sequence = nextSequence
    let own = Circumstances(
      generation: 3 << 62 | sequence, sessionNumber: 0, sessionId: subject.sessionId,
      anonymousId: subject.anonymousId, userId: subject.userId, mode: circumstances.mode,
      analytics: true, marketing: circumstances.marketing)
    add(
      .message(
        SealedMessage(
          call: call, type: .track, sequence: sequence, time: record.time, userId: own.userId,
          previousId: nil, circumstances: own, isFromForeground: false)))
    nextSequence += 1
    return sequence
  }
}
