import FuzzHistory
import SimKernel

/// Crashes of one place in the code are one group, whoever has them.
public final class INV52: Invariant {
  static let info = InvariantInfo(
    id: "INV-52",
    statement:
      "stack is at most 4000 characters without addresses; equal crashes on all devices have one"
      + " stack_hash of 32 hex digits.",
    kind: .campaign,
    requirements: ["CRA-13", "CRA-14", "CRA-15", "CRA-16"],
    antecedent: "A $crash is sent of a crash that equals one in another process or run.")

  /// By the crash itself, the hash that it was sent with.
  private var hashes: [(crash: [String], process: Int32, hash: String)] = []

  public init() { super.init(INV52.info, on: [.requestStarted]) }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    for sighting in context.model.sightings where sighting.isNewContent {
      let fields = context.ledger.messages[sighting.wire].fields
      guard fields.isCrash(in: context.arena),
        let properties = try? JSONValue.parse(context.bytes(fields.properties))
      else { continue }
      judgeForm(properties, record, context)
      guard sighting.expected >= 0,
        let place = context.model.messages[Int(sighting.expected)].crash
      else { continue }
      compare(
        context.model.crashes[place], properties["stack_hash"]?.string ?? "", record, context)
    }
  }

  private func judgeForm(_ properties: JSONValue, _ record: Record, _ context: JudgeContext) {
    let stack = properties["stack"]?.string ?? ""
    if stack.unicodeScalars.count > 4_000 {
      report(
        "a stack is too long", at: record, context,
        "A $crash shows a stack of \(stack.unicodeScalars.count) characters.")
    }
    let words = stack.split { $0 == " " || $0 == "\n" }
    if let address = words.first(where: { $0.hasPrefix("0x") && $0.utf8.count > 6 }) {
      report(
        "a stack shows an address", at: record, context, "A $crash shows the address \(address).")
    }
    let hash = properties["stack_hash"]?.string ?? ""
    let isHexadecimal = hash.utf8.allSatisfy {
      ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x61 && $0 <= 0x66)
    }
    if hash.utf8.count != 32 || !isHexadecimal {
      report(
        "a stack hash is not 32 hex digits", at: record, context,
        "A $crash has the stack_hash \(hash).")
    }
  }

  private func compare(
    _ truth: CrashTruth, _ hash: String, _ record: Record, _ context: JudgeContext
  ) {
    let crash = INV52.key(truth)
    guard let known = hashes.first(where: { $0.crash == crash }) else {
      hashes.append((crash, truth.process, hash))
      return
    }
    if known.process != truth.process { antecedent() }
    if known.hash == hash { return }
    report(
      "equal crashes have two hashes", at: record, context,
      "The crash of process \(truth.process) equals that of process \(known.process), and they were"
        + " sent with \(hash) and \(known.hash).")
  }

  /// Equal crashes of two devices meet in a campaign: here it hears of those of one.
  public override func conclude(_ judgement: inout Judgement) {
    judgement.crashHashes = hashes.map { known in
      var digest = TraceHash()
      digest.combine(known.crash)
      return CrashHash(crash: digest.value, stackHash: known.hash, process: known.process)
    }
  }

  /// What makes two crashes equal: the type, and image and symbol of each frame. A signal is its
  /// name alone.
  private static func key(_ truth: CrashTruth) -> [String] {
    guard truth.kind == .exception else { return ["\(truth.kind)"] }
    return [truth.name]
      + truth.frames.map { line in
        let words = line.utf8.split(separator: 0x20).map { Substring($0) }
        return words.filter { !$0.hasPrefix("0x") }.dropFirst().dropLast(2).joined(separator: " ")
      }
  }
}
