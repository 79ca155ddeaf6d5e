import FuzzHistory
import FuzzInvariants

/// How often each invariant had something to judge in a campaign, and the planted defects on which
/// it fires.
public struct AntecedentTable {
  /// One invariant.
  struct Row {
    var invariant: InvariantInfo
    /// In how many seeds its antecedent held, and in how many it did not.
    var held: Int
    var missed: Int
    /// Planted defects that name it.
    var defects: [String]

    /// It held in every seed, which says little.
    var isTrivial: Bool { missed == 0 && held > 0 }
    /// So seldom that it proves little.
    var isRare: Bool { held < AntecedentTable.fewest }
  }

  /// Fewer seeds than this prove little.
  static let fewest = 20

  let rows: [Row]
  private let summary: JSONValue

  /// Reads the summary of a campaign and the planted defects of a package.
  /// - Parameters:
  ///   - campaign: the folder of a campaign that ended.
  ///   - package: the folder of the package; nil searches.
  public init(campaign: String, package: String?) throws {
    let summary = try CampaignFolder.summary(of: campaign)
    let defects = try PlantedDefect.all(in: PackageRoot.find(named: package))
    self.summary = summary
    rows = Judge.catalogue.map { invariant in
      let held = summary.held(invariant)
      return Row(
        invariant: invariant, held: held, missed: max(0, summary.count("seeds") - held),
        defects: defects.filter { $0.invariants.contains(invariant.id) }.map(\.id))
    }
  }

  /// A page with a row an invariant.
  /// - Parameter command: what makes the page.
  public func markdown(command: String) -> String {
    var lines = [
      "# Antecedents", "",
      "Over \(words): in how many seeds an invariant had something to judge, and the planted defects on",
      "which it fires (`simlab defects` shows that it does). *Always* marks an antecedent that held in",
      "every seed, *rare* one that held in fewer than \(AntecedentTable.fewest).", "", "```sh",
      campaignCommand, command, "```", "",
      "| invariant | antecedent | with | without | | fires on |",
      "| --- | --- | --- | --- | --- | --- |",
    ]
    for row in rows {
      let mark = row.isRare ? "**rare**" : row.isTrivial ? "always" : ""
      lines.append(
        "| \(row.invariant.id) | \(row.invariant.antecedent) | \(Figures.grouped(row.held))"
          + " | \(Figures.grouped(row.missed)) | \(mark) | \(row.defects.joined(separator: ", ")) |"
      )
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private var profiles: [String] { (summary["profiles"]?.array ?? []).compactMap(\.string) }

  /// A command that repeats the campaign.
  private var campaignCommand: String {
    let checked = summary.count("determinism_percent")
    return "simlab fuzz --seeds \(summary.count("first_seed"))..\(summary.count("last_seed"))"
      + " --profile \(profiles.joined(separator: ","))"
      + (checked > 0 ? " --check-determinism \(checked)" : "") + " --no-shrink --out campaign"
  }

  private var words: String {
    "seeds \(summary.count("first_seed")) to \(summary.count("last_seed")) of "
      + profiles.joined(separator: ", ") + ", build \(summary["build"]?.string ?? "unknown")"
  }
}

extension JSONValue {
  fileprivate func count(_ key: String) -> Int { Int(self[key]?.integer ?? 0) }

  /// In how many runs of a campaign the antecedent of an invariant held.
  func held(_ invariant: InvariantInfo) -> Int {
    // What compares two runs is counted by the campaign, which makes them.
    if invariant.kind == .paired { return count("determinism_checked") }
    return Int(self["antecedents"]?[invariant.id]?.integer ?? 0)
  }
}
