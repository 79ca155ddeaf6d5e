import FuzzHistory
import SimKernel

/// Outside retry waits a request starts when its trigger comes: not before, and at once after.
public final class INV13: Invariant {
  static let info = InvariantInfo(
    id: "INV-13",
    statement:
      "Outside retry waits a request starts at the flushAt-th message, at flushInterval, at"
      + " background entry and at flush.",
    kind: .safety,
    requirements: [
      "OPT-07", "OPT-09", "OPT-29", "TRN-01", "TRN-02", "TRN-03", "TRN-04", "API-20",
    ],
    antecedent: "With messages waiting and no request or wait, a trigger comes.")

  private var triggers = SendTriggers()
  private var owed: SendTriggers.Owed?
  private var openTasks = 0
  /// The app went to the background with messages waiting, and no request has started since.
  private var needsTask = false
  /// Reading the journal failed or a file was damaged: what can be sent is not known.
  private var isDoubtful = false

  public init() {
    super.init(
      INV13.info,
      on: [
        .stackSampled,
        .launched, .callBegan, .callReturned, .phase, .requestStarted, .exchangeEnded,
        .exchangeCancelled, .firstQueueJobEnded, .disk, .fileDamaged, .backgroundTaskBegan,
        .backgroundTaskEnded, .backgroundTaskExpired, .ended, .calmEnded, .storageLock,
        .controllerAppeared,
      ])
  }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    if context.model.crashFoundAtRecord == context.recordIndex { triggers.noteCrashEvent() }
    switch record.fact {
    case .launched:
      triggers.reset(at: record.instant)
      openTasks = 0
      needsTask = false
      isDoubtful = false
      owed = nil
      return
    case .disk(let operation, let outcome, _, _, _, _, _, _):
      if outcome != .done, outcome != .notFound,
        operation == .read || operation == .list || operation == .size
      {
        isDoubtful = true
      } else if context.model.madeAtRecord != context.recordIndex,
        context.disk.lastDecisionFailure?.instant != record.instant
      {
        return
      }
    case .fileDamaged: isDoubtful = true
    case .requestStarted(let number, _, _, _, _, _, _, _, _, _, _):
      if context.model.madeAtRecord == context.recordIndex {
        triggers.count(at: record.instant, context)
      }
      // A start that waited for the lock of a shared container is known by what it leads to.
      if context.header.hasSharedGroup, context.model.isStarted(record.process) {
        triggers.start(at: record.instant, context)
      }
      if context.lane.started != nil { start(number, record, context) }
    case .storageLock: if context.storageLock.tookKnowledge { triggers.leaveStorage() }
    case .backgroundTaskBegan: openTasks += 1
    case .backgroundTaskEnded: openTasks -= 1
    // Who was told that the time is up gets no new task.
    case .backgroundTaskExpired: needsTask = false
    default: take(record, context)
    }
    // A `$first_open` may complete the count.
    if context.model.madeAtRecord == context.recordIndex {
      triggers.count(at: record.instant, context)
    }
    follow(record, context)
  }

  private func take(_ record: Record, _ context: JudgeContext) {
    switch record.fact {
    case .callBegan(let call, _, _, _, _):
      if case .flush = context.history.calls[Int(call)] {
        triggers.flush(at: record.instant, context)
      } else {
        triggers.count(at: record.instant, context)
      }
    case .phase(let phase):
      if phase == .suspended { checkLate(record, context) }
      triggers.take(phase, at: record.instant, context)
      // An `$app_open` may complete the count.
      triggers.count(at: record.instant, context)
    case .exchangeEnded(let number, _, _, _, _):
      let exchange = context.ledger[number]
      guard exchange.isBatch, exchange.process == context.processes.current else { return }
      let count = exchange.slots.count
      triggers.end(
        exchange.received.map { context.ledger.verdict($0, messageCount: count) },
        exchange.received?.status ?? 0, at: record.instant, context)
    case .ended, .calmEnded: checkLate(record, context)
    case .controllerAppeared: triggers.count(at: record.instant, context)
    // The event of a hang may complete the count.
    case .stackSampled: triggers.count(at: record.instant, context)
    default: break
    }
  }

  /// What is owed from here on.
  private func follow(_ record: Record, _ context: JudgeContext) {
    if context.model.isStarted(context.processes.current) {
      triggers.start(at: record.instant, context)
    }
    triggers.settle(context)
    let before = owed
    owed = triggers.owed(context, isDoubtful: isDoubtful)
    if let owed, before?.cause != owed.cause || before?.since != owed.since {
      antecedent()
      // A send that has to wait first is not run under the task of the entry (S-18).
      if owed.cause == .background, case .phase(.background) = record.fact { needsTask = true }
    } else if let before, before.since == owed?.since {
      owed?.diskSteps = before.diskSteps
    }
    if case .phase(let phase) = record.fact, phase != .background { needsTask = false }
  }

  private func start(_ number: UInt32, _ record: Record, _ context: JudgeContext) {
    // A `$first_open` that the disk refused, first seen here, may have taken the place of what was
    // due (S-17).
    if context.model.madeAtRecord != context.recordIndex
      || context.disk.lastWriteFailure?.process != record.process
    {
      checkLate(record, context)
    }
    checkEarly(number, record, context)
    if needsTask, openTasks == 0 {
      report(
        "a send at background entry has no background task", at: record, context,
        "Batch request \(number) starts after the app went to the background, and no background task"
          + " was begun for it.")
    }
    needsTask = false
    triggers.request()
  }

  private func checkLate(_ record: Record, _ context: JudgeContext) {
    guard let owed else { return }
    let slack = context.lane.slack(context, sinceDiskSteps: owed.diskSteps)
    guard record.instant > owed.since + slack else { return }
    let late = (record.instant - owed.since).milliseconds
    report(
      "no request starts after \(owed.cause.rawValue)", at: record, context,
      "A batch request was due by \(owed.cause.rawValue)\(waiting(owed, context)), and \(late) ms later"
        + (context.lane.started == nil ? " none has started." : " one starts at last."))
    self.owed = nil
  }

  private func waiting(_ owed: SendTriggers.Owed, _ context: JudgeContext) -> String {
    guard owed.message >= 0 else { return "" }
    let message = context.model.messages[Int(owed.message)]
    return " for the \(context.model.nameText(Int(owed.message))) of process \(message.process)"
  }

  private func checkEarly(_ number: UInt32, _ record: Record, _ context: JudgeContext) {
    guard let start = context.lane.started, !isDoubtful else { return }
    if start.list != .free, triggers.allowed == nil, let first = context.model.sightings.first,
      first.expected >= 0
    {
      // The refusal of one half has ended the pass: the other half goes when an interval ends.
      triggers.note(first.expected, sentAt: record.instant, context)
    }
    guard start.list == .free, start.wait == nil else { return }
    // A `$first_open` that the disk refused is first seen here: since when it waits is not known.
    // One whose mark was refused has opened the send and is left behind.
    if context.model.madeAtRecord == context.recordIndex { return }
    if let failure = context.disk.lastDecisionFailure, failure.process == record.process,
      (record.instant - failure.instant).nanoseconds <= context.model.slack
    {
      return
    }
    // So has the event of a crash whose record cannot be removed (S-58).
    if context.model.holdsCrashBack(record.process, context) { return }
    for sighting in context.model.sightings {
      if sighting.expected < 0 { return }
      if triggers.allows(sighting.expected, at: record.instant, context) {
        triggers.note(sighting.expected, sentAt: record.instant, context)
        return
      }
    }
    report(
      "a request starts before any trigger", at: record, context,
      "Batch request \(number) starts with \(context.ledger[number].slots.count) messages, fewer than"
        + " flushAt, before their interval, without a flush or a way to the background.")
  }
}
