import FuzzHistory
import SimKernel

@testable import FuzzInvariants

/// The decision on the disk of a history built by hand.
extension StoryBuilder {
  static let decision = storage + "/consent.json"
  static let spare = storage + "/consent.spare"
  static let install = storage + "/install.json"

  static func decisionBytes(_ analytics: Bool?, _ marketing: Bool?) -> [UInt8] {
    var flags: [String] = []
    if let analytics { flags.append("\"analytics\":\(analytics)") }
    if let marketing { flags.append("\"marketing\":\(marketing)") }
    let text =
      "{\"decision\":{" + flags.joined(separator: ",") + "},\"opened\":false,\"version\":1}"
    return Array(text.utf8) + [UInt8](repeating: 0x20, count: 256 - text.utf8.count)
  }

  /// Launches, reads the decision and loads.
  func relaunch(reading outcome: DiskOutcome = .done, _ options: HostOptions) {
    if process >= 0 {
      pass(.seconds(10))
      end(.memoryKill)
      pass(.seconds(10))
    }
    launch()
    beginLoad(options)
    disk(.read, StoryBuilder.decision, outcome: outcome)
    record(.firstQueueJobEnded)
    finishConfig()
  }

  /// The app passes flags, and the SDK writes them.
  func decide(analytics: Bool?, marketing: Bool?, stored: [UInt8]? = nil) {
    call(.consent(analytics: analytics, marketing: marketing))
    self.analytics = analytics ?? self.analytics
    self.marketing = marketing ?? self.marketing
    writeDecision(stored ?? StoryBuilder.decisionBytes(analytics, marketing))
  }

  func writeDecision(_ bytes: [UInt8]) {
    pass(.milliseconds(1))
    disk(.write, StoryBuilder.spare, bytes)
    disk(.barrier, StoryBuilder.spare)
    disk(.rename, StoryBuilder.spare, target: StoryBuilder.decision)
  }

  func writeInstall() {
    let user = userId.map { ",\"userId\":\"\($0)\"" } ?? ""
    disk(
      .write, StoryBuilder.install + ".new",
      Array("{\"anonymousId\":\"\(anonymousId)\"\(user),\"version\":1}".utf8))
    disk(.rename, StoryBuilder.install + ".new", target: StoryBuilder.install)
  }

  func wipe() {
    disk(.list, StoryBuilder.storage)
    disk(.remove, StoryBuilder.install)
    disk(.remove, StoryBuilder.storage + "/queue")
  }
}

extension HostOptions {
  /// Only the mode is set, and lifecycle events are off.
  static func mode(_ mode: ConsentMode) -> HostOptions {
    var options = HostOptions()
    options.consent = mode
    options.trackLifecycle = false
    return options
  }
}
