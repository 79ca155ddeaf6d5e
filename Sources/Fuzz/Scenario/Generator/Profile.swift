/// What a generated life may hold: each seed draws a subset of these (swarm testing).
public enum Feature: UInt8, Hashable, Sendable, CaseIterable {
  case network
  case server
  case config
  case disk
  case queue
  case rules
  case outage
  case damage
  case kills
  case crashes
  case updates
  case pushes
  case overlays
  case offline
  case captive
  case clock
  case locale
  case bursts
  case hostile
  case badIds
  case tinyQueue
  case oddLoads
  case locks
  case reboots
  case powerLosses
  case installs
  case drift
  case scenes
  case decisions
  case sharedGroup
  case screens
  case hangs
  case attribution
  case tracking
  case devices
  case destinations
  case resizes

  /// The word in the name of a generated scenario.
  var word: String {
    switch self {
    case .badIds: return "bad ids"
    case .tinyQueue: return "tiny queue"
    case .oddLoads: return "odd loads"
    case .outage: return "outages"
    case .queue: return "slow queues"
    case .powerLosses: return "power losses"
    case .decisions: return "many decisions"
    case .sharedGroup: return "a shared group"
    case .devices: return "other devices"
    case .resizes: return "screens that are turned"
    default: return "\(self)"
    }
  }
}

/// A distribution of scenarios. Weights are eighths: how many seeds of eight have a feature.
public struct Profile: Hashable, Sendable {
  public let name: String
  /// What it draws, in one sentence.
  public let description: String
  /// Nothing goes wrong, and nothing that could be unsent is lost.
  let isCalm: Bool
  /// One entry a feature, in the order of `Feature.allCases`.
  private let eighths: [UInt8]
  /// How often requests fail, in thousandths, of all fault families together.
  let requestFaults: ClosedRange<Int>
  /// How often file operations fail, in thousandths.
  let fileFaults: ClosedRange<Int>

  /// The chance of a feature in eighths.
  func eighths(_ feature: Feature) -> UInt64 { UInt64(eighths[Int(feature.rawValue)]) }

  private init(
    _ name: String, _ description: String, isCalm: Bool = false,
    requestFaults: ClosedRange<Int> = 140...420, fileFaults: ClosedRange<Int> = 4...40,
    _ changes: [(Feature, UInt8)]
  ) {
    self.name = name
    self.description = description
    self.isCalm = isCalm
    self.requestFaults = requestFaults
    self.fileFaults = fileFaults
    var eighths = [UInt8](repeating: 0, count: Feature.allCases.count)
    for (feature, weight) in Profile.base + changes { eighths[Int(feature.rawValue)] = weight }
    self.eighths = eighths
  }

  /// What the default profile draws.
  private static let base: [(Feature, UInt8)] = [
    (.network, 7), (.server, 6), (.config, 5), (.disk, 4), (.queue, 3), (.rules, 4), (.outage, 2),
    (.damage, 1), (.kills, 6), (.crashes, 4), (.updates, 2), (.pushes, 4), (.overlays, 4),
    (.offline, 5), (.captive, 2), (.clock, 3), (.locale, 2), (.bursts, 4), (.hostile, 5),
    (.badIds, 3), (.tinyQueue, 1), (.oddLoads, 1), (.locks, 2), (.reboots, 2),
    (.powerLosses, 1), (.installs, 1), (.drift, 1), (.scenes, 2), (.decisions, 1), (.screens, 1),
    (.hangs, 1), (.attribution, 6), (.tracking, 5), (.devices, 1), (.destinations, 1),
  ]

  public static let calm = Profile(
    "calm",
    "The calls and launches of the default profile without any fault; proves the reference model.",
    isCalm: true,
    [
      (.network, 0), (.server, 0), (.config, 0), (.disk, 0), (.queue, 0), (.rules, 0),
      (.outage, 0), (.damage, 0), (.crashes, 0), (.offline, 0), (.captive, 0), (.clock, 0),
      (.tinyQueue, 0), (.oddLoads, 0), (.locks, 0), (.reboots, 0), (.powerLosses, 0),
      (.installs, 0), (.drift, 0), (.scenes, 0), (.decisions, 0), (.screens, 2), (.hangs, 0),
      (.devices, 0),
    ])

  public static let `default` = Profile(
    "default", "A bit of everything: most seeds mix several families of faults.",
    [(.sharedGroup, 1), (.resizes, 2)])

