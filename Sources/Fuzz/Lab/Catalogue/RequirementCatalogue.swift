/// The ids of all requirements with their levels.
public enum RequirementCatalogue {
  /// How binding a requirement is.
  public enum Level: String, Sendable {
    case must
    case should
    case may
  }

  /// Whose behaviour a requirement is about.
  public enum Actor: String, Sendable {
    case sdk
    case collector
    case backend
    case app
    case build
    case player
  }

  /// One requirement.
  public struct Requirement: Hashable, Sendable {
    public var id: String
    public var area: String
    public var level: Level
    public var actor: Actor
  }

  /// The requirements that are not about the SDK itself.
  private static let actors: [(actor: Actor, ids: [String])] = [
    (
      .collector,
      [
        "API-16", "API-24", "CON-03", "CON-19", "CRA-12", "ID-07", "ID-08", "LIF-11", "NET-14",
        "NET-15", "OPT-31", "PRV-08", "PRV-09", "TRN-12",
      ]
    ),
    (.backend, ["POL-09"]), (.app, ["API-25", "ID-04", "OVR-16", "PRV-14", "SCR-14"]),
    (.build, ["API-33", "MAP-33", "MAP-35", "MAP-36", "RUN-42", "RUN-46"]),
    (.player, ["RPL-14", "RPL-15", "RPL-16", "RPL-17"]),
  ]

  /// An area: how many requirements it has, and which of them are not `must`.
  private struct Area {
    var name: String
    var count: Int
    var should: [Int] = []
    var may: [Int] = []
  }

  private static let areas: [Area] = [
    Area(name: "API", count: 33, should: [25, 33]),
    Area(name: "OPT", count: 31),
    Area(name: "CON", count: 30),
    Area(name: "ID", count: 17),
    Area(name: "SES", count: 11),
    Area(name: "LIF", count: 17),
    Area(name: "SCR", count: 16),
    Area(name: "ATT", count: 11),
    Area(name: "CRA", count: 21),
    Area(name: "HNG", count: 8),
    Area(name: "PRV", count: 15),
    Area(name: "TRN", count: 30),
    Area(name: "MAP", count: 37, should: [24, 33, 34, 37], may: [35]),
    Area(name: "INT", count: 10, should: [9, 10]),
    Area(name: "NET", count: 18),
    Area(name: "SPL", count: 20, should: [13, 20]),
    Area(name: "RPL", count: 35, should: [23, 24, 25], may: [8, 29]),
    Area(name: "BUD", count: 8, should: [1, 2, 3, 4]),
    Area(name: "SEG", count: 15, should: [2, 14, 15]),
    Area(name: "MSK", count: 15, may: [14]),
    Area(name: "OVR", count: 37, should: [14]),
    Area(name: "POL", count: 9),
    Area(name: "RUN", count: 47, should: [31, 32, 33, 44, 47], may: [34, 35, 43, 46]),
    Area(name: "CMP", count: 47),
    Area(name: "LAB", count: 28, should: [21, 22, 23, 24, 25, 26, 27]),
  ]

  /// All 566, area by area.
  public static let all: [Requirement] = areas.flatMap { area in
    (1...area.count).map { number in
      let level: Level =
        area.should.contains(number) ? .should : area.may.contains(number) ? .may : .must
      let id = "\(area.name)-\(Figures.padded(number, 2))"
      return Requirement(
        id: id, area: area.name, level: level,
        actor: actors.first { $0.ids.contains(id) }?.actor ?? .sdk)
    }
  }

  /// Why no run of this lab can check a requirement; absent when it can.
  public static func exclusion(of id: String) -> String? {
    exclusions.first { $0.id == id }?.reason
  }

  private static let exclusions: [(id: String, reason: String)] = [
    ("API-27", "speaks of the SDKs of other platforms, which are no part of this package"),
    ("API-33", "only publishing the package and a pod could show it"),
  ]
}
