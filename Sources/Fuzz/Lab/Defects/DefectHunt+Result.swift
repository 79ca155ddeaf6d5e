import FuzzHistory

extension DefectHunt {
  /// What became of one defect.
  public struct Result: Sendable {
    /// Something that was found with the defect and never without it.
    public struct Catch: Sendable {
      public var invariant: String
      public var signature: String
      /// The first run that showed it; nil for a stored scenario.
      public var seed: UInt64?
      public var profile: String?
      /// The stored scenario that showed it.
      public var scenario: String?
      /// The filter of the tests that failed.
      public var test: String?
    }

    public var defect: PlantedDefect
    /// One for each signature, in the order found.
    public var catches: [Catch] = []
    /// How many runs it took, or were spent in vain.
    public var seeds: Int = 0
    public var cpuSeconds: Double = 0
    /// Actions left in the reduced scenario.
    public var shrunkActions: Int?
    /// Whether no single step takes more away from it.
    public var isMinimal: Bool = false

    init(defect: PlantedDefect) { self.defect = defect }

    /// What is told of it: by an invariant that should fire, or else the first.
    public var caught: Catch? {
      // An invariant says more than the expectation of one scenario.
      catches.first { defect.invariants.contains($0.invariant) }
        ?? catches.first { $0.invariant != LabFindings.Name.expectation } ?? catches.first
    }

    public var isCaught: Bool { !catches.isEmpty && silent.isEmpty }

    /// Invariants that should fire and did not.
    public var silent: [String] {
      defect.invariants.filter { id in !catches.contains { $0.invariant == id } }
    }

    /// Invariants that fired, each once.
    public var fired: [String] {
      var fired: [String] = []
      for caught in catches where !fired.contains(caught.invariant) {
        fired.append(caught.invariant)
      }
      return fired.sorted()
    }

    /// Whether more runs would say nothing new.
    var isComplete: Bool { !catches.isEmpty && silent.isEmpty }

    mutating func add(_ new: Catch) {
      if !catches.contains(where: { $0.signature == new.signature }) { catches.append(new) }
    }

    /// The result with what a campaign found beside it.
    func adding(_ summary: CampaignSummary) -> Result {
      var result = self
      result.seeds += summary.seeds
      result.cpuSeconds += summary.cpuSeconds
      for bug in summary.bugs {
        result.add(
          Catch(
            invariant: bug.invariant, signature: bug.signature, seed: bug.seed,
            profile: bug.profile))
      }
      return result
    }
  }
}

extension DefectHunt.Result {
  /// The result as an object.
  public var json: JSONValue {
    .object([
      JSONEntry("id", .string(defect.id)),
      JSONEntry("area", .string(defect.area)),
      JSONEntry("caught", .bool(isCaught)),
      JSONEntry("invariant", .text(caught?.invariant)),
      JSONEntry("seeds", .count(seeds)),
      JSONEntry("cpu_seconds", .rounded(cpuSeconds, 2)),
      JSONEntry("shrunk_actions", shrunkActions.map { .count($0) } ?? .null),
      JSONEntry("minimal", .bool(isMinimal)),
      JSONEntry("signature", .text(caught?.signature)),
      JSONEntry("fired", .texts(fired)),
      JSONEntry("silent", .texts(silent)),
      JSONEntry("seed", .seed(caught?.seed)),
      JSONEntry("profile", .text(caught?.profile)),
      JSONEntry("scenario", .text(caught?.scenario)),
      JSONEntry("requirement", .string(defect.requirement)),
      JSONEntry("sentence", .string(defect.sentence)),
    ])
  }

  /// The run that caught it, in words.
  var place: String {
    caught?.scenario ?? caught?.test ?? "seed \(caught?.seed ?? 0) \(caught?.profile ?? "")"
  }

  /// The result as a line for people.
  public var line: String {
    guard let caught else {
      return "MISSED  \(defect.id) after \(seeds) runs: \(defect.sentence)"
    }
    let actions = shrunkActions.map { ", reduced to \($0) actions" } ?? ""
    var line =
      "\(isCaught ? "caught" : "SILENT")  \(defect.id) by \(caught.invariant) after \(seeds) "
      + (seeds == 1 ? "run" : "runs") + " (\(place))\(actions): \(defect.sentence)"
    if !silent.isEmpty { line += "\n        silent: \(silent.joined(separator: ", "))" }
    return line
  }
}
