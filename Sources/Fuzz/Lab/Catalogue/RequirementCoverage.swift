import Foundation
import FuzzInvariants

/// For every requirement what checks it: invariants, tests, planted defects.
public struct RequirementCoverage {
  /// What checks one requirement.
  public struct Entry {
    public var requirement: RequirementCatalogue.Requirement
    public var invariants: [String]
    public var tests: [String]
    public var defects: [String]
    /// Why no run can check it; nil when one can.
    public var excluded: String?
  }

  public let entries: [Entry]

  /// Reads tests and defects from a package; outside of one only invariants are known.
  /// - Throws: `InputError` when the named package is none.
  public init(package: String?) throws {
    let root =
      package == nil
      ? PackageRoot.nearest(above: FileManager.default.currentDirectoryPath)
      : try PackageRoot.find(named: package)
    let tests = root.map { RequirementTests(packageRoot: $0) }
    let defects = try root.map { try PlantedDefect.all(in: $0) } ?? []
    entries = RequirementCatalogue.all.map { requirement in
      Entry(
        requirement: requirement,
        invariants: Judge.catalogue.filter { $0.requirements.contains(requirement.id) }
          .map(\.id),
        tests: tests?.naming(requirement.id) ?? [],
        defects: defects.filter { $0.requirement == requirement.id }.map(\.id),
        excluded: RequirementCatalogue.exclusion(of: requirement.id))
    }
  }
}
