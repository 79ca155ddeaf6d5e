import SimKernel

/// A device with fixed delays that writes down what it says.
final class DeviceHarness: DeviceOwner, NetworkOwner {
  let simulation: Simulation
  let device: Device
  var lines: [String] = []
  var handOff: TimeSpan = .milliseconds(1)
  /// Notifications that are posted twice.
  var repeats: [AppNotification] = []
  var onLaunch: ((AppProcess) -> Void)?

  init(seed: UInt64 = 1, link: LinkKind = .wifi) {
    simulation = Simulation(seed: seed)
    let network = Network(
      simulation: simulation, randomness: Randomness(seed: seed),
      eventKind: Device.EventKind.network, link: link)
    device = Device(
      simulation: simulation, network: network,
      clocks: DeviceClocks(
        trueEpoch: 1_780_000_000_000_000_000, bootIdentifier: 7, uptime: .hours(1)))
    device.owner = self
    network.owner = self
  }

  func run(for span: TimeSpan) {
    let end = simulation.now + span
    _ = simulation.run(until: end, handler: device)
    simulation.wait(until: end)
  }

  func say(_ line: String) { lines.append("\(device.now.nanoseconds / 1_000_000) \(line)") }

  func deviceLaunched(_ process: AppProcess) {
    say("launched \(process.kind)")
    onLaunch?(process)
  }
  func deviceEnded(_ process: AppProcess, _ cause: EndCause) { say("ended \(cause)") }
  func deviceChangedPhase(_ process: AppProcess, _ phase: AppPhase) { say("\(phase)") }
  func deviceChangedMainThread(_ process: AppProcess, isBlocked: Bool) {
    say(isBlocked ? "main blocked" : "main free")
  }
  func deviceChangedDebugger(_ process: AppProcess, isAttached: Bool) {
    say("debugger \(isAttached)")
  }
  func deviceBackgroundTaskExpired(_ process: AppProcess, task: UInt32) { say("expired \(task)") }
  func deviceChangedLock(isLocked: Bool) { say(isLocked ? "locked" : "unlocked") }
  func deviceChangedProtection(isAvailable: Bool) {
    say("protected data \(isAvailable ? "available" : "unavailable")")
  }
  func deviceBooted() { say("booted \(device.clocks.bootIdentifier)") }
  func deviceBootIdentifier(boot: Int) -> UInt64 { 7 + UInt64(boot) }
  func deviceRepeats(_ notification: AppNotification) -> Bool { repeats.contains(notification) }
  func deviceRanJob(_ process: AppProcess, queue: UInt16) {}
  func deviceHandOff(actor: UInt32) -> TimeSpan { handOff }
  func deviceReceived(_ event: Event) {}

  func exchangeArrived(_ exchange: UInt32, copy: UInt8) { say("arrived \(exchange).\(copy)") }
  func exchangeAnswered(_ exchange: UInt32, copy: UInt8) { say("answered \(exchange).\(copy)") }
  func exchangeIntercepted(_ exchange: UInt32) { say("intercepted \(exchange)") }
  func exchangeEnded(_ exchange: UInt32, _ end: ExchangeEnd) { say("\(end) \(exchange)") }
  func exchangeDisturbed(_ exchange: UInt32, by fault: FaultKind) { say("disturbed \(exchange)") }
}
