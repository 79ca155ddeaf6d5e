import FuzzHistory
import FuzzInvariants

/// What a campaign came to: the last line of its results.
public struct CampaignSummary: Sendable {
  /// All findings with one signature: one bug.
  public struct Bug: Hashable, Sendable {
    public var signature: String
    public var invariant: String
    public var message: String
    /// The first run that showed it, in the order of the plan.
    public var seed: UInt64
    public var profile: String
    /// In how many runs it was met.
    public var runs: Int
    /// The reduced scenario, where there is one.
    public var scenario: String?
    public var actions: Int?

    var command: String { "simlab run --seed \(seed) --profile \(profile)" }
  }

  public var isComplete: Bool = false
  public var seeds: Int = 0
  public var seconds: Double = 0
  public var simulatedSeconds: Double = 0
  /// Processor time of the runs.
  public var cpuSeconds: Double = 0
  /// Every finding of every run.
  public var findings: Int = 0
  /// In the order first met.
  public var bugs: [Bug] = []
  /// In how many runs each mark was reached.
  public var marks = Tally()
  /// In how many runs each antecedent held.
  public var antecedents = Tally()
  public var determinismChecked: Int = 0
  public var determinismFailures: Int = 0
  public var workerDeaths: Int = 0

  /// Takes one run in.
  /// - Parameter others: invariants whose antecedent held between this run and earlier ones.
  mutating func add(_ report: RunReport, alsoHeld others: [String] = []) {
    seeds += 1
    simulatedSeconds += report.simulatedSeconds
    cpuSeconds += report.cpuMilliseconds / 1_000
    findings += report.findings.count
    for mark in report.marks.entries where mark.count > 0 { marks.add(mark.name) }
    for held in report.antecedents.entries where held.count > 0 { antecedents.add(held.name) }
    for held in others where report.antecedents[held] == 0 { antecedents.add(held) }
    for signature in report.signatures {
      guard let finding = report.findings.first(where: { $0.signature == signature }) else {
        continue
      }
      if let known = bugs.firstIndex(where: { $0.signature == signature }) {
        bugs[known].runs += 1
      } else {
        bugs.append(
          Bug(
            signature: signature, invariant: finding.invariant, message: finding.message,
            seed: report.seed ?? 0, profile: report.profile, runs: 1))
      }
    }
  }

  var deviceHours: Double { simulatedSeconds / 3_600 }
  var seedsPerSecond: Double { seconds > 0 ? Double(seeds) / seconds : 0 }

  var neverReached: [String] {
    MarkCatalogue.entries.map(\.id).filter { marks[$0] == 0 }
  }

  var neverHeld: [String] {
    Judge.catalogue.map(\.id).filter { antecedents[$0] == 0 }
  }

  /// The record, of a campaign by this plan.
  func json(_ plan: CampaignPlan) -> JSONValue {
    .object([
      JSONEntry("summary", .bool(true)),
      JSONEntry("complete", .bool(isComplete)),
      JSONEntry("seeds", .count(seeds)),
      JSONEntry("seconds", .rounded(seconds, 3)),
      JSONEntry("seeds_per_second", .rounded(seedsPerSecond, 1)),
      JSONEntry("device_hours", .rounded(deviceHours, 1)),
      JSONEntry("findings", .count(findings)),
      JSONEntry("signatures", .texts(bugs.map(\.signature))),
      JSONEntry("marks_reached", .count(MarkCatalogue.entries.count - neverReached.count)),
      JSONEntry("marks_total", .count(MarkCatalogue.entries.count)),
      JSONEntry("never_reached", .texts(neverReached)),
      JSONEntry("determinism_percent", .count(Int(plan.determinismPercent))),
      JSONEntry("determinism_checked", .count(determinismChecked)),
      JSONEntry("determinism_failures", .count(determinismFailures)),
      JSONEntry("worker_deaths", .count(workerDeaths)),
      JSONEntry("antecedents", antecedents.json),
      JSONEntry("antecedents_never", .texts(neverHeld)),
      JSONEntry("bugs", .array(bugs.map(\.json))),
      JSONEntry("first_seed", .seed(plan.seeds.lowerBound)),
      JSONEntry("last_seed", .seed(plan.seeds.upperBound)),
      JSONEntry("profiles", .texts(plan.profiles)),
      JSONEntry("shard", .string("\(plan.shardIndex)/\(plan.shardCount)")),
      JSONEntry("build", .string(BuildIdentity.current)),
    ])
  }

  /// The campaign as text for a person.
  func lines(_ plan: CampaignPlan) -> [String] {
    var lines: [String] = []
    for bug in bugs { lines += bug.lines + [""] }
    lines += Rows.lines(
      "ran",
      "\(Figures.grouped(seeds)) runs, \(Figures.grouped(Int(deviceHours))) simulated hours")
    lines += Rows.lines(
      "marks",
      "\(MarkCatalogue.entries.count - neverReached.count) of \(MarkCatalogue.entries.count)"
        + (neverReached.isEmpty ? "" : ", never: \(neverReached.joined(separator: ", "))"))
    lines += Rows.lines(
      "judged",
      "\(Judge.catalogue.count - neverHeld.count) of \(Judge.catalogue.count) invariants"
        + (neverHeld.isEmpty ? "" : ", never: \(neverHeld.joined(separator: ", "))"))
    if determinismChecked > 0 {
      lines += Rows.lines(
        "twice", "\(determinismChecked) runs, \(determinismFailures) of them differed")
    }
    if workerDeaths > 0 { lines += Rows.lines("deaths", "\(workerDeaths) workers") }
    return lines
  }
}

extension CampaignSummary.Bug {
  var json: JSONValue {
    .object([
      JSONEntry("signature", .string(signature)),
      JSONEntry("invariant", .string(invariant)),
      JSONEntry("message", .string(message)),
      JSONEntry("seed", .seed(seed)),
      JSONEntry("profile", .string(profile)),
      JSONEntry("runs", .count(runs)),
      JSONEntry("scenario", .text(scenario)),
      JSONEntry("actions", actions.map { .count($0) } ?? .null),
    ])
  }

  var lines: [String] {
    let short = message.count > 400 ? message.prefix(400) + "…" : message[...]
    var lines = ["\(signature)  (again: \(command))", "  \(short)"]
    lines.append("  in \(runs == 1 ? "1 run" : "\(runs) runs"), first seed \(seed) \(profile)")
    if let scenario, let actions {
      lines.append("  reduced to \(actions) actions: simlab replay \(scenario)")
    }
    return lines
  }
}
