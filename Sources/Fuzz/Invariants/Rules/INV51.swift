import FuzzHistory
import SimKernel

/// What an exception or a stack says of people stays on the device, and not even there is it
/// written.
public final class INV51: Invariant {
  static let info = InvariantInfo(
    id: "INV-51",
    statement:
      "No crash file, hang event or $crash holds an e-mail, a 7-digit run, a query string or a user"
      + " path.",
    kind: .safety,
    requirements: ["CRA-07", "CRA-08", "CRA-09", "CRA-10", "CRA-11", "HNG-08"],
    antecedent:
      "A process crashes by an exception whose texts hold something private, or a hang is looked at in"
      + " such a stack.")

  private var scan: CanaryScan?
  private var canaries: [Canary] = []
  /// The SDK was told something of a crash or a hang.
  private var isTold = false
  /// The stack in which the main thread hangs.
  private var stack = ByteSlice.empty

  public init() {
    super.init(INV51.info, on: [.crashed, .mainThread, .stackSampled, .disk, .requestStarted])
  }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    switch record.fact {
    case .crashed(.exception, _, _, let name, let reason, let frames, _, _):
      tell([name, reason, frames], context)
    case .mainThread(_, let stack): self.stack = stack
    case .stackSampled: tell([stack], context)
    case .disk(let operation, _, _, _, let path, _, _, let bytes):
      guard isTold, operation.isChange, bytes.count > 0 else { return }
      look(in: bytes, "what was written to \(context.text(path))", record, context)
      judgeFile(path, record, context)
    case .requestStarted(_, _, _, _, _, _, let body, _, _, _, _):
      guard isTold else { return }
      look(in: body, "the body of a request", record, context)
      judgeEvents(record, context)
    default: break
    }
  }

  private func tell(_ texts: [ByteSlice], _ context: JudgeContext) {
    isTold = true
    if !texts.allSatisfy({ RedactionShared.redaction.isClean(context.text($0)) }) { antecedent() }
  }

  private func look(
    in slice: ByteSlice, _ place: @autoclosure () -> String, _ record: Record,
    _ context: JudgeContext
  ) {
    if scan == nil {
      canaries = context.header.canaries.filter { $0.kind == .crash }
      scan = CanaryScan(canaries)
    }
    guard let scan, !scan.isEmpty, let hit = scan.firstHit(in: context.bytes(slice)) else { return }
    report(
      "a private part of a crash is in the open (\(hit.form.rawValue))", at: record, context,
      "\(canaries[hit.canary].text), a private part of what an exception or a stack said, stands in"
        + " \(place())."
    )
  }

  private func judgeFile(_ path: ByteSlice, _ record: Record, _ context: JudgeContext) {
    guard context.disk.isCrash(path), case .whole(let file) = context.disk.crashState(path) else {
      return
    }
    for text in file.texts where !RedactionShared.redaction.isClean(text) {
      report(
        "a crash file is not redacted", at: record, context,
        "The record in \(context.text(path)) says \(text.prefix(200)).")
    }
  }

  private func judgeEvents(_ record: Record, _ context: JudgeContext) {
    for sighting in context.model.sightings where sighting.isNewContent {
      let fields = context.ledger.messages[sighting.wire].fields
      guard fields.isEvent("$crash", in: context.arena),
        let properties = try? JSONValue.parse(context.bytes(fields.properties))
      else { continue }
      for key in ["type", "message", "stack", "thread"] {
        guard let text = properties[key]?.string, !RedactionShared.redaction.isClean(text) else {
          continue
        }
        report(
          "a $crash is not redacted", at: record, context,
          "The member \(key) of a $crash says \(text.prefix(200)).")
      }
    }
  }
}
