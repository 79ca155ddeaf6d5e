import FuzzHistory
import SimKernel

/// What an app passes as a trait never touches the disk.
public final class INV31: Invariant {
  static let info = InvariantInfo(
    id: "INV-31",
    statement: "No trait canary is in any file at any time.",
    kind: .safety,
    requirements: ["ID-06"],
    antecedent: "The SDK writes to disk after the app passed traits with a canary in this process.")

  private var scan: CanaryScan?
  private var traits: [Canary] = []
  private var traitProcess: Int32 = -1

  public init() { super.init(INV31.info, on: [.disk, .callBegan]) }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    switch record.fact {
    case .callBegan(let call, _, _, _, _):
      switch context.history.calls[Int(call)] {
      case .identify(_, let entries), .group(_, let entries):
        if !entries.isEmpty { traitProcess = record.process }
      default: break
      }
    case .disk(let operation, _, _, _, let path, let target, _, let bytes):
      switch operation {
      case .write, .append, .overwrite, .rename:
        if traitProcess == record.process, record.process >= 0 { antecedent() }
        look(in: bytes, "the bytes written to", path, record, context)
        look(in: target, "the name of", target, record, context)
      default: break
      }
    default: break
    }
  }

  private func look(
    in slice: ByteSlice, _ place: String, _ path: ByteSlice, _ record: Record,
    _ context: JudgeContext
  ) {
    if slice.count == 0 { return }
    if scan == nil {
      traits = context.header.canaries.filter { $0.kind == .trait }
      scan = CanaryScan(traits)
    }
    guard let scan, !scan.isEmpty, let hit = scan.firstHit(in: context.bytes(slice)) else { return }
    report(
      "a trait is on disk (\(hit.form.rawValue))", at: record, context,
      "A value passed as a trait (\(traits[hit.canary].text)) stands in \(place)"
        + " \(context.text(path)), \(hit.offset) bytes from the start of what was written.")
  }
}
