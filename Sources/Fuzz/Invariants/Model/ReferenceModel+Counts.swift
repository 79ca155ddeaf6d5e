import FuzzHistory

/// What became of the messages of a run.
extension ReferenceModel {
  /// How one message ended.
  enum Fate {
    case delivered
    case queued
    /// On disk, where a process that never starts leaves it.
    case dormant
    case lost(LossReason)
    /// Gone without any lawful reason.
    case missing
  }

  func fate(_ index: Int, _ context: JudgeContext) -> Fate {
    let message = messages[index]
    if message.isDelivered { return .delivered }
    if let loss = message.loss { return .lost(loss) }
    if message.mayBeEvicted { return .lost(.queueBound) }
    if message.isUnreadAtRevoke { return .lost(.fileFault) }
    if message.unlawful != nil { return message.formerLoss.map { .lost($0) } ?? .missing }
    switch message.place {
    case .dormant: return .dormant
    case .held, .queued, .stored: return .queued
    case .gone: return message.formerLoss.map { .lost($0) } ?? .missing
    }
  }

  /// Visits the messages that were to be made and are in no request and in no file at the end.
  /// - Parameter isQuiet: nothing is on its way any more, so what waits in memory counts too.
  func forEachUnmade(
    _ context: JudgeContext, isQuiet: Bool, _ body: (ExpectedMessage) -> Void
  ) {
    for index in messages.indices where !messages[index].isSighted {
      guard messages[index].journalRecord < 0 else { continue }
      switch fate(index, context) {
      case .missing: body(messages[index])
      case .queued where isQuiet: body(messages[index])
      default: continue
      }
    }
  }

  /// Accepted is what was not refused; delivered, queued, missing and the losses without `refused`
  /// add up to it.
  func counts(_ context: JudgeContext) -> MessageCounts {
    var counts = MessageCounts()
    var losses = Array(repeating: 0, count: LossReason.allCases.count)
    losses[Int(LossReason.refused.rawValue)] += refusedCalls.count
    for index in messages.indices {
      let fate = fate(index, context)
      if case .lost(.refused) = fate {} else { counts.accepted += 1 }
      switch fate {
      case .delivered: counts.delivered += 1
      case .queued, .dormant: counts.queued += 1
      case .lost(let reason): losses[Int(reason.rawValue)] += 1
      case .missing: counts.dropped["missing", default: 0] += 1
      }
    }
    for reason in LossReason.allCases where losses[Int(reason.rawValue)] > 0 {
      counts.dropped[reason.word] = losses[Int(reason.rawValue)]
    }
    return counts
  }
}
