import FuzzHistory
import FuzzScenario
import SDK
import SimKernel

/// One device that lives through one scenario with the real SDK aboard.
///
/// The world binds: it turns actions into what the device and the host app do, answers ports and
/// hosts, lets faults strike, and writes down what truly happened. It decides nothing for the SDK.
public final class World {
  /// Kinds of kernel events that the world schedules itself.
  public enum EventKind {
    public static let action = Device.EventKind.firstOwnerKind
    public static let start = Device.EventKind.firstOwnerKind + 1
    public static let death = Device.EventKind.firstOwnerKind + 2
    public static let step = Device.EventKind.firstOwnerKind + 3
    public static let delivery = Device.EventKind.firstOwnerKind + 4
  }

  let scenario: Scenario
  /// That of the scenario, read with each job and step.
  let timing: Timing
  let options: RunOptions
  let randomness: Randomness
  let simulation: Simulation
  let device: Device
  let recorder: Recorder
  let faults: FaultTable
  var collector: Collector
  /// What the collector does beyond storing, where that is looked at.
  var deeds: CollectorDeeds?
  let configService: ConfigService

  var client: PostlipMetricsClient?
  var appVersion: String
  var appBuild: String
  /// Counts the installs of the app on this device.
  var install: UInt32 = 0
  /// What the hooks on controllers that appear call, in the running process.
  var appearanceHooks: [@Sendable (ViewControllerFacts) -> Void] = []
  var locale: String
  var timeZone: String
  var screenSize: ScreenSize
  /// The size at the newest call of the running process; nil before one.
  var calledSize: ScreenSize?
  var tracking: TrackingState
  var deviceModel: String
  var systemVersion: String
  var advertisingId: String
  var currentCall: CurrentCall?
  /// The start code of the process has run.
  var hasStarted = false
  var awaitsFirstQueueJob = false
  var requests: [WireRequest] = []
  var hostCounts: [Int]
  /// The config request of the process has begun and not ended.
  var isHolding = false
  let triggers = TriggerTable()
  var repetitions: [RunningRepetition] = []
  var diskSteps: UInt32 = 0
  var strikingAction: Int?
  var isCalm = false
  /// The process is inside a step that changes the disk.
  var isInDiskStep = false
  var crashHandler: CrashHandlers?
  var dying: DyingProcess?
  /// The process that last held the lock of the shared container.
  var lockKeeper: Int32 = -1
  /// The stack of the code that blocks the main thread.
  var mainStack: [String] = []
  /// Nobody else has held it since.
  var isLockIntact = true

  var launches = 0
  var calls = 0
  var faultCounts = [Int](repeating: 0, count: 256)
  var marks = [Int](repeating: 0, count: Mark.allCases.count)

  /// The public call that runs now.
  struct CurrentCall {
    var index: UInt32
    /// The identity of the call in the scenario: keys its random draws.
    var key: UInt64
    var draws: UInt32 = 0
  }

  static let bootStream = StreamName("device.boot")
  private static let uptimeStream = StreamName("device.uptime")

  public init(_ scenario: Scenario, options: RunOptions = RunOptions()) {
    self.scenario = scenario
    timing = scenario.timing
    self.options = options
    randomness = Randomness(seed: scenario.randomness)
    simulation = Simulation(
      seed: scenario.randomness, bounds: options.bounds, sink: options.sink)
    let network = Network(
      simulation: simulation, randomness: randomness, eventKind: Device.EventKind.network,
      link: scenario.link)
    let uptime = RandomStream.scaled(randomness.bits(World.uptimeStream, 0), to: 2_000_000)
    let clocks = DeviceClocks(
      trueEpoch: scenario.epochMilliseconds &* 1_000_000,
      bootIdentifier: randomness.bits(World.bootStream, 0),
      uptime: .seconds(Int64(uptime) + 60))
    device = Device(simulation: simulation, network: network, clocks: clocks)
    recorder = Recorder(history: History(header: World.header(scenario)), device: device)
    faults = FaultTable(scenario.faults, randomness: randomness)
    collector = Collector()
    deeds = scenario.collector.map {
      CollectorDeeds($0, address: HistoryHeader().networkAddress)
    }
    configService = ConfigService(scenario.config)
    appVersion = scenario.appVersion
    appBuild = scenario.appBuild
    locale = scenario.locale
    timeZone = scenario.timeZone
    screenSize = scenario.device.screenSize
    tracking = scenario.tracking
    deviceModel = scenario.device.deviceModel
    systemVersion = scenario.device.systemVersion
    advertisingId = scenario.device.advertisingId
    hostCounts = Array(repeating: 0, count: HostKind.allCases.count)
    device.appStyle = scenario.appStyle
    network.owner = self
    device.owner = self
  }

