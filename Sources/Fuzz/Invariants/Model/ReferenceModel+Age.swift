import FuzzHistory
import SimKernel

/// From when a message ages, and what became too old (A-03, S-24).
extension ReferenceModel {
  /// How long a message has been in the queue, by the clock that A-03 names, in nanoseconds.
  func age(_ index: Int, _ record: Record, _ context: JudgeContext) -> Int64 {
    let process = record.process >= 0 ? Int(record.process) : Int(messages[index].process)
    guard process < processes.count else { return 0 }
    let now = context.continuousNow(record)
    let stamp = messages[index].aging
    if stamp.boot == processes[process].boot { return max(0, now - stamp.continuous) }
    let anchored = processes[process].anchoredTime(continuous: now)
    return max(0, anchored - stamp.milliseconds * 1_000_000)
  }

  /// A message of another boot whose stamp cannot be true ages from its first load on.
  func putAgeRight(_ index: Int, _ record: Record, _ context: JudgeContext) {
    let process = Int(record.process)
    let stamp = messages[index].aging
    if stamp.boot == processes[process].boot { return }
    let now = context.continuousNow(record)
    let anchored = millisecondsFloor(processes[process].anchoredTime(continuous: now))
    if stamp.milliseconds >= ReferenceModel.releaseDate,
      stamp.milliseconds <= anchored + ReferenceModel.day
    {
      return
    }
    messages[index].aging = AgingStamp(
      milliseconds: anchored, boot: processes[process].boot, continuous: now)
  }

  /// Messages over 30 days leave before an attempt (S-24, S-25).
  /// - Returns: whether any has left.
  func dropExpired(_ record: Record, _ context: JudgeContext) -> Bool {
    var kept: [Int32] = []
    for item in queue {
      let index = Int(item)
      if isInRequest(index, record) || age(index, record, context) <= ReferenceModel.largestAge {
        kept.append(item)
      } else {
        lose(index, .expired, record.instant)
      }
    }
    let hasDropped = kept.count < queue.count
    if hasDropped { queue = kept }
    return hasDropped
  }

  /// Whether a record starts a request with this message.
  private func isInRequest(_ index: Int, _ record: Record) -> Bool {
    if case .requestStarted(let exchange, _, _, _, _, _, _, _, _, _, _) = record.fact {
      return messages[index].lastExchange == Int64(exchange)
    }
    return false
  }
}
