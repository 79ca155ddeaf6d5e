import FuzzHistory
import SimKernel

/// Who the install is for its next process, as far as the calls tell (ID-01, ID-02, CON-16).
enum StoredIdentity {
  /// The calls leave it open: what the process reads tells.
  case open
  /// A wipe has taken it.
  case absent
  /// The visitor, as an index of drawn ids, and the user.
  case known(anonymous: Int32, user: Int32)
}

extension ReferenceModel {
  /// Longer user ids are not kept: no message with one fits (S-08).
  private static let longestUser = 8_192

  /// Who a process is that starts under consent.
  func adoptIdentity(_ index: Int) {
    let state = processes[index]
    if !state.analytics || state.installIsUncertain {
      readIdentity(index)
      return
    }
    switch storedIdentity {
    case .open: readIdentity(index)
    case .absent: processes[index].anonymous = newDrawn()
    case .known(let anonymous, let user):
      processes[index].anonymous = anonymous
      processes[index].user = user
      processes[index].hasAdoptedIdentity = true
    }
  }

  /// Who a process is by the record that it has read.
  private func readIdentity(_ index: Int) {
    processes[index].anonymous = newDrawn()
    guard processes[index].analytics, let stored = processes[index].installAnonymousId else {
      return
    }
    drawn[Int(processes[index].anonymous)].bytes = stored
    drawn[Int(processes[index].anonymous)].isRead = true
    processes[index].hasAdoptedIdentity = true
    if let user = processes[index].installUserId { setUser(user, index) }
  }

  /// Notes at the end of a process what its record must hold: what was changed at least the bound
  /// of an append ago, unless the disk failed.
  func noteIdentity(_ index: Int, _ now: Int64, _ record: Record, _ context: JudgeContext) {
    let state = processes[index]
    guard state.stage == .started else { return }
    if state.isMemoryOnly {
      if state.revoked != nil { storedIdentity = .open }
      return
    }
    identityMayBeUnsynced =
      mayBeUnsynced(index, writtenAt: state.identityChanged, now: now)
      || context.disk.lastWriteFailure?.process == record.process
    let hasFailed = context.disk.lastWriteFailure?.process == record.process
    if state.installIsUncertain || hasFailed || hasDamagedIdentity {
      storedIdentity = .open
    } else if state.storingSince != nil {
      let isWritten = now - state.identityChanged > slack
      let isTooLong =
        state.user >= 0 && users[Int(state.user)].utf8.count > ReferenceModel.longestUser
      storedIdentity =
        isWritten && !isTooLong ? .known(anonymous: state.anonymous, user: state.user) : .open
    } else if let revoked = state.revoked {
      storedIdentity = now - revoked > ReferenceModel.wipeBound + slack ? .absent : .open
    }
  }

  /// Consent came or went: from now on a process stores, or does so no more.
  func noteConsent(_ index: Int, _ analytics: Bool, _ now: Int64) {
    if !analytics {
      processes[index].storingSince = nil
      processes[index].revoked = now
    } else if processes[index].storingSince == nil, !processes[index].isMemoryOnly {
      processes[index].hasStored = true
      processes[index].storingSince = now
      processes[index].identityChanged = now
    }
  }

  /// Whether an id that is seen for the first time is no other one's: ids are drawn by chance.
  func isNew(_ bytes: [UInt8]) -> Bool {
    !drawn.contains { !$0.isRead && $0.bytes == bytes }
  }
}
