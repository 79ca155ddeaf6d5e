import FuzzHistory
import SimKernel

/// What the user decided, flag by flag; nil where the app never passed the flag.
public struct ConsentDecision: Hashable, Sendable {
  public var analytics: Bool?
  public var marketing: Bool?

  public init(analytics: Bool? = nil, marketing: Bool? = nil) {
    self.analytics = analytics
    self.marketing = marketing
  }

  /// What stands for a decision that nobody can read (S-35, S-38).
  static let declined = ConsentDecision(analytics: false, marketing: false)

  /// What `consent.json` says; nil if it is no such file of version 1.
  static func parse(_ content: [UInt8]) -> ConsentDecision? {
    guard let value = try? JSONValue.parse(content), value["version"]?.integer == 1,
      value["opened"]?.bool != nil
    else { return nil }
    guard let decision = value["decision"] else { return ConsentDecision() }
    guard let members = decision.object else { return nil }
    for member in members where member.key == "analytics" || member.key == "marketing" {
      if member.value.bool == nil { return nil }
    }
    return ConsentDecision(
      analytics: decision["analytics"]?.bool, marketing: decision["marketing"]?.bool)
  }

  var words: String {
    func word(_ flag: Bool?) -> String { flag.map { $0 ? "true" : "false" } ?? "absent" }
    return "analytics \(word(analytics)), marketing \(word(marketing))"
  }
}

/// The decision that the next process must find, as far as the calls tell.
enum StoredDecision: Equatable {
  /// What the process reads tells.
  case open
  case known(ConsentDecision)
}

/// What a process learned when it read `consent.json`.
enum DecisionRead: Equatable {
  case notYet
  case found(ConsentDecision)
  /// Corrupt, or of an unknown version.
  case damaged
  /// The read failed although the file may be there.
  case uncertain
  /// The file was not readable when the process began: never again in its life (CON-30).
  case locked
}

extension ReferenceModel {
  /// The process has read what was decided.
  func readDecision(_ outcome: DiskOutcome, _ record: Record, _ context: JudgeContext) {
    let process = Int(record.process)
    guard process >= 0, process < processes.count, processes[process].stage != .started,
      processes[process].decisionRead != .locked
    else { return }
    switch outcome {
    case .done:
      let decision = context.disk.decisionContent.flatMap { ConsentDecision.parse($0) }
      processes[process].decisionRead = decision.map { .found($0) } ?? .damaged
    case .notFound: processes[process].decisionRead = .found(ConsentDecision())
    case .notPermitted: processes[process].decisionRead = .locked
    default: processes[process].decisionRead = .uncertain
    }
  }

  /// Whether a process runs from memory alone, since nobody could tell it what was decided (S-34).
  func isUndecided(_ process: Int) -> Bool {
    processes[process].decisionRead == .uncertain || processes[process].decisionRead == .locked
  }

  /// The decision that a process starts with; none where it could not be read.
  func decisionAtLaunch(_ process: Int) -> ConsentDecision? {
    if isUndecided(process) { return nil }
    if case .known(let decision) = storedDecision { return decision }
    switch processes[process].decisionRead {
    case .found(let decision): return decision
    case .damaged: return .declined
    case .notYet, .uncertain, .locked: return ConsentDecision()
    }
  }

  /// The flags that a process starts with: the decision before the mode, flag by flag (CON-11).
  func applyDecision(_ process: Int) {
    processes[process].isMemoryOnly = isUndecided(process)
    let decision = decisionAtLaunch(process)
    processes[process].decision = decision ?? ConsentDecision()
    processes[process].decisionAtStart = decision
    let byMode = processes[process].options.mode != .required
    processes[process].analytics = decision.map { $0.analytics ?? byMode } ?? false
    processes[process].marketing = decision.map { $0.marketing ?? byMode } ?? false
    processes[process].startedWithoutAnalytics = !processes[process].analytics
    processes[process].isUnderStoredDecision =
      decision != nil && !isDecisionDamaged(process)
      && (processes[process].analytics != byMode || processes[process].marketing != byMode)
  }

  /// The app has passed flags: they are merged into what was decided before (CON-23).
  func decide(
    _ analytics: Bool?, _ marketing: Bool?, _ process: Int, _ now: Int64, _ context: JudgeContext
  ) {
    processes[process].isUnderStoredDecision = false
    var decision = processes[process].decision
    decision.analytics = analytics ?? decision.analytics
    decision.marketing = marketing ?? decision.marketing
    if decision != processes[process].decision || processes[process].decisionRead == .damaged {
      hasDamagedDecision = false
      processes[process].decisionChanged = now
      processes[process].decisionHadSpare = hasSpare(process, now, context)
    }
    processes[process].decision = decision
    if let analytics {
      if analytics != processes[process].analytics { processes[process].consentEpoch += 1 }
      if !analytics, processes[process].isMemoryOnly {
        mayBeWiped = true
        processes[process].hasWithdrawnInMemory = true
      }
    }
  }

