import FuzzHistory
import SimKernel

/// Without analytics consent the disk holds the decision and nothing else.
public final class INV21: Invariant {
  static let info = InvariantInfo(
    id: "INV-21",
    statement:
      "With analytics off and any revoke's wipe settled, the SDK's disk holds at most the decision;"
      + " config is never on disk.",
    kind: .safety,
    requirements: ["CON-04", "CON-12", "CON-25", "ID-03", "OPT-21"],
    antecedent:
      "A process without analytics consent has a message to keep, or is launched after a decline.")

  /// The newest process that the antecedent was counted for.
  private var counted: Int32 = -1

  /// The newest process whose launch was judged.
  private var launched: Int32 = -1

  public init() {
    super.init(INV21.info, on: [.callReturned, .disk, .requestStarted, .exchangeEnded])
  }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    switch record.fact {
    case .callReturned(let call, _, _): noteCall(call, record, context)
    case .disk(let operation, _, _, _, let path, let target, _, let bytes):
      switch operation {
      case .write, .append, .overwrite:
        judgeLaunch(record, context)
        judgeConfig(path, bytes, record, context)
        judgeWrite(path, record, context)
      case .rename:
        judgeLaunch(record, context)
        judgeWrite(target, record, context)
      default: break
      }
    case .requestStarted(_, .collector, _, _, _, _, _, _, _, _, _), .exchangeEnded:
      judgeLaunch(record, context)
    default: break
    }
  }

  private func noteCall(_ call: UInt32, _ record: Record, _ context: JudgeContext) {
    guard counted != record.process, context.model.isStarted(record.process),
      !context.model.mayStore(record.process, context, at: record)
    else { return }
    switch context.history.calls[Int(call)] {
    case .track, .screen, .identify, .group, .alias:
      counted = record.process
      antecedent()
    default: break
    }
  }

  private func judgeWrite(_ path: ByteSlice, _ record: Record, _ context: JudgeContext) {
    if context.disk.isDecisionOrSpare(path) { return }
    // Taking messages off the disk adds records too.
    if context.disk.isQueue(path), context.disk.newRecords.isEmpty { return }
    if context.model.mayStore(record.process, context, at: record) { return }
    // What a crash before the config would be written to (B99).
    if context.model.knowsConsentEarly(record.process) { return }
    report(
      "stored without consent: " + name(path, context), at: record, context,
      "Process \(record.process) wrote to \(context.text(path)) without analytics consent.")
  }

  private func judgeConfig(
    _ path: ByteSlice, _ bytes: ByteSlice, _ record: Record, _ context: JudgeContext
  ) {
    if context.disk.isQueue(path) || !mayHoldConfig(context.bytes(bytes)) { return }
    for key in ["\"timeoutMinutes\"", "\"pageviews\"", "\"pageleave\""] {
      if !contains(context.bytes(bytes), Array(key.utf8)) { continue }
      report(
        "config is on disk", at: record, context,
        "What was written to \(context.text(path)) holds \(key), a part of the config.")
      return
    }
  }

  /// Whether some string begins as one of these keys does: few writes hold any.
  private func mayHoldConfig(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var place = 0
    while place + 2 < bytes.count {
      if bytes[place] == 0x22 {
        let (first, second) = (bytes[place + 1], bytes[place + 2])
        // `"ti` and `"pa`.
        if first == 0x74, second == 0x69 { return true }
        if first == 0x70, second == 0x61 { return true }
      }
      place += 1
    }
    return false
  }

  private func contains(_ bytes: UnsafeRawBufferPointer, _ needle: [UInt8]) -> Bool {
    guard bytes.count >= needle.count else { return false }
    return (0...bytes.count - needle.count).contains { start in
      bytes[start] == needle[0]
        && needle.indices.allSatisfy { bytes[start + $0] == needle[$0] }
    }
  }

  /// Before it does anything else, a launch after a decline wipes what may be left.
  private func judgeLaunch(_ record: Record, _ context: JudgeContext) {
    guard launched != record.process,
      let decision = context.model.decisionAtStart(of: record.process)
    else { return }
    launched = record.process
    guard decision.analytics == false else { return }
    antecedent()
    if context.disk.lastWipeFailure?.process == record.process { return }
    guard let file = context.disk.governedFiles.first else { return }
    report(
      "a launch after a decline wiped nothing", at: record, context,
      "Analytics was declined before process \(record.process), and \(context.text(file.path)) is"
        + " still there when the process does something else.")
  }

  private func name(_ path: ByteSlice, _ context: JudgeContext) -> String {
    if context.disk.isQueue(path) { return "queue" }
    return context.text(path).split(separator: "/").last.map(String.init) ?? ""
  }
}
