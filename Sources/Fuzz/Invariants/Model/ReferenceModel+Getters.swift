import FuzzHistory
import SimKernel

/// What the getters must answer (API-21, API-22, S-06).
extension ReferenceModel {
  enum GetterVerdict: Equatable {
    case right
    /// Answered before the start.
    case early
    /// Nil after the start.
    case missing
    case wrong(String)
  }

  /// Judges the answer of a getter at its return.
  func judgeGetter(
    _ call: UInt32, _ hasValue: Bool, _ value: ByteSlice, _ record: Record, _ context: JudgeContext
  ) {
    getterVerdict = nil
    guard Int(call) < history.calls.count else { return }
    let isContext: Bool
    switch history.calls[Int(call)] {
    case .getAnonymousId: isContext = false
    case .getContext: isContext = true
    default: return
    }
    let process = Int(record.process)
    guard process >= 0, process < processes.count else { return }
    guard processes[process].stage == .started else {
      getterVerdict = hasValue ? .early : .right
      return
    }
    guard hasValue else {
      getterVerdict = .missing
      return
    }
    getterVerdict =
      isContext
      ? contextVerdict(arena.slice(value), process)
      : bindVerdict(processes[process].anonymous, Array(arena.slice(value)), "anonymousId")
  }

  private func contextVerdict(_ bytes: UnsafeRawBufferPointer, _ process: Int) -> GetterVerdict {
    guard let value = try? JSONValue.parse(bytes), let id = value["anonymousId"]?.string,
      let session = value["session"]?["id"]?.string
    else { return .wrong("shape") }
    let state = processes[process]
    let anonymous = bindVerdict(state.anonymous, Array(id.utf8), "anonymousId")
    if anonymous != .right { return anonymous }
    let ownSession = bindVerdict(state.session, Array(session.utf8), "session")
    if ownSession != .right { return ownSession }
    let user = state.user >= 0 ? users[Int(state.user)] : nil
    let given = value["userId"]?.string
    if (user == nil) != (given == nil) { return .wrong("userId") }
    if let user, let given, !sameBytes(user, given) { return .wrong("userId") }
    let consent = value["consent"]
    guard consent?["analytics"]?.bool == state.analytics,
      consent?["marketing"]?.bool == state.marketing
    else { return .wrong("consent") }
    return .right
  }

  /// Learns an id that is not known yet, or compares it.
  private func bindVerdict(_ index: Int32, _ bytes: [UInt8], _ part: String) -> GetterVerdict {
    guard index >= 0 else { return .right }
    if !drawn[Int(index)].isKnown {
      guard bytes.withUnsafeBytes({ UUIDText.isRandom($0) }), isNew(bytes) else {
        return .wrong(part)
      }
      drawn[Int(index)].bytes = bytes
      return .right
    }
    return drawn[Int(index)].bytes == bytes ? .right : .wrong(part)
  }
}