  /// Whether a spare lies there or must: where a process has stored for a while and the disk took
  /// what it was given.
  private func hasSpare(_ process: Int, _ now: Int64, _ context: JudgeContext) -> Bool {
    if context.disk.hasWholeSpare { return true }
    guard let since = processes[process].storingSince, now - since > slack else { return false }
    return !hasDamagedSpare && context.disk.lastWriteFailure?.process != Int32(process)
      && !context.disk.governedFiles.isEmpty
  }

  /// Notes at the end of a process what its file must hold: what was decided at least the bound of
  /// an append ago, unless the disk refused it. A full disk is no excuse where a spare lay.
  func noteDecision(_ process: Int, _ now: Int64, _ record: Record, _ context: JudgeContext) {
    let state = processes[process]
    guard state.stage == .started else { return }
    if state.isMemoryOnly {
      if state.decisionChanged != nil { storedDecision = .open }
      return
    }
    if hasDamagedDecision {
      storedDecision = .open
      return
    }
    guard let changed = state.decisionChanged else { return }
    var isRefused = false
    if let failure = context.disk.lastDecisionFailure, failure.process == record.process {
      isRefused = failure.outcome != .noSpace || !state.decisionHadSpare
    }
    storedDecision = isRefused || now - changed <= slack ? .open : .known(state.decision)
  }

  /// Whether a process takes a decision that nobody can read for a decline.
  private func isDecisionDamaged(_ process: Int) -> Bool {
    storedDecision == .open && processes[process].decisionRead == .damaged
  }

  /// All that earlier processes stored is wiped before anything else is done.
  func loseStored(_ process: Int, _ record: Record, _ context: JudgeContext) {
    let isDamaged = isDecisionDamaged(process)
    for index in messages.indices where messages[index].place == .stored {
      let reason: LossReason =
        isDamaged
        ? .fileFault : messages[index].analytics ? .consentRevoked : .memoryOnlyProcessEnd
      lose(index, reason, record.instant)
      messages[index].enqueuedRunning = 0
    }
    // Records of crashes go with it, also where a grant that is held comes with the start.
    dropCrashes()
    loseStoredFirstOpen()
    storedIdentity = .open
  }
}

/// What the rules on consent ask.
extension ReferenceModel {
  private func state(_ process: Int32) -> ProcessModel {
    let index = Int(process)
    return index >= 0 && index < processes.count ? processes[index] : ProcessModel()
  }

  /// What is decided by now in a process.
  func decisionOf(_ process: Int32) -> ConsentDecision {
    state(process, \.decision) ?? ConsentDecision()
  }

  /// A part of what is known of a process; to copy all of it costs more than most questions.
  private func state<Part>(_ process: Int32, _ part: KeyPath<ProcessModel, Part>) -> Part? {
    let index = Int(process)
    return index >= 0 && index < processes.count ? processes[index][keyPath: part] : nil
  }

  /// The decision that a process was launched under; nil if it has read none.
  func decisionAtStart(of process: Int32) -> ConsentDecision? {
    let index = Int(process)
    guard index >= 0, index < processes.count else { return nil }
    if processes[index].stage == .started { return processes[index].decisionAtStart }
    return processes[index].decisionRead == .notYet ? nil : decisionAtLaunch(index)
  }

  /// The decision that lies on disk for certain, once something was decided.
  var durableDecision: ConsentDecision? {
    guard case .known(let decision) = storedDecision, decision != ConsentDecision() else {
      return nil
    }
    return decision
  }

  /// Whether a process may store now: it has analytics consent, or had until a moment ago.
  func mayStore(_ process: Int32, _ context: JudgeContext, at record: Record) -> Bool {
    let state = state(process)
    if state.storingSince != nil { return true }
    guard state.hasStored, let revoked = state.revoked else { return false }
    return running(record, context) - revoked <= slack
  }

  /// Since when analytics is withdrawn in a process, and for how long; nil while it is not.
  func revokedSince(_ process: Int32, at record: Record, _ context: JudgeContext)
    -> (revoked: Int64, elapsed: Int64)?
  {
    let state = state(process)
    guard let revoked = state.revoked, state.storingSince == nil, !state.isMemoryOnly,
      queueProcess == process || endedQueueProcess == process
    else { return nil }
    return (revoked, running(process, record, context) - revoked)
  }

  /// Whether the process of the calm has no analytics consent since that was withdrawn.
  var isWithdrawnAtEnd: Bool {
    let state = state(queueProcess)
    return state.stage == .started && !state.isMemoryOnly && state.decision.analytics == false
  }

  /// Whether anything was decided before or in a process.
  func hasDecision(_ process: Int32) -> Bool { decisionOf(process) != ConsentDecision() }

  func beganWithoutAnalytics(_ process: Int32) -> Bool {
    state(process, \.startedWithoutAnalytics) ?? false
  }
  func hasStored(_ process: Int32) -> Bool { state(process, \.hasStored) ?? false }
}