  public static let offline = Profile(
    "offline",
    "Long times without a network, captive portals, small queues and bursts that overflow them.",
    requestFaults: 100...300,
    [
      (.network, 8), (.server, 2), (.disk, 2), (.rules, 1), (.offline, 8), (.captive, 5),
      (.bursts, 7), (.tinyQueue, 4), (.kills, 7),
    ])

  public static let server = Profile(
    "server", "Servers that answer late, oddly, or with every status there is.",
    requestFaults: 200...600,
    [
      (.network, 3), (.server, 8), (.config, 7), (.disk, 1), (.rules, 8), (.outage, 4),
      (.offline, 2), (.damage, 0), (.attribution, 8),
    ])

  public static let disk = Profile(
    "disk",
    "Full, failing, slow and garbled disks, and deaths between the steps of the file system.",
    requestFaults: 60...200, fileFaults: 10...90,
    [
      (.network, 3), (.server, 3), (.config, 2), (.disk, 8), (.damage, 6), (.kills, 8),
      (.crashes, 7), (.rules, 1),
    ])

  public static let crashy = Profile(
    "crashy",
    "Processes that crash or are killed at any moment, and devices that lose their power.",
    requestFaults: 60...200, fileFaults: 2...12,
    [
      (.network, 4), (.server, 2), (.disk, 1), (.rules, 1), (.kills, 8), (.crashes, 8),
      (.powerLosses, 7), (.reboots, 3), (.pushes, 5), (.decisions, 3),
    ])

  public static let locked = Profile(
    "locked",
    "Screens that are locked and devices that restart, with pushes before the first unlock.",
    requestFaults: 40...160, fileFaults: 2...8,
    [
      (.network, 3), (.server, 2), (.disk, 1), (.rules, 1), (.locks, 8), (.reboots, 8),
      (.powerLosses, 2), (.pushes, 7), (.scenes, 2), (.sharedGroup, 3),
    ])

  public static let clock = Profile(
    "clock", "Wall clocks that jump, drift, or start in 1970; other zones; devices that were off.",
    requestFaults: 60...240, fileFaults: 2...8,
    [
      (.network, 4), (.server, 3), (.disk, 1), (.rules, 1), (.clock, 8), (.drift, 6),
      (.locale, 6), (.reboots, 6), (.offline, 5),
    ])

  public static let consent = Profile(
    "consent", "Users who change their mind often, on disks and networks that fail.",
    requestFaults: 60...240, fileFaults: 4...30,
    [
      (.network, 4), (.server, 2), (.disk, 4), (.rules, 1), (.decisions, 8), (.kills, 7),
      (.reboots, 2), (.powerLosses, 4), (.damage, 2), (.tracking, 7),
    ])

  public static let upgrade = Profile(
    "upgrade", "Other copies of the app: updates, downgrades, reinstalls, restores from a backup.",
    requestFaults: 40...160, fileFaults: 2...8,
    [
      (.network, 3), (.server, 2), (.disk, 1), (.rules, 1), (.updates, 8), (.installs, 8),
      (.kills, 7), (.reboots, 2), (.scenes, 3), (.devices, 6), (.attribution, 7),
      (.resizes, 2),
    ])

  public static let screens = Profile(
    "screens",
    "Many screens, of calls and of controllers that appear, over long absences, resets, changes of"
      + " mind and switches of the panel.",
    requestFaults: 40...160, fileFaults: 2...8,
    [
      (.network, 3), (.server, 2), (.disk, 1), (.rules, 1), (.kills, 4), (.crashes, 3),
      (.pushes, 5), (.overlays, 6), (.scenes, 3), (.decisions, 4), (.clock, 3), (.screens, 8),
      (.resizes, 3),
    ])

  public static let hangs = Profile(
    "hangs",
    "Main threads that are blocked or busy, around every limit and through every change of the app.",
    requestFaults: 40...160, fileFaults: 2...8,
    [
      (.network, 3), (.server, 2), (.disk, 1), (.rules, 1), (.hangs, 8), (.kills, 5), (.clock, 5),
      (.locks, 4), (.pushes, 5), (.scenes, 3), (.reboots, 2),
    ])

  /// All profiles, in the order in which they are listed.
  public static let all: [Profile] = [
    calm, `default`, offline, server, disk, crashy, locked, clock, consent, upgrade,
    screens, hangs,
  ]

  /// The profile of a name, if there is one.
  public static func named(_ name: String) -> Profile? { all.first { $0.name == name } }
}
