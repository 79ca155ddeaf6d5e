import FuzzHistory
import SDK
import SimKernel

/// The app and the device as the SDK describes them in messages.
final class SimContextPort: ContextPort, @unchecked Sendable {
  private unowned let world: World
  private let fixedContext: FixedContext

  init(_ world: World) {
    self.world = world
    let device = world.scenario.device
    fixedContext = FixedContext(
      appName: device.appName, appVersion: world.appVersion, appBuild: world.appBuild,
      appNamespace: device.appNamespace, deviceType: device.deviceType,
      deviceManufacturer: device.deviceManufacturer, deviceModel: world.deviceModel,
      systemName: device.systemName, systemVersion: world.systemVersion)
  }

  func fixed() -> FixedContext {
    if world.dying != nil { world.noteHandlerPort(.context) }
    return fixedContext
  }

  func current() -> CurrentContext {
    let world = world
    if world.dying != nil { world.noteHandlerPort(.context) }
    let network: NetworkKind
    switch world.device.network.link {
    case .none: network = .none
    case .wifi, .captive: network = .wifi
    case .cellular: network = .cellular
    }
    let tracking: TrackingAuthorization
    switch world.tracking {
    case .notDetermined: tracking = .notDetermined
    case .restricted: tracking = .restricted
    case .denied: tracking = .denied
    case .authorized: tracking = .authorized
    }
    return CurrentContext(
      locale: world.locale, timeZone: world.timeZone, network: network,
      screenWidth: Int(world.screenSize.width), screenHeight: Int(world.screenSize.height),
      tracking: tracking)
  }
}

/// Keeps what the SDK logs, as text only while somebody reads it.
final class SimLogPort: LogPort, @unchecked Sendable {
  private unowned let world: World
  private let process: AppProcess

  init(_ world: World, _ process: AppProcess) {
    self.world = world
    self.process = process
  }

  func log(_ diagnostic: Diagnostic) {
    guard process.isAlive else { return }
    let world = world
    if world.dying != nil { world.noteHandlerPort(.log) }
    let code = LogCode(diagnostic)
    let text =
      world.options.narrated ? world.recorder.history.store("\(diagnostic)") : ByteSlice.empty
    world.recorder.record(
      .logged(code: code.rawValue, needsAttention: diagnostic.needsAttention, text: text),
      detail: UInt64(code.rawValue))
  }
}
