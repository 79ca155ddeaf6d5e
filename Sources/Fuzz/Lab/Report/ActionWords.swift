import FuzzHistory
import FuzzScenario

/// Actions of a scenario in words.
public enum ActionWords {
  /// The kind of an action, for counts.
  public static func family(_ kind: ActionKind) -> String {
    switch kind {
    case .launch: return "launch"
    case .foreground: return "foreground"
    case .background: return "background"
    case .overlay: return "overlay"
    case .end: return "end"
    case .crash: return "crash"
    case .call: return "call"
    case .link: return "link"
    case .stepWallClock, .setWallClock: return "clock"
    case .locale: return "locale"
    case .resize: return "screen size"
    case .update, .install: return "install"
    case .lock, .unlock: return "lock"
    case .reboot: return "reboot"
    case .powerLoss: return "power loss"
    case .drift: return "clock"
    case .extensionRuns: return "extension"
    case .openScene: return "scene"
    case .appear: return "appearance"
    case .blockMain, .spinMain: return "main thread"
    case .debugger: return "debugger"
    case .tracking: return "tracking"
    case .systemUpdate: return "reboot"
    case .newDevice: return "install"
    case .damage, .patch: return "damage"
    case .diskRoom: return "disk room"
    case .access: return "access"
    case .repeated: return "repeat"
    }
  }
}
