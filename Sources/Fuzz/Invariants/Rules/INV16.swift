import FuzzHistory
import SimKernel

/// Every public call returns at once: in no simulated time, and without entering a port that waits.
public final class INV16: Invariant {
  static let info = InvariantInfo(
    id: "INV-16",
    statement: "Every public call returns in zero virtual time and never raises.",
    kind: .safety,
    requirements: ["API-01", "API-03"],
    antecedent: "The host app makes a public call of a client that was loaded in its process.")

  private struct Open {
    var call: UInt32
    var began: Instant
  }

  /// Calls that have not returned; the host app makes one at a time on each thread.
  private var open: [Open] = []

  public init() {
    super.init(
      INV16.info, on: [.callBegan, .callReturned, .portEnteredInCall, .ended, .calmEnded])
  }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    switch record.fact {
    case .callBegan(let call, _, _, _, _):
      if context.lane.client.loadInstant != nil { antecedent() }
      open.append(Open(call: call, began: record.instant))
    case .callReturned(let call, _, _):
      guard let place = open.firstIndex(where: { $0.call == call }) else { return }
      if record.instant > open[place].began { late(open[place], record, context) }
      open.remove(at: place)
    case .portEnteredInCall(let call, let port):
      report(
        "a public call enters the \(name(port)) port", at: record, context,
        "Call \(call) (\(name(call, context))) enters the \(name(port)) port before it returns.")
    case .ended, .calmEnded:
      // A call that the process died in had no time to return.
      for call in open where record.instant > call.began { late(call, record, context) }
      open = []
    default: break
    }
  }

  private func late(_ call: Open, _ record: Record, _ context: JudgeContext) {
    let span = (record.instant - call.began).nanoseconds / 1_000
    report(
      "a public call takes time", at: record, context,
      "Call \(call.call) (\(name(call.call, context))) had not returned \(span) microseconds after it"
        + " began.")
  }

  private func name(_ port: PortKind) -> String {
    switch port {
    case .storage: return "storage"
    case .http: return "HTTP"
    case .wait: return "waiting"
    case .mainQueue: return "main queue"
    case .clock, .random, .context, .application, .log: return "\(port)"
    }
  }

  private func name(_ call: UInt32, _ context: JudgeContext) -> String {
    switch context.history.calls[Int(call)] {
    case .load: return "load"
    case .track: return "track"
    case .screen: return "screen"
    case .identify: return "identify"
    case .group: return "group"
    case .alias: return "alias"
    case .reset: return "reset"
    case .consent: return "consent"
    case .flush: return "flush"
    case .getAnonymousId: return "getAnonymousId"
    case .getContext: return "getContext"
    }
  }
}
