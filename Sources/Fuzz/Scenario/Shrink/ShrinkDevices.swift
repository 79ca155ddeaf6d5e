import FuzzHistory
import SimKernel

extension ShrinkPass {
  /// Shorter times without power, reboots for power losses, updates for reinstalls, the usual
  /// models and sizes.
  static func devices(_ scenario: Scenario) -> ShrinkPass {
    var moves: [ShrinkMove] = []
    for action in scenario.actions {
      for simpler in action.kind.simplerDevices {
        moves.append(ShrinkMove(action: action.id, simpler.words) { $0.kind = simpler.kind })
      }
    }
    return ShrinkPass("devices", moves)
  }

  /// Fewer words of the user on tracking, and simpler ones.
  static func tracking(_ scenario: Scenario) -> ShrinkPass {
    var words: [TrackingState] = []
    for action in scenario.actions {
      if case .tracking(let state) = action.kind, !words.contains(state) { words.append(state) }
    }
    var moves = words.map { state in
      ShrinkMove("\(state) from the start, as to tracking") { scenario in
        scenario.tracking = state
        scenario.actions.removeAll { action in
          if case .tracking = action.kind { return true }
          return false
        }
      }
    }
    moves += [
      ShrinkMove("nobody was asked whether to be tracked") { $0.tracking = .notDetermined },
      ShrinkMove("tracking is denied at the start") { $0.tracking = .denied },
    ]
    return ShrinkPass("tracking", moves)
  }
}

extension ActionKind {
  /// The same for the device, but simpler.
  fileprivate var simplerDevices: [(words: String, kind: ActionKind)] {
    switch self {
    case .reboot(let off) where off > .seconds(1):
      return [("off for a second", .reboot(off: .seconds(1)))]
    case .powerLoss(let off):
      let short = ("off for a second", ActionKind.powerLoss(off: .seconds(1)))
      return [("a reboot", .reboot(off: off))] + (off > .seconds(1) ? [short] : [])
    case .install(let kind, let version, let build) where kind != .update:
      return [("an update", .install(.update, version: version, build: build))]
    case .drift(let rate) where rate.magnitude > 9:
      return [("drift of 9 parts", .drift(partsPerMillion: rate < 0 ? -9 : 9))]
    case .appear(let controllers): return ActionKind.simpler(controllers)
    case .extensionRuns(let span) where span > .seconds(1):
      return [("for a second", .extensionRuns(.seconds(1)))]
    case .blockMain(let span, let stack):
      let shown = stack.isEmpty ? [] : [("no stack", ActionKind.blockMain(span, stack: []))]
      let short: [TimeSpan] = [.milliseconds(5_500), .seconds(5), .seconds(1)]
      return shown
        + short.filter { $0 < span }.map {
          ("blocked for \(SpanText.text($0))", ActionKind.blockMain($0, stack: stack))
        }
    case .resize(let size): return ActionKind.simpler(size)
    case .tracking(let state) where state != .denied:
      return [("tracking is denied", .tracking(.denied))]
    case .systemUpdate(let version, let off): return ActionKind.simpler(version, off: off)
    case .newDevice(let model, let advertisingId):
      return ActionKind.simpler(model, advertisingId: advertisingId)
    case .spinMain(let span) where span > .seconds(6):
      return [("busy for six seconds", .spinMain(.seconds(6)))]
    default: return []
    }
  }

  /// Upright, or else on its side.
  private static func simpler(_ size: ScreenSize) -> [(words: String, kind: ActionKind)] {
    let usual = DeviceDescription().screenSize
    let turned = ScreenSize(width: usual.height, height: usual.width)
    let back = ("back to the usual size", ActionKind.resize(usual))
    return size == usual ? [] : [back, ("on its side", .resize(turned))]
  }

  /// A reboot, or else an update that takes no time and changes no version.
  private static func simpler(
    _ version: String, off: TimeSpan
  ) -> [(words: String, kind: ActionKind)] {
    let usual = DeviceDescription().systemVersion
    return [
      ("a reboot", .reboot(off: off)),
      ("an update that takes no time", .systemUpdate(version: version, off: .zero)),
      ("an update to the usual version", .systemUpdate(version: usual, off: off)),
    ]
  }

  /// The backup comes back onto the same device, or else onto one like it.
  private static func simpler(
    _ model: String, advertisingId: String
  ) -> [(words: String, kind: ActionKind)] {
    let usual = DeviceDescription()
    let app = Scenario()
    return [
      ("the same device", .install(.restore, version: app.appVersion, build: app.appBuild)),
      ("the usual model", .newDevice(model: usual.deviceModel, advertisingId: advertisingId)),
      (
        "the usual advertising id",
        .newDevice(model: model, advertisingId: usual.advertisingId)
      ),
    ]
  }

  /// Fewer controllers, and such without title and parents.
  private static func simpler(_ controllers: [ViewController]) -> [(
    words: String, kind: ActionKind
  )] {
    var moves: [(words: String, kind: ActionKind)] = []
    for place in controllers.indices {
      var fewer = controllers
      fewer.remove(at: place)
      if !fewer.isEmpty { moves.append(("without controller \(place)", .appear(fewer))) }
      var plain = controllers
      plain[place].title = nil
      if plain != controllers { moves.append(("controller \(place) has no title", .appear(plain))) }
      plain = controllers
      plain[place].parents = []
      if plain != controllers { moves.append(("controller \(place) stands alone", .appear(plain))) }
    }
    return moves
  }
}