  /// Runs the scenario to the end of its calm.
  public func run() -> RunResult {
    recorder.record(.linkChanged(scenario.link))
    recordLocale()
    recorder.record(.trackingChanged(tracking))
    device.clocks.sleep(at: .start)
    scheduleActions()
    var stop = simulation.run(until: .start + scenario.duration, handler: device)
    if stop == .idle || stop == .reachedLimit {
      simulation.wait(until: .start + scenario.duration)
      stop = runCalm()
    }
    let result = result(stop)
    device.dispose()
    client = nil
    return result
  }

  private func result(_ stop: StopReason) -> RunResult {
    var result = RunResult(history: recorder.history)
    result.traceHash = simulation.trace.hashValue64
    result.events = simulation.delivered
    result.simulated = simulation.now - .start
    result.launches = launches
    result.calls = calls
    for kind in FaultKind.allCases where faultCounts[Int(kind.rawValue)] > 0 {
      result.faults[kind] = faultCounts[Int(kind.rawValue)]
    }
    if result.simulated > .days(30) { reach(.ranOverThirtyDays) }
    for mark in Mark.allCases where marks[mark.rawValue] > 0 {
      result.marks[mark.name] = marks[mark.rawValue]
    }
    result.stop = stop
    result.lastEntries = simulation.trace.lastEntries
    return result
  }

  private static func header(_ scenario: Scenario) -> HistoryHeader {
    var header = HistoryHeader()
    header.seed = scenario.provenance?.seed
    header.profile = scenario.provenance?.profile ?? ""
    header.build = scenario.provenance?.build ?? ""
    header.name = scenario.name
    header.trueEpoch = scenario.epochMilliseconds &* 1_000_000
    header.device = scenario.device
    header.isCalm = scenario.isCalm
    header.hasFixedDelays = scenario.timing.isFixed
    header.canaries = scenario.canaries
    header.hasSharedGroup = scenario.hasSharedGroup
    header.hasEarlierReporter = scenario.earlierReporter
    header.distribution = scenario.distribution
    header.collector = scenario.collector
    var longest = scenario.timing.handOffMicroseconds.upperBound * 1_000
    longest += scenario.timing.diskStepMicroseconds.upperBound * 1_000
    for fault in scenario.faults where fault.kind == .diskSlow || fault.kind == .queueSlow {
      longest +=
        (fault.amount ?? FaultCatalogue.entry(fault.kind).defaultAmount) * 1_000_000
    }
    header.longestHandOff = longest
    return header
  }

  // MARK: Small things

  func reach(_ mark: Mark) { marks[mark.rawValue] += 1 }

  /// A fault changed what a port or host answered.
  func took(_ fault: FaultKind, detail: UInt32 = 0) {
    faultCounts[Int(fault.rawValue)] += 1
    recorder.record(
      .faultTookEffect(fault: fault.rawValue, detail: detail), detail: UInt64(fault.rawValue))
  }

  /// A port is entered; inside a public call that is recorded (INV-16).
  func enterPort(_ port: PortKind) {
    if dying != nil { noteHandlerPort(port) }
    guard let call = currentCall else { return }
    recorder.record(.portEnteredInCall(call: call.index, port: port), detail: UInt64(call.index))
  }

  func recordLocale() {
    recorder.record(
      .localeChanged(
        locale: recorder.history.store(locale), zone: recorder.history.store(timeZone)))
  }

  /// Whether the app could run code now.
  var runningProcess: AppProcess? {
    guard let process = device.process, process.isAlive, process.phase != .suspended else {
      return nil
    }
    return process
  }
}
