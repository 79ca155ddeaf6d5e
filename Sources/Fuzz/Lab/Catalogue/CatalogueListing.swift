import FuzzInvariants
import SimKernel

/// A catalogue as a person reads it and as JSON.
public struct CatalogueListing {
  private struct Row {
    var id: String
    var text: String
    var json: (inout JSONText) -> Void
  }

  private let rows: [Row]

  /// Reads a catalogue.
  /// - Parameters:
  ///   - name: profiles, faults, invariants, requirements, marks or defects.
  ///   - package: the folder of the package, for what is read from its sources; nil searches.
  public init(_ name: String, package: String?) throws {
    switch name {
    case "profiles":
      rows = ProfileCatalogue.entries.map { CatalogueListing.row($0.id, $0.description) }
    case "faults":
      rows = FaultCatalogue.entries.map { CatalogueListing.row($0) }
    case "invariants":
      rows = Judge.catalogue.map { CatalogueListing.row($0) }
    case "requirements":
      let coverage = try RequirementCoverage(package: package)
      rows = coverage.entries.map { CatalogueListing.row($0) }
    case "marks":
      rows = MarkCatalogue.entries.map { CatalogueListing.row($0.id, $0.description) }
    default:
      rows = []
    }
  }

  /// One JSON array.
  public var json: String {
    var json = JSONText()
    json.lines(rows) { json, row in json.object(row.json) }
    return json.text + "\n"
  }

  /// One line a row.
  public var text: String {
    let width = rows.map(\.id.count).max() ?? 0
    return rows.map { row in
      row.id + String(repeating: " ", count: width + 2 - row.id.count) + row.text + "\n"
    }.joined()
  }

  private static func row(_ id: String, _ description: String) -> Row {
    Row(id: id, text: description) { json in
      json.member("id", id)
      json.member("description", description)
    }
  }

  private static func row(_ fault: FaultEntry) -> Row {
    let amount =
      fault.unit == .none
      ? ""
      : " (\(fault.unit.rawValue), default \(fault.defaultAmount), "
        + "\(fault.range.lowerBound) to \(fault.range.upperBound))"
    return Row(
      id: fault.name, text: "\(fault.occasion.rawValue)\(amount): \(fault.cause)"
    ) { json in
      json.member("id", fault.name)
      json.member("description", fault.cause)
      json.member("family", fault.family)
      json.member("occasion", fault.occasion.rawValue)
      json.member("unit", fault.unit.rawValue)
      json.member("default", number: String(fault.defaultAmount))
      json.member("least", number: String(fault.range.lowerBound))
      json.member("most", number: String(fault.range.upperBound))
    }
  }

  private static func row(_ invariant: InvariantInfo) -> Row {
    Row(
      id: invariant.id,
      text: "\(invariant.kind.rawValue): \(invariant.statement) "
        + "(\(invariant.requirements.joined(separator: ", ")))"
    ) { json in
      json.member("id", invariant.id)
      json.member("statement", invariant.statement)
      json.member("kind", invariant.kind.rawValue)
      json.member("requirements", invariant.requirements)
      json.member("antecedent", invariant.antecedent)
    }
  }

  private static func row(_ entry: RequirementCoverage.Entry) -> Row {
    var parts = [entry.requirement.level.rawValue]
    if !entry.invariants.isEmpty { parts.append(entry.invariants.joined(separator: " ")) }
    if !entry.tests.isEmpty { parts.append("\(entry.tests.count) tests") }
    if !entry.defects.isEmpty { parts.append("\(entry.defects.count) planted defects") }
    if let excluded = entry.excluded { parts.append("excluded: \(excluded)") }
    return Row(id: entry.requirement.id, text: parts.joined(separator: ", ")) { json in
      json.member("id", entry.requirement.id)
      json.member("level", entry.requirement.level.rawValue)
      json.member("area", entry.requirement.area)
      json.member("invariants", entry.invariants)
      json.member("tests", entry.tests)
      json.member("defects", entry.defects)
      json.member("excluded", entry.excluded)
    }
  }
}
