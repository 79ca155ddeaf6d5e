import FuzzHistory
import FuzzInvariants
import FuzzScenario
import SimKernel

/// A catalogue as a person reads it and as JSON.
public struct CatalogueListing {
  private struct Row {
    var id: String
    var text: String
    /// What JSON says beside the id.
    var json: [JSONEntry]
  }

  private let rows: [Row]
  /// What a person reads below the rows.
  private var footer = ""

  /// Reads a catalogue.
  /// - Parameters:
  ///   - name: profiles, faults, invariants, requirements, marks or defects.
  ///   - package: the folder of the package, for what is read from its sources; nil searches.
  ///   - campaign: the folder of a campaign, for how often antecedents held.
  public init(_ name: String, package: String?, campaign: String? = nil) throws {
    switch name {
    case "profiles":
      rows = Profile.all.map { CatalogueListing.row($0.name, $0.description) }
    case "faults":
      rows = FaultCatalogue.entries.map { CatalogueListing.row($0) }
    case "invariants":
      let table = try campaign.map { try AntecedentTable(campaign: $0, package: package) }
      rows = Judge.catalogue.map { invariant in
        CatalogueListing.row(invariant, table?.rows.first { $0.invariant == invariant })
      }
    case "requirements":
      let coverage = try RequirementCoverage(package: package, campaign: campaign)
      rows = coverage.entries.map { CatalogueListing.row($0) }
      footer = "\n" + RequirementSummary(coverage.entries).text
    case "marks":
      rows = MarkCatalogue.entries.map { CatalogueListing.row($0.id, $0.description) }
    case "defects":
      rows = try PlantedDefect.all(in: PackageRoot.find(named: package))
        .map { CatalogueListing.row($0) }
    default:
      throw LabError("there is no catalogue '\(name)'")
    }
  }

  /// One JSON array.
  public var json: String {
    let elements = rows.map { row in
      JSONValue.object([JSONEntry("id", .string(row.id))] + row.json)
    }
    return JSONValue.listing(elements) + "\n"
  }

  /// One line a row.
  public var text: String {
    let width = rows.map(\.id.count).max() ?? 0
    return rows.map { row in
      row.id + String(repeating: " ", count: width + 2 - row.id.count) + row.text + "\n"
    }.joined() + footer
  }

  private static func row(_ id: String, _ description: String) -> Row {
    Row(id: id, text: description, json: [JSONEntry("description", .string(description))])
  }

  private static func row(_ fault: FaultEntry) -> Row {
    let amount =
      fault.unit == .none
      ? ""
      : " (\(fault.unit.rawValue), default \(fault.defaultAmount), "
        + "\(fault.range.lowerBound) to \(fault.range.upperBound))"
    return Row(
      id: fault.name, text: "\(fault.occasion.rawValue)\(amount): \(fault.cause)",
      json: [
        JSONEntry("description", .string(fault.cause)),
        JSONEntry("family", .string(fault.family)),
        JSONEntry("occasion", .string(fault.occasion.rawValue)),
        JSONEntry("unit", .string(fault.unit.rawValue)),
        JSONEntry("default", .int(fault.defaultAmount)),
        JSONEntry("least", .int(fault.range.lowerBound)),
        JSONEntry("most", .int(fault.range.upperBound)),
      ])
  }

  private static func row(_ invariant: InvariantInfo, _ held: AntecedentTable.Row?) -> Row {
    var row = Row(
      id: invariant.id,
      text: "\(invariant.kind.rawValue): \(invariant.statement) "
        + "(\(invariant.requirements.joined(separator: ", ")))",
      json: [
        JSONEntry("statement", .string(invariant.statement)),
        JSONEntry("kind", .string(invariant.kind.rawValue)),
        JSONEntry("requirements", .texts(invariant.requirements)),
        JSONEntry("antecedent", .string(invariant.antecedent)),
      ])
    guard let held else { return row }
    row.text =
      "held in \(Figures.grouped(held.held)) seeds, not in \(Figures.grouped(held.missed))"
      + (held.isRare ? ", rare" : held.isTrivial ? ", always" : "")
      + "; fires on \(held.defects.isEmpty ? "nothing" : held.defects.joined(separator: ", "))"
    row.json += [
      JSONEntry("held", .count(held.held)), JSONEntry("missed", .count(held.missed)),
      JSONEntry("defects", .texts(held.defects)),
    ]
    return row
  }

  private static func row(_ defect: PlantedDefect) -> Row {
    Row(
      id: defect.id,
      text: "\(defect.requirement), \(defect.kind.rawValue) in \(defect.file): \(defect.sentence)",
      json: [
        JSONEntry("description", .string(defect.sentence)),
        JSONEntry("area", .string(defect.area)),
        JSONEntry("requirement", .string(defect.requirement)),
        JSONEntry("kind", .string(defect.kind.rawValue)),
        JSONEntry("file", .string(defect.file)),
        JSONEntry("world", .texts(defect.profiles)),
      ])
  }

  private static func row(_ entry: RequirementCoverage.Entry) -> Row {
    var parts = [entry.requirement.level.rawValue]
    if entry.requirement.actor != .sdk { parts.append("[\(entry.requirement.actor.rawValue)]") }
    let invariants = entry.invariants.map { id in
      entry.antecedents.map { "\(id) (\($0[id]) runs)" } ?? id
    }
    if !invariants.isEmpty { parts.append(invariants.joined(separator: " ")) }
    func count(_ number: Int, _ what: String) {
      if number > 0 { parts.append("\(number) \(what)\(number == 1 ? "" : "s")") }
    }
    count(entry.tests.count, "test")
    count(entry.defects.count, "planted defect")
    count(entry.edits.count, "edit")
    if !entry.hasOwnProof { count(entry.looseEdits.count, "loose edit") }
    if entry.requirement.level == .must, entry.requirement.actor == .sdk, entry.excluded == nil,
      !entry.isShown
    {
      parts.append("OPEN")
    }
    if let excluded = entry.excluded { parts.append("excluded: \(excluded)") }
    return Row(
      id: entry.requirement.id, text: parts.joined(separator: ", "),
      json: [
        JSONEntry("level", .string(entry.requirement.level.rawValue)),
        JSONEntry("area", .string(entry.requirement.area)),
        JSONEntry("actor", .string(entry.requirement.actor.rawValue)),
        JSONEntry("invariants", .texts(entry.invariants)),
        JSONEntry("tests", .texts(entry.tests)),
        JSONEntry("defects", .texts(entry.defects)),
        JSONEntry("edits", .texts(entry.edits)),
        JSONEntry("loose_edits", .texts(entry.looseEdits)),
        JSONEntry("excluded", .text(entry.excluded)),
      ] + (entry.antecedents.map { [JSONEntry("antecedents", $0.json)] } ?? []))
  }
}
