/// `$first_open`, and the marks by which the install remembers what it has had.
extension Pipeline {
  /// Reads the marks of the install. What the decision's file says counts as much.
  /// - Returns: the update that is to be reported once analytics is on, if there is one.
  func readMarks() -> AppUpdate? {
    let fixed = platform.context.fixed()
    let running = AppVersion(version: fixed.appVersion, build: fixed.appBuild)
    runningApp = running
    marks = InstallMarks()
    if case .known(let record) = store.install { marks = record.marks }
    if store.hasOpened { marks.isOpened = true }
    let previous = marks.app ?? running
    // Not reported is not remembered either: it would be reported long after it happened.
    marks.app = settings.tracksLifecycle ? previous : running
    guard settings.tracksLifecycle, previous != running else { return nil }
    return AppUpdate(previous: previous, current: running)
  }

  /// A launch has analytics consent from here on: `$first_open` is due once in an install.
  func consider(_ launch: Launch, _ circumstances: Circumstances) {
    guard isStoring, firstOpen.due == nil else { return }
    // It may have been tried without consent, from the stored queue.
    if marks.isOpened || store.hasOpened || !settings.tracksLifecycle {
      // Waived for good where it is switched off (S-51). One that waits for its first request is
      // neither: a withdrawal may still take it back.
      if !isFirstOpenQueued { markOpened() }
      return
    }
    let stored = marks.firstOpen
    if let stored, let sequence = sequence(ofQueued: stored.messageId) {
      // A process has queued it and did not come to the mark.
      unmarked.append((sequence, .firstOpen))
      return
    }
    let record =
      stored
      ?? PendingFirstOpen(
        messageId: Identifier.uuid(
          platform.random.random128(.lifecycle, key: 1 << 62 | circumstances.generation)),
        sessionId: circumstances.sessionId, time: launch.time)
    let attempt = firstOpen.begin(
      FirstOpen.Due(
        record: record, circumstances: circumstances, launch: launch, isLate: stored != nil),
      now: now)
    marks.firstOpen = record
    keepMarks()
    firstOpenTimer = queue.schedule(
      afterNanoseconds: FirstOpen.patienceNanoseconds, clock: .continuous
    ) {
      self.firstOpenTimer = nil
      self.firstOpen.takeTimeout(attempt: attempt)
      self.abortAttribution()
      self.settle()
    }
  }

  private var isFirstOpenQueued: Bool {
    marks.firstOpen.flatMap { sequence(ofQueued: $0.messageId) } != nil
  }

  func sequence(ofQueued messageId: String) -> UInt64? {
    let hash = fnv1a64(messageId.utf8)
    guard messages.contains(identifierHash: hash) else { return nil }
    return (0..<messages.count).first { messages[$0].record.identifierHash == hash }
      .map { messages[$0].sequence }
  }

  /// Queues `$first_open` once nothing is missing, and marks what lies safely on disk.
  func advanceLifecycle() {
    adoptMarks()
    beginAttribution()
    if let due = firstOpen.ready(stored: storedMarks), hasRoom, isDurable() {
      let facts = firstOpen.facts
      let install = InstallFacts.member(facts, platform.attribution.distribution())
      let isSealed = state.withLock { $0.sealFirstOpen(due, install) }
      // Analytics was refused in this instant: the queue will hear of it and cancel.
      if isSealed {
        endFirstOpen()
        takeInputs()
        commit()
      }
    }
    if takeMarks() { commit() }
  }

  /// What was written is safe from a power loss: what is sent must not come again under another id,
  /// and a mark must not outlive its message.
  func isDurable() -> Bool {
    guard holdStorage(), isStoring else { return false }
    guard let error = store.synchronize() else { return true }
    log(.storageFailed(error))
    return false
  }

  /// A full queue whose messages are all in flight would drop it for good (S-17): it can wait.
  var hasRoom: Bool {
    messages.count < settings.maxQueueSize
      || (0..<messages.count).contains { !lane.holds(messages[$0].sequence) }
  }

