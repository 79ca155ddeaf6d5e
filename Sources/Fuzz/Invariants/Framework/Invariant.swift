import FuzzHistory
import SimKernel

/// One rule over histories. A subclass is one file: what it says of itself, the kinds of facts it
/// listens to, its own small state, and `judge`.
///
/// A fresh instance serves one judgement. `judge` runs after the shared state (`JudgeContext`) has
/// taken the record in. Safety rules report at the record that shows the violation; liveness rules
/// listen to `calmEnded` and report there.
open class Invariant {
  public let info: InvariantInfo
  public let subscriptions: [FactKind]
  /// How often the antecedent held so far.
  public private(set) final var antecedentCount = 0

  /// - Parameters:
  ///   - info: what the catalogue shows; a stored constant of the subclass.
  ///   - subscriptions: the kinds of facts that `judge` is called for.
  public init(_ info: InvariantInfo, on subscriptions: [FactKind]) {
    self.info = info
    self.subscriptions = subscriptions
  }

  /// Takes one record of a subscribed kind.
  open func judge(_ record: Record, _ context: JudgeContext) {}

  /// Leaves in the judgement what a campaign has to know of the history, at its end.
  open func conclude(_ judgement: inout Judgement) {}

  /// Notes a situation in which a defect would have changed the outcome.
  public final func antecedent(times: Int = 1) { antecedentCount += times }

  /// Reports a violation at the instant and process of a record.
  /// - Parameters:
  ///   - cause: the normalised cause: no ids, times or counts; becomes part of the signature.
  ///   - message: one or two plain sentences with the facts; built only if it is kept.
  public final func report(
    _ cause: String, at record: Record, _ context: JudgeContext,
    _ message: @autoclosure () -> String
  ) {
    report(cause, at: record.instant, process: record.process, context, message())
  }

  /// Reports a violation at an instant.
  public final func report(
    _ cause: String, at instant: Instant, process: Int32, _ context: JudgeContext,
    _ message: @autoclosure () -> String
  ) {
    let signature = info.id + " " + cause
    guard context.admits(signature: signature) else { return }
    context.add(
      Finding(
        invariant: info.id, requirements: info.requirements, instant: instant, process: process,
        message: message(), signature: signature))
  }
}
