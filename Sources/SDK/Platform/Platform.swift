/// Everything the SDK asks of the machine it runs on: no clock, randomness, thread, file or socket
/// is reached but through one of these ports.
///
/// | port method | Apple API | thread | limits |
/// |---|---|---|---|
/// | `ClockPort.wall` | `Date()` once a process | any | may jump at any time |
/// | `ClockPort.awake` | `CLOCK_UPTIME_RAW` | any | stands still in device sleep |
/// | `ClockPort.continuous` | `CLOCK_MONOTONIC_RAW` | any | restarts at boot |
/// | `ClockPort.bootIdentifier` | `KERN_BOOTSESSIONUUID` | any | constant within one boot |
/// | `RandomPort.random128` | `SecRandomCopyBytes` | any | – |
/// | `StoragePort.*` | POSIX file calls, `F_FULLFSYNC`, `NSURLIsExcludedFromBackupKey` | never main | may fail at every call |
/// | `StorageLockPort.tryLock` | `flock(LOCK_EX \| LOCK_NB)` on a file beside the folder that names its last holder | SDK queue | never waits; deadly in a suspension |
/// | `MetricsHTTPClient.start` | ephemeral `URLSession` data task | SDK queue | no redirects, cookies, cache |
/// | `SchedulerPort.makeSerialQueue` | `DispatchQueue(label:)` | any | – |
/// | `SerialQueuePort.schedule` | `DispatchSourceTimer` | the queue | late after suspension |
/// | `ApplicationPort.observe` | `NotificationCenter` | called on main | may repeat, order varies |
/// | `ApplicationPort.stateOnMainThread` | the same, `Thread.isMainThread` | any | nil off main |
/// | `ApplicationPort.beginBackgroundTask` | `UIApplication.beginBackgroundTask` | any | about 30 s for all tasks |
/// | `ContextPort.fixed` | `Bundle`, `utsname`, `UIDevice` | SDK queue | – |
/// | `ViewControllerPort.hookAppearances` | `UIViewController.viewDidAppear(_:)`, swizzled | any; called on main | cannot be taken back |
/// | `CrashPort.install` | `NSSetUncaughtExceptionHandler`, `sigaction` with `SA_ONSTACK`, `sigaltstack` | SDK queue | once a process; the stack of its own serves the main thread |
/// | `CrashPort.open` | `open(O_WRONLY)` | SDK queue | – |
/// | `CrashPort.write` | `pwrite` | the thread that crashes | async-signal-safe |
/// | `CrashPort.runEarlierHandlers` | the handlers that `install` was given back | the thread that crashes | – |
/// | `MainThreadPort.observe` | `CFRunLoopObserverCreateWithHandler` on the main run loop, common modes | main | many times a second |
/// | `MainThreadPort.isDebuggerAttached` | `sysctl` with `KERN_PROC_PID`, flag `P_TRACED` | any | – |
/// | `MainThreadPort.sampleStack` | `thread_suspend`, frame pointers, `dladdr` | not main | the thread stands still meanwhile |
/// | `ContextPort.current` | `Locale`, `TimeZone`, `NWPathMonitor`, `ATTrackingManager`, `UIScreen.bounds` as main saw it last | any | read at the call (S-101) |
/// | `AttributionPort.distribution` | name of the receipt, provisioning profile | SDK queue | – |
/// | `AttributionPort.attributionToken` | `AAAttribution.attributionToken()` | SDK queue | may take long, or for ever |
/// | `IdentityPort.advertisingIdentifier` | `ASIdentifierManager` | SDK queue | zeros unless authorized |
/// | `IdentityPort.vendorIdentifier` | `UIDevice.identifierForVendor` | – | never asked for (PRV-01) |
/// | `IdentityPort.requestTrackingAuthorization` | `ATTrackingManager` | – | never called (CON-22) |
/// | `LogPort.log` | `os_log`, subsystem `com.postlip.metrics` | any | typed, no user content (S-41) |
public struct Platform: Sendable {
  public var clock: any ClockPort
  public var random: any RandomPort
  public var storage: any StoragePort
  public var storageLock: any StorageLockPort
  public var http: any MetricsHTTPClient
  public var scheduler: any SchedulerPort
  public var application: any ApplicationPort
  public var context: any ContextPort
  public var mainThread: any MainThreadPort
  public var attribution: any AttributionPort
  public var identity: any IdentityPort
  public var log: any LogPort
  public var viewControllers: any ViewControllerPort
  public var crashes: any CrashPort

  public init(
    clock: any ClockPort, random: any RandomPort, storage: any StoragePort,
    storageLock: any StorageLockPort = OwnContainer(), http: any MetricsHTTPClient,
    scheduler: any SchedulerPort, application: any ApplicationPort,
    context: any ContextPort,
    viewControllers: any ViewControllerPort = NoViewControllers(),
    mainThread: any MainThreadPort = UnwatchedMainThread(),
    attribution: any AttributionPort = NoAttribution(),
    identity: any IdentityPort = NoIdentity(), log: any LogPort,
    crashes: any CrashPort = NoCrashes()
  ) {
    self.clock = clock
    self.random = random
    self.storage = storage
    self.storageLock = storageLock
    self.http = http
    self.scheduler = scheduler
    self.application = application
    self.context = context
    self.mainThread = mainThread
    self.attribution = attribution
    self.identity = identity
    self.log = log
    self.viewControllers = viewControllers
    self.crashes = crashes
  }
}