  /// A message that stands for a mark was queued, or dropped for good.
  func noteQueued(_ message: SealedMessage) {
    switch message.call.origin {
    case .app, .appOpen, .screenLeave, .automaticScreen, .crash, .hang: return
    case .appUpdated, .firstOpen: break
    }
    unmarked.append((message.sequence, message.call.origin))
  }

  /// The marks of what is on disk or gone from the queue. The message is made durable first: a mark
  /// that outlives it would lose it.
  private func takeMarks() -> Bool {
    guard isStoring, !unmarked.isEmpty, unmarked.contains(where: isSettled) else { return false }
    guard isDurable() else { return false }
    for mark in unmarked where isSettled(mark) {
      if case .firstOpen = mark.origin {
        marks.isOpened = true
        keepMarks()
      } else {
        marks.app = runningApp
        keepMarks()
      }
    }
    unmarked.removeAll(where: isSettled)
    return true
  }

  private func isSettled(_ mark: (sequence: UInt64, origin: Call.Origin)) -> Bool {
    guard let index = messages.index(of: mark.sequence) else { return true }
    return messages[index].place != nil
  }

  /// Nothing is left that a withdrawal could take back.
  private func markOpened() {
    store.setOpened(true)
    if marks.isOpened { return }
    marks.isOpened = true
    marks.firstOpen = nil
    keepMarks()
  }

  private func keepMarks() {
    if let keptCircumstances { keepIdentity(keptCircumstances) }
  }

  /// Takes out of a batch what may not be tried yet: a `$first_open` goes once the decision's file
  /// says durably that it was tried, so that no process after this one takes it back. A
  /// death between the two costs an event at most, and only if it is withdrawn before the next
  /// request.
  func markingAttempt(_ list: [UInt64]) -> [UInt64] {
    guard !isMemoryOnly, !store.hasOpened, marks.firstOpen != nil || store.install == .unreadable,
      let first = list.first(where: isFirstOpen)
    else { return list }
    if let error = store.markOpened() {
      log(.storageFailed(error))
      if let index = messages.index(of: first) { setAside(at: index) }
      return list.filter { $0 != first }
    }
    return list
  }

  /// Whether a message is the `$first_open` of the install: by its name where the record with its
  /// id could not be read.
  private func isFirstOpen(_ sequence: UInt64) -> Bool {
    guard let index = messages.index(of: sequence) else { return false }
    let message = messages[index]
    if store.install != .unreadable, let messageId = marks.firstOpen?.messageId {
      return message.record.identifierHash == fnv1a64(messageId.utf8)
    }
    return message.record.type == .track
      && message.bytes.map { MessageBytes.isEvent("$first_open", $0) } ?? false
  }

  /// Everything stored goes. What is to be known of `$first_open` stays in the decision:
  /// that it was queued, unless it is dropped before any attempt.
  func forgetMarks() {
    endFirstOpen()
    let wasQueued = marks.isOpened || unmarked.contains { $0.origin == .firstOpen }
    let isOpened = store.hasOpened || wasQueued && !isFirstOpenQueued
    unmarked = []
    marks = InstallMarks(app: runningApp, isOpened: isOpened)
    store.setOpened(isOpened)
  }

  func endFirstOpen() {
    firstOpen.end()
    abortAttribution()
    if let firstOpenTimer { queue.cancel(firstOpenTimer) }
    firstOpenTimer = nil
  }

  private var storedMarks: InstallMarks? {
    if case .known(let record) = store.install { return record.marks }
    return nil
  }

  /// A record that could not be read at the start was read since: what it says stands.
  private func adoptMarks() {
    guard isStoring, !store.isKeeping, let stored = storedMarks, stored != marks else { return }
    marks = stored
    if store.hasOpened, !marks.isOpened {
      // Sent meanwhile, from the stored queue.
      marks.isOpened = true
      keepMarks()
    }
    if marks.isOpened { return endFirstOpen() }
    guard let record = stored.firstOpen else { return }
    if let sequence = sequence(ofQueued: record.messageId) {
      endFirstOpen()
      if !unmarked.contains(where: { $0.sequence == sequence }) {
        unmarked.append((sequence, .firstOpen))
      }
    } else if let due = firstOpen.due, due.record != record {
      firstOpen.adopt(record)
    }
  }
}
