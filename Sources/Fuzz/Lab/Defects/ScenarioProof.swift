import Foundation
import FuzzHistory
import FuzzScenario
import SimKernel

/// Shows of every stored scenario that it passes as the sources are, and fails with each planted
/// defect that names it: a scenario that no defect can break guards nothing.
public final class ScenarioProof {
  /// One scenario, without a defect or with one.
  public struct Result: Sendable {
    /// The file, from the root of the package.
    public var scenario: String
    /// Nil is the run without a defect.
    public var defect: String?
    /// The signatures found, each once; without those that show without a defect too.
    public var signatures: [String]
    /// What the first of them says.
    public var message: String?
    /// No defect names the scenario.
    public var isUnguarded: Bool = false
    /// Something was found that does not hang on the invariants: an expectation of the scenario
    /// did not hold, or the run itself came to grief.
    public var isFoundWithoutInvariants: Bool

    /// Whether the run came out as it must: with a defect the scenario itself has to notice.
    public var isRight: Bool {
      defect == nil ? !isUnguarded && signatures.isEmpty : isFoundWithoutInvariants
    }
  }

  private let copy: PlantedCopy
  private let defects: [(number: Int, defect: PlantedDefect)]
  private let scenarios: [(path: String, scenario: Scenario)]
  private let jobs: Int
  private let progress: Progress
  private var healthy = Lookup<String, [String]>()

  /// Reads the defects and the stored scenarios of a package.
  /// - Throws: `InputError` for a file that cannot be read or that a defect names in vain.
  public init(package: String?, jobs: Int, progress: Progress) throws {
    let root = try PackageRoot.find(named: package)
    let defects = try PlantedDefect.all(in: root)
    let names = try InputFile.expand([root + "/seeds"], endings: [".json"]).map {
      "seeds/" + ($0.split(separator: "/").last ?? "")
    }
    for defect in defects {
      for path in defect.scenarios where !names.contains(path) {
        throw InputError(
          file: defect.source, place: "defect \(defect.id)",
          problem: "names the scenario \(path), which there is not", mend: "correct 'scenarios'")
      }
    }
    scenarios = try names.map { ($0, try ScenarioSource.read(root + "/" + $0)) }
    copy = try PlantedCopy(of: root)
    self.defects = defects.enumerated().map { ($0.offset + 1, $0.element) }
    self.jobs = jobs
    self.progress = progress
  }

  /// Runs every stored scenario without a defect, then with each defect that names it.
  /// - Parameter receive: takes each result as it comes.
  public func run(receive: (Result) -> Void) throws {
    let switched = defects.filter { $0.defect.kind.isSwitched }
    try copy.build(
      copy.plant(switched), what: "\(switched.count) planted statements", progress)
    let findings = try self.findings(of: scenarios.map(\.scenario), number: 0)
    for (stored, findings) in zip(scenarios, findings) {
      var result = Result(scenario: stored.path, defect: nil, findings: findings)
      result.isUnguarded = !defects.contains { $0.defect.scenarios.contains(stored.path) }
      healthy[stored.path] = result.signatures
      receive(result)
    }
    for (number, defect) in defects where defect.kind.isSwitched {
      if Interruption.isRequested { return }
      try prove(defect, number: number, receive)
    }
    for (_, defect) in defects where !defect.kind.isSwitched && !defect.scenarios.isEmpty {
      if Interruption.isRequested { return }
      try copy.build(copy.plant(switched, declaration: defect), what: defect.id, progress)
      try prove(defect, number: 0, receive)
    }
  }

  private func prove(_ defect: PlantedDefect, number: Int, _ receive: (Result) -> Void) throws {
    let stored = scenarios.filter { defect.scenarios.contains($0.path) }
    if stored.isEmpty { return }
    let findings = try self.findings(of: stored.map(\.scenario), number: number)
    for (stored, findings) in zip(stored, findings) {
      let known = healthy[stored.path] ?? []
      receive(
        Result(
          scenario: stored.path, defect: defect.id,
          findings: findings.filter { !known.contains($0.signature) }))
    }
  }

  private func findings(of scenarios: [Scenario], number: Int) throws
    -> [[RunReport.ReportedFinding]]
  {
    let jury = try ScenarioJury(
      program: copy.program, environment: [(PlantedSources.variable, "\(number)")], jobs: jobs)
    return try jury.findings(of: scenarios)
  }
}

extension ScenarioProof.Result {
  init(scenario: String, defect: String?, findings: [RunReport.ReportedFinding]) {
    self.scenario = scenario
    self.defect = defect
    signatures = findings.reduce(into: []) { signatures, finding in
      if !signatures.contains(finding.signature) { signatures.append(finding.signature) }
    }
    message = findings.first?.message
    isFoundWithoutInvariants = findings.contains { !$0.invariant.hasPrefix("INV-") }
  }

  /// The result as an object.
  public var json: JSONValue {
    .object([
      JSONEntry("scenario", .string(scenario)),
      JSONEntry("defect", .text(defect)),
      JSONEntry("right", .bool(isRight)),
      JSONEntry("signatures", .texts(signatures)),
      JSONEntry("message", .text(message)),
    ])
  }

  /// The result as a line for people.
  public var line: String {
    let said = signatures.first.map { ": \($0)" } ?? ""
    guard let defect else {
      if isUnguarded { return "UNGUARDED  \(scenario): no planted defect names it" }
      return (isRight ? "passes     " : "FAILS      ") + scenario + said
    }
    if isRight { return "fails      \(scenario) with \(defect)\(said)" }
    return signatures.isEmpty
      ? "PASSES     \(scenario) with \(defect)"
      : "UNNOTICED  \(scenario) with \(defect): only by an invariant\(said)"
  }
}

extension PlantedCopy {
  /// Builds the command in the copy and shows that it does.
  func build(_ planted: [PlantedSources.File], what: String, _ progress: Progress) throws {
    progress.show("building \(what)")
    try build(planted) {
      progress.show("building \(what), \(Int(progress.seconds)) s")
    }
    progress.clear()
  }
}
