import FuzzHistory
import SimKernel

/// What the world will do to one device: an explicit value that a person can read and change.
public struct Scenario: Hashable, Sendable {
  /// The version of the file format.
  public static let currentVersion = 1

  /// A few words on what happens.
  public var name: String = ""
  /// What it shows and where it comes from.
  public var why: String = ""
  /// The generating seed, where there was one.
  public var provenance: Provenance?
  /// The seed of every random draw in the run.
  public var randomness: UInt64 = 0
  /// True wall time at the start, in milliseconds since the Unix epoch; after 2026-01-01.
  public var epochMilliseconds: Int64 = 1_780_000_000_000
  /// How long the run lasts before the calm begins.
  public var duration: TimeSpan = .hours(1)
  /// Claims that nothing goes wrong: no faults, and a process ends only while it is suspended with
  /// nothing in flight and nothing unsent, so that the model must predict every message exactly.
  public var isCalm: Bool = false
  public var device = DeviceDescription()
  public var locale: String = "en-US"
  public var timeZone: String = "Europe/Berlin"
  public var link: LinkKind = .wifi
  public var appVersion: String = "1.4.0"
  public var appBuild: String = "140"
  /// How the app hears that it enters the foreground.
  public var appStyle: AppStyle = .delegate
  /// The SDK stores in a container that the app shares with its extensions.
  public var hasSharedGroup: Bool = false
  /// Another crash reporter is in the app, installed before the SDK or after it.
  public var earlierReporter: Bool = false
  public var laterReporter: Bool = false
  /// What the app does first in every process; nil is an app that loads the SDK by a call action.
  public var start: AppStart? = AppStart()
  public var timing = Timing()
  public var config = ConfigAnswer()
  public var distribution: DistributionKind = .appStore
  /// Whether the user lets the app track, at the start.
  public var tracking: TrackingState = .notDetermined
  public var attribution = AttributionSource()
  /// What the collector does beyond storing; nil looks at nothing of that.
  public var collector: CollectorSettings?
  public var faults: [FaultSetting] = []
  public var rules: [ServerRule] = []
  /// In order of their ids; ids are stable identities and keep their value when others are removed.
  public var actions: [Action] = []
  public var expect: [Expectation] = []

  public init() {}
}

/// Where a scenario came from.
public struct Provenance: Hashable, Sendable {
  public var seed: UInt64
  public var profile: String
  public var build: String

  public init(seed: UInt64, profile: String, build: String) {
    self.seed = seed
    self.profile = profile
    self.build = build
  }
}

/// The start code of the app: it loads the SDK on the main thread in every process.
public struct AppStart: Hashable, Sendable {
  public var writeKey: String = "pk_live_simlab"
  public var options = HostOptions()
  /// From the launch of the process until `load` is called, in milliseconds.
  public var afterMilliseconds: Int64 = 5

  public init() {}
}

/// How long the healthy world takes. A range of one value is a fixed delay.
public struct Timing: Hashable, Sendable {
  /// From giving a job to an idle queue until it runs, in microseconds.
  public var handOffMicroseconds: ClosedRange<Int64> = 20...400
  /// One step of the file system, in microseconds.
  public var diskStepMicroseconds: ClosedRange<Int64> = 30...300
  /// One way between device and server, in milliseconds.
  public var networkMilliseconds: ClosedRange<Int64> = 15...180
  /// From arrival until the server answers, in milliseconds.
  public var serverMilliseconds: ClosedRange<Int64> = 2...60

  public init() {}

  public var isFixed: Bool {
    handOffMicroseconds.count == 1 && diskStepMicroseconds.count == 1
      && networkMilliseconds.count == 1 && serverMilliseconds.count == 1
  }
}

/// What the config service answers when it is well.
public struct ConfigAnswer: Hashable, Sendable {
  /// `required`, `implied`, `none`, or a word that the SDK does not know; nil leaves the part out.
  public var consentMode: String?
  public var sessionTimeoutMinutes: Int?
  public var test: Bool?
  public var pageviews: Bool?
  public var pageleave: Bool?
  public var errors: Bool?

