import Foundation
import FuzzInvariants

/// For every requirement what checks it: invariants, tests, planted defects.
public struct RequirementCoverage {
  /// What checks one requirement.
  public struct Entry {
    public var requirement: RequirementCatalogue.Requirement
    public var invariants: [String]
    /// In how many runs of a campaign the antecedent of each invariant held; nil without one.
    public var antecedents: Tally?
    public var tests: [String]
    public var defects: [String]
    /// Edits of recorded histories that break it, and tests that plant something wrong themselves.
    public var edits: [String]
    /// Edits on which one of its invariants fires, whatever of it they break.
    public var looseEdits: [String]
    /// Why no run can check it; nil when one can.
    public var excluded: String?

    /// Whether something checks it, and something is known that turns that red.
    public var isShown: Bool {
      !(invariants.isEmpty && tests.isEmpty) && (hasOwnProof || !looseEdits.isEmpty)
    }

    /// Whether what turns it red breaks this requirement, not only its invariant.
    public var hasOwnProof: Bool { !(defects.isEmpty && edits.isEmpty) }
  }

  public let entries: [Entry]

  /// Reads tests and defects from a package; outside of one only invariants are known.
  /// - Parameter campaign: the folder of a campaign whose antecedents are shown.
  /// - Throws: `InputError` when the named package or campaign is none.
  public init(package: String?, campaign: String? = nil) throws {
    let held = try campaign.map { try CampaignFolder.summary(of: $0)["antecedents"] }
      .map { Tally(json: $0) }
    let root =
      package == nil
      ? PackageRoot.nearest(above: FileManager.default.currentDirectoryPath)
      : try PackageRoot.find(named: package)
    let tests = root.map { RequirementTests(packageRoot: $0) }
    let edits = root.map { RecordedEdits(packageRoot: $0) }
    let defects = try root.map { try PlantedDefect.all(in: $0) } ?? []
    entries = RequirementCatalogue.all.map { requirement in
      let invariants = Judge.catalogue.filter { $0.requirements.contains(requirement.id) }
        .map(\.id)
      return Entry(
        requirement: requirement, invariants: invariants,
        antecedents: held.map { held in
          invariants.reduce(into: Tally()) { $0.add($1, held[$1]) }
        },
        tests: tests?.naming(requirement.id) ?? [],
        defects: defects.filter { $0.requirement == requirement.id }.map(\.id),
        edits: (edits?.breaking(requirement.id) ?? [])
          + (tests?.selfProving(requirement.id) ?? []),
        looseEdits: invariants.flatMap { edits?.unspecific($0) ?? [] },
        excluded: RequirementCatalogue.exclusion(of: requirement.id))
    }
  }
}
