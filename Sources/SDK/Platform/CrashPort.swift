/// The signals that end a process and are reported (CRA-02).
public enum FatalSignal: UInt8, Sendable, CaseIterable {
  case abort = 1
  case segmentationFault
  case busError
  case illegalInstruction
  case floatingPointException
  /// Also what a trap of the Swift runtime comes to.
  case trap

  /// As the system's headers write it.
  public var name: StaticString {
    switch self {
    case .abort: return "SIGABRT"
    case .segmentationFault: return "SIGSEGV"
    case .busError: return "SIGBUS"
    case .illegalInstruction: return "SIGILL"
    case .floatingPointException: return "SIGFPE"
    case .trap: return "SIGTRAP"
    }
  }
}

/// An exception that nobody has caught, as the platform tells of it.
public struct RawException: Sendable {
  public var name: String
  public var reason: String?
  /// One line a frame, the top first: index, image, address, symbol and offset.
  public var frames: [String]
  /// The thread's number within the process; the main thread has 0.
  public var thread: UInt32
  /// Empty where it has none.
  public var threadName: String
  /// The clock that runs in sleep, in nanoseconds.
  public var uptime: Int64

  public init(
    name: String, reason: String?, frames: [String], thread: UInt32, threadName: String,
    uptime: Int64
  ) {
    self.name = name
    self.reason = reason
    self.frames = frames
    self.thread = thread
    self.threadName = threadName
    self.uptime = uptime
  }
}

/// A fatal signal, as far as a handler may know of it.
public struct RawSignal: Sendable {
  public var signal: FatalSignal
  /// The thread's number within the process; the main thread has 0.
  public var thread: UInt32
  /// The clock that runs in sleep, in nanoseconds.
  public var uptime: Int64

  public init(signal: FatalSignal, thread: UInt32, uptime: Int64) {
    self.signal = signal
    self.thread = thread
    self.uptime = uptime
  }
}

/// What is called while the process dies, on the thread that crashed.
public protocol CrashHandler: AnyObject, Sendable {
  /// An exception was not caught. The process is whole: memory may be taken, a file written.
  func handle(_ exception: RawException)
  /// A signal struck. Any lock may be held, the heap may be torn: no port but `write` and
  /// `runEarlierHandlers` may be entered, nothing allocated, no lock taken.
  func handle(_ signal: RawSignal)
}

/// How the SDK hears that the process dies (CRA-01, CRA-02, CRA-19).
public protocol CrashPort: AnyObject, Sendable {
  /// Whether the platform tells of crashes at all.
  var isAvailable: Bool { get }
  /// Puts a handler in front of those that are there, for exceptions and for every fatal signal.
  /// - Parameter onOwnStack: signals are handled on a stack of their own, so that a stack that has
  ///   overflown can be reported.
  func install(_ handler: any CrashHandler, onOwnStack: Bool)
  /// Opens a file for `write`, in place of the one before. Only on the SDK's queue.
  func open(_ path: String) throws(StorageError)
  /// Lets go of the open file. Only on the SDK's queue.
  func close()
  /// Writes bytes over the open file from its start. May be called by a handler, of a signal too;
  /// the one write on the main thread that the SDK makes (CON-29): the thread that crashed may be
  /// the main one, and no other one runs any more.
  /// - Returns: whether all bytes were written.
  func write(_ bytes: UnsafeRawBufferPointer) -> Bool
  /// Calls the handlers that were installed before ours for what is being handled; where there are
  /// none, the system goes on to end the process.
  func runEarlierHandlers()
}

/// A platform that tells nothing of crashes.
public final class NoCrashes: CrashPort {
  public init() {}
  /// Nothing is prepared for what is never told.
  public var isAvailable: Bool { false }
  /// Is never asked.
  public func install(_ handler: any CrashHandler, onOwnStack: Bool) {}
  /// Is never asked.
  public func open(_ path: String) throws(StorageError) { throw .notPermitted }
  /// There is nothing to close.
  public func close() {}
  /// Is never asked.
  public func write(_ bytes: UnsafeRawBufferPointer) -> Bool { false }
  /// There is nothing to handle.
  public func runEarlierHandlers() {}
}