  public init() {}
}

/// A fault that strikes by chance wherever it may.
public struct FaultSetting: Hashable, Sendable {
  public var kind: FaultKind
  public var chance: Ratio
  /// Only between these spans since the start; nil is no bound.
  public var from: TimeSpan?
  public var until: TimeSpan?
  /// In the fault's own unit; nil is the catalogue's default.
  public var amount: Int64?

  public init(
    _ kind: FaultKind, chance: Ratio, from: TimeSpan? = nil, until: TimeSpan? = nil,
    amount: Int64? = nil
  ) {
    self.kind = kind
    self.chance = chance
    self.from = from
    self.until = until
    self.amount = amount
  }
}

/// A scripted answer to certain requests.
public struct ServerRule: Hashable, Sendable {
  /// Which requests a rule meets.
  public enum Condition: Hashable, Sendable {
    case always
    case bodyLargerThan(bytes: Int)
    case bodyContains(String)
  }

  public var host: HostKind
  /// The first request it applies to: the n-th started for this host in the run, from 1.
  public var first: Int = 1
  /// How many requests it applies to; nil is all that follow.
  public var count: Int?
  public var condition: Condition = .always
  public var answer = ScriptedAnswer()

  public init(host: HostKind) { self.host = host }
}

/// What a server or the network does with one request.
public struct ScriptedAnswer: Hashable, Sendable {
  /// What stands in an answer.
  public enum Body: Hashable, Sendable {
    case empty
    /// What a healthy server says.
    case healthy
    /// Accepts, but lists the first `count` messages in `rejected`.
    case rejecting(count: Int)
    /// Accepts with a warning for each message.
    case warning
    case html
    /// Bytes that are no JSON.
    case garbage
    case text(String)
  }

  /// A failure of the network in place of an answer.
  public var fault: FaultKind?
  public var status: UInt16 = 200
  /// Lines `Name: value`.
  public var headers: [String] = []
  public var body: Body = .healthy
  /// Added to the server's time; nil is none.
  public var delayMilliseconds: Int64?

  public init() {}
}

/// Something that happens in the world at a moment.
public struct Action: Hashable, Sendable {
  public var id: UInt32
  public var moment: Moment
  public var kind: ActionKind

  public init(id: UInt32, moment: Moment, kind: ActionKind) {
    self.id = id
    self.moment = moment
    self.kind = kind
  }
}

/// When an action happens.
public enum Moment: Hashable, Sendable {
  /// A span since the start of the run.
  case at(TimeSpan)
  case after(Trigger)
}

/// A moment counted from a world event, never from an event inside the SDK.
public struct Trigger: Hashable, Sendable {
  public var event: WorldEvent
  /// Which occurrence in the run, from 1.
  public var occurrence: Int
  /// Time after the event.
  public var plus: TimeSpan
  /// Steps of the file system after the event; with steps the action strikes inside the last of
  /// them.
  public var plusDiskSteps: Int

  public init(
    _ event: WorldEvent, occurrence: Int = 1, plus: TimeSpan = .zero, plusDiskSteps: Int = 0
  ) {
    self.event = event
    self.occurrence = occurrence
    self.plus = plus
    self.plusDiskSteps = plusDiskSteps
  }
}

/// Events of the world that actions may be tied to.
public enum WorldEvent: String, Hashable, Sendable, CaseIterable {
  case launched
  case ended
  case foregrounded
  case backgrounded
  case suspended
  case callReturned = "call_returned"
  case configStarted = "config_started"
  case configArrived = "config_arrived"
  case configEnded = "config_ended"
  case batchStarted = "batch_started"
  case batchArrived = "batch_arrived"
  case batchAnswered = "batch_answered"
  case batchEnded = "batch_ended"
  case diskStep = "disk_step"
  case booted
  case locked
  case unlocked
  case mainBlocked = "main_blocked"
  case tokenAsked = "token_asked"
  case attributionStarted = "attribution_started"
  case attributionArrived = "attribution_arrived"
  case attributionAnswered = "attribution_answered"
  case attributionEnded = "attribution_ended"
}

