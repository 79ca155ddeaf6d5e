import FuzzHistory
import SimKernel

/// What the rules on the lifecycle ask.
extension ReferenceModel {
  /// How long after a change a barrier must have covered it.
  var durableBound: Int64 { slack + ReferenceModel.barrierBound }

  /// The power went: what no barrier covered may be gone.
  func loseUnsyncedMarks() {
    if !openings.isPendingDurable { openings.pendingMilliseconds = nil }
  }

  /// What is wrong with a `$first_open`, beside its content.
  public func faults(ofFirstOpen message: Int32) -> [FirstOpenFault] {
    firstOpenFaults.filter { $0.message == message }.map(\.fault)
  }

  /// Whether a `$first_open` belongs to the launch of an earlier process.
  func isLate(firstOpen message: Int32) -> Bool { lateFirstOpens.contains(message) }

  /// Whether a process owes a `$first_open` that had to be in its queue by now.
  func lacksFirstOpen(_ process: Int32, _ record: Record, _ context: JudgeContext) -> Bool {
    guard owesFirstOpen(process) != nil, let due = processes[Int(process)].lifecycle.due else {
      return false
    }
    return isLate(due, process, record, context)
  }

  /// Since when a process owes a `$first_open`, in its running time; nil if it owes none.
  func owesFirstOpen(_ process: Int32) -> Int64? {
    let index = Int(process)
    guard index >= 0, index < processes.count, processes[index].stage == .started,
      let due = processes[index].lifecycle.due, !due.isOptional
    else { return nil }
    return due.sinceRunning
  }

  /// Whether a process takes its install for one that was opened before, under consent.
  func countsAsOpened(_ process: Int32) -> Bool {
    let index = Int(process)
    guard index >= 0, index < processes.count, processes[index].stage == .started else {
      return false
    }
    return processes[index].storingSince != nil && processes[index].lifecycle.isOpened
      && processes[index].lifecycle.hasBegun
  }

  /// Whether a process that may store has done so for certain by now: it had the time, and the disk
  /// took what it was given. Nil if it may not.
  func storing(
    _ process: Int32, at record: Record, _ context: JudgeContext, durably: Bool = false
  ) -> Bool? {
    let index = Int(process)
    guard index >= 0, index < processes.count, let since = processes[index].storingSince else {
      return nil
    }
    let now = context.processes.undisturbedTime(
      process, at: record.instant, longestHandOff: history.header.longestHandOff
    ).nanoseconds
    let hasFailed =
      context.disk.lastWriteFailure?.process == process
      || context.disk.lastReadFailure?.process == process
    return now - since > (durably ? durableBound : slack) && !hasFailed && !hasDamagedIdentity
      && !processes[index].installIsUncertain
  }

  /// Whether all that a process had stored is wiped for certain.
  func isWiped(_ process: Int32, at record: Record, _ context: JudgeContext) -> Bool {
    let index = Int(process)
    guard index >= 0, index < processes.count, processes[index].storingSince == nil,
      let revoked = processes[index].revoked, context.disk.installContent == nil
    else { return false }
    let now = context.processes.undisturbedTime(
      process, at: record.instant, longestHandOff: history.header.longestHandOff
    ).nanoseconds
    return now - revoked > ReferenceModel.wipeBound + slack
  }

  func hasRevoked(_ process: Int32) -> Bool {
    let index = Int(process)
    return index >= 0 && index < processes.count && processes[index].revoked != nil
  }

  func change(of message: ExpectedMessage) -> AppChange? {
    if case .appUpdated(let change) = message.cause { return changes[Int(change)] }
    return nil
  }
}
