extension Pipeline {
  /// How long written bytes wait for a barrier, and failed writes for another try: within the 5 s
  /// of A-02.
  static let storeDelayNanoseconds: Int64 = 4_500_000_000

  /// Stores the ids of the install with the next commit.
  func keepIdentity(_ circumstances: Circumstances) {
    keptCircumstances = circumstances
    guard isStoring else { return }
    store.keep(
      InstallRecord(
        anonymousId: circumstances.anonymousId, userId: circumstances.userId, marks: marks))
  }

  /// Lists of the lane name only what is still queued.
  func forgetGone() { lane.forget { messages.index(of: $0) == nil } }

  /// Makes sure that a message's bytes are in memory.
  func bringToMemory(_ index: Int) -> Bool {
    if messages[index].bytes != nil { return true }
    guard let place = messages[index].place,
      case .bytes(let bytes) = store.journal.read(place, sequence: messages[index].sequence)
    else { return false }
    messages[index].bytes = bytes
    return true
  }

  /// A segment is damaged: what can still be read of it is written anew, in another one, before a
  /// later process finds less.
  func salvage(_ segment: UInt64) {
    guard isStoring else { return }
    store.journal.close(segment)
    for index in 0..<messages.count where messages[index].place?.segment == segment {
      guard bringToMemory(index) else { continue }
      store.journal.rewrite(messages[index])
      messages[index].place = nil
    }
  }

  /// Puts messages of earlier processes into the queue: also without consent, which each of them
  /// carries from its own call. They were stored under it, and sending them is what takes them off
  /// the disk.
  func adopt(_ loaded: [QueuedMessage]) {
    let present = Stamp(
      time: anchor?.milliseconds(atUptime: now) ?? 0, boot: anchor?.boot ?? 0, uptime: now)
    for message in loaded where messages.index(of: message.sequence) == nil {
      var message = message
      if Age.isImplausible(message.aging, present: present) {
        message.aging = present
        store.journal.age(message.sequence, from: present)
      }
      if isLost(message) {
        log(.messageDropped(id: "", .traitsLost))
        store.journal.remove(message)
      } else if isExpired(message, present) {
        log(.messageDropped(id: "", .expired))
        store.journal.remove(message)
      } else if isLaterDuplicate(message) {
        log(.messageDropped(id: "", .duplicateInQueue))
        store.journal.remove(message)
      } else {
        closeGap(&message)
        messages.insert(message)
      }
    }
    while messages.count > settings.maxQueueSize,
      let index = (0..<messages.count).first(where: { !lane.holds(messages[$0].sequence) })
    {
      remove(at: index, .queueBound)
    }
  }

  /// Whether another message with the id of a stored one was made before it and is queued (S-16).
  /// If the other one was made later, while the file of this one could not be read, that one goes.
  ///
  /// Told by the hash of the id: another id with the same 64 bits is not to be expected.
  private func isLaterDuplicate(_ message: QueuedMessage) -> Bool {
    let hash = message.record.identifierHash
    guard messages.contains(identifierHash: hash),
      let index = (0..<messages.count).first(where: { messages[$0].record.identifierHash == hash })
    else { return false }
    if messages[index].sequence < message.sequence { return true }
    if !lane.holds(messages[index].sequence) { remove(at: index, .duplicateInQueue) }
    return false
  }

  /// A guest's identify without its traits says nothing (A-02: traits_lost).
  private func isLost(_ message: QueuedMessage) -> Bool {
    message.record.type == .identify && message.record.flags.contains(.madeWithTraits)
      && !message.record.flags.contains(.hasUser)
  }

  func isExpired(_ message: QueuedMessage, _ present: Stamp) -> Bool {
    Age.nanoseconds(of: message.aging, present: present) > lane.policy.mostAgeNanoseconds
  }

  /// Tries again to read what could not be read before.
  func loadUnreadable() {
    if let limit = unknownBelow {
      guard let loaded = try? store.loadJournal(queuedAt: now) else { return }
      report(loaded)
      unknownBelow = nil
      if loaded.highestSequence < limit {
        adopt(loaded.messages)
      } else {
        // Numbers would clash: what is stored is the next process's, and this one goes on from
        // memory.
        isMemoryOnly = true
        isStoring = false
      }
    } else if store.journal.hasUnreadableSegment {
      let loaded = store.journal.loadUnreadable(queuedAt: now)
      report(loaded)
      // What is in use from other files may have been delivered, says this one. Of messages of this
      // process it cannot know.
      for sequence in loaded.removed where sequence < firstSequence {
        if let index = messages.index(of: sequence) { remove(at: index, nil) }
      }
      forgetGone()
      adopt(loaded.messages)
    }
  }

  /// Writes what changed. Without consent nothing is made on disk: only what lies there is taken
  /// off it.
  func commit() {
    guard unknownBelow != nil || hasStoreWork, holdStorage() else { return }
    if unknownBelow != nil { loadUnreadable() }
    guard hasStoreWork else { return }
    if let error = store.commit(&messages, isStoring: isStoring) { log(.storageFailed(error)) }
  }

  var hasStoreWork: Bool {
    unknownBelow == nil && store.hasWork(isStoring: isStoring) || store.isWipePending
  }

  /// Makes what was written durable.
  func synchronize() {
    guard store.needsBarrier, holdStorage() else { return }
    if let error = store.synchronize() { log(.storageFailed(error)) }
  }

  /// Runs a timer while there is something to make durable or to write again.
  func scheduleStoreTimer() {
    let isNeeded =
      store.needsBarrier || hasStoreWork || unknownBelow != nil || hasCrashWork
    if !isNeeded {
      if let timer = storeTimer { queue.cancel(timer) }
      storeTimer = nil
    } else if storeTimer == nil {
      storeTimer = queue.schedule(
        afterNanoseconds: Self.storeDelayNanoseconds, clock: .continuous
      ) { self.storeTimerFired() }
    }
  }

  private func storeTimerFired() {
    storeTimer = nil
    readCrashesAgain()
    commit()
    synchronize()
    settle()
  }
}