/// A file of the SDK, named by its place rather than its name.
public enum FileSelector: Hashable, Sendable {
  /// The n-th file of the queue, oldest first, from 0.
  case queueFile(Int)
  /// The newest file of the queue.
  case newestQueueFile
  /// A path below the SDK's folder.
  case path(String)
}

/// What can happen.
public enum ActionKind: Hashable, Sendable {
  /// Starts the app; nothing happens if it runs.
  case launch(LaunchKind)
  /// The user opens the app or comes back to it; launches it if it does not run.
  case foreground
  /// The user leaves the app.
  case background
  /// A system overlay comes (active to inactive) and goes.
  case overlay(TimeSpan)
  /// The process ends.
  case end(EndCause)
  /// The process dies of a fault of its own; nothing happens while no code of it runs.
  case crash(CrashPlan)
  /// The host app calls the SDK from one of its threads; 0 is the main thread.
  case call(thread: UInt16, HostCall)
  case link(LinkKind)
  /// The wall clock moves by so much.
  case stepWallClock(TimeSpan)
  /// The wall clock is set to a time in milliseconds since the Unix epoch.
  case setWallClock(milliseconds: Int64)
  case locale(String, zone: String)
  /// The screen has another size: the device is turned, or the app's window gets another part
  /// of it.
  case resize(ScreenSize)
  /// Another version of the app is installed over this one; ends the process.
  case update(version: String, build: String)
  case damage(FileSelector, FileDamage)
  /// So many more bytes fit on the disk; nil is no bound.
  case diskRoom(bytes: Int?)
  /// Access to a file is denied, or allowed again.
  case access(FileSelector, denied: Bool)
  /// Bytes of a file are replaced behind the app's back, as far as the file reaches.
  case patch(FileSelector, offset: Int, bytes: [UInt8])
  /// The user locks the screen.
  case lock
  /// The user unlocks the screen.
  case unlock
  /// The device is shut down in good order, is off for so long, and starts, locked.
  case reboot(off: TimeSpan)
  /// The power goes at once, with what no barrier covered; after so long the device starts, locked.
  case powerLoss(off: TimeSpan)
  /// Another copy of the app comes onto the device; ends the process.
  case install(InstallKind, version: String, build: String)
  /// From now on the wall clock runs fast or slow by so much.
  case drift(partsPerMillion: Int64)
  /// An extension of the app runs for so long and holds the lock of the shared container.
  case extensionRuns(TimeSpan)
  /// The user opens a second window of the app.
  case openScene
  /// Controllers of the app appear within one turn of the main run loop, in this order.
  case appear([ViewController])
  /// Code of the app blocks the main thread for so long; empty is a stack that shows nothing.
  case blockMain(TimeSpan, stack: [StackFrame])
  /// The main run loop turns for so long without waiting.
  case spinMain(TimeSpan)
  /// A debugger is attached to the process, or taken away.
  case debugger(isAttached: Bool)
  /// The user answers the app's question whether it may track; where it was answered before, the
  /// user changes the answer in the settings, which ends the app.
  case tracking(TrackingState)
  /// The system is updated: the device is off for so long and starts, locked, with another version.
  case systemUpdate(version: String, off: TimeSpan)
  /// The user goes on with another device, set up from a backup of this one.
  case newDevice(model: String, advertisingId: String)
  /// Many actions in a short text: cycles, bursts, floods.
  case repeated(Repetition)
}

/// Steps that are done one after the other, over and over.
public struct Repetition: Hashable, Sendable {
  /// What is done after a wait.
  public struct Step: Hashable, Sendable {
    /// In microseconds; drawn anew each time.
    public var waitMicroseconds: ClosedRange<Int64>
    /// Anything but a repetition.
    public var kind: ActionKind

    public init(waitMicroseconds: ClosedRange<Int64>, kind: ActionKind) {
      self.waitMicroseconds = waitMicroseconds
      self.kind = kind
    }
  }

  /// How often all steps are done.
  public var times: Int
  public var steps: [Step]

  public init(times: Int, steps: [Step]) {
    self.times = times
    self.steps = steps
  }
}
