import SimKernel

/// How a process crashes.
public struct CrashPlan: Hashable, Sendable {
  /// One frame of a stack; its address is drawn anew for each process.
  public struct Frame: Hashable, Sendable {
    public var image: String
    public var symbol: String
    public var offset: Int

    public init(_ image: String, _ symbol: String, offset: Int = 0) {
      self.image = image
      self.symbol = symbol
      self.offset = offset
    }
  }

  public var kind: CrashKind = .exception
  /// 0 is the main thread.
  public var thread: UInt16 = 0
  /// Empty where it has none.
  public var threadName: String = ""
  /// Of an exception.
  public var name: String = ""
  public var reason: String = ""
  /// The stack, the top frame first.
  public var frames: [Frame] = []
  /// The stack of the thread has no room left, also not for a handler.
  public var isStackOverflow: Bool = false
  /// The first write of a handler is torn by another crash.
  public var crashesAgain: Bool = false
  /// The system kills the process once so many bytes of the first write of a handler are on disk;
  /// nil is never.
  public var killedAfterBytes: Int?

  public init(_ kind: CrashKind = .exception) { self.kind = kind }
}
