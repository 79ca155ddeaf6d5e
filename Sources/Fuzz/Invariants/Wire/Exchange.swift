import FuzzHistory
import SimKernel

/// An answer that a server gave, or that the app received.
public struct Answer {
  public var instant: Instant
  public var status: UInt16
  /// Lines `Name: value`.
  public var headers: ByteSlice
  public var body: ByteSlice
}

/// One request from start to end.
public struct Exchange {
  /// The process that made it; -1 for a number without a request.
  public var process: Int32 = -1
  public var host: HostKind = .unknown
  public var attempt: UInt32 = 0
  public var isPost = false
  public var url: ByteSlice = .empty
  public var headers: ByteSlice = .empty
  public var body: ByteSlice = .empty
  public var idleTimeoutMilliseconds: UInt32 = 0
  public var totalTimeoutMilliseconds: UInt32 = 0
  public var start: Instant = .start
  /// What the clocks of the device showed at the start.
  public var startWall: Int64 = 0
  public var startContinuous: Int64 = 0

  /// How many copies reached the server.
  public var arrivals: Int = 0
  public var firstArrival: Instant?
  /// What the server answered to copy 0 and copy 1.
  public var answers: (Answer?, Answer?) = (nil, nil)

  /// How the request ended for the app; nil while it is in flight.
  public var end: ExchangeEnd?
  public var endInstant: Instant?
  /// What the app received; only for an end with an answer.
  public var received: Answer?
  public var cancelled: Instant?

  /// For a batch: the indices of its messages in `WireLedger.slots`.
  public var slots: Range<Int> = 0..<0
  /// For a batch: whether the body has the documented shape.
  public var isWellFormed = true
  /// For a batch: `sentAt` in milliseconds since the Unix epoch; nil if missing or misshapen.
  public var sentAtMilliseconds: Int64?

  /// A request to `v1/batch`.
  public var isBatch: Bool { host == .collector && isPost }
  public var isInFlight: Bool { process >= 0 && end == nil }
}

/// What an answer means for a batch (TRN-13 to TRN-21, C-05, A-11).
public enum BatchVerdict: Sendable {
  /// 2xx with an empty body or a JSON object.
  case accepted
  /// 400, 403, or 413 for a single message.
  case final
  /// 413 for several messages.
  case split
  /// 429.
  case rateLimited
  /// Everything else: kept with backoff.
  case kept
}

/// One message inside one request.
public struct MessageSlot {
  /// The number of the exchange.
  public var exchange: UInt32
  /// The index in `WireLedger.messages`.
  public var message: Int
  /// Its bytes inside this request.
  public var bytes: ByteSlice
}

/// The parts of a message, as slices of the arena; strings without their quotes, empty if missing.
public struct MessageFields {
  public var type: ByteSlice = .empty
  public var messageId: ByteSlice = .empty
  public var timestamp: ByteSlice = .empty
  public var anonymousId: ByteSlice = .empty
  public var userId: ByteSlice = .empty
  public var event: ByteSlice = .empty
  public var name: ByteSlice = .empty
  public var properties: ByteSlice = .empty
  public var traits: ByteSlice = .empty
  public var groupId: ByteSlice = .empty
  public var previousId: ByteSlice = .empty
  public var context: ByteSlice = .empty
  /// Members by other names.
  public var unknownMembers: Int = 0
  public var isWellFormed = true
}

/// A distinct message on the wire: one id with one content. A repeat with the same bytes is the
/// same message, one with other bytes is another `WireMessage` with the same id.
public struct WireMessage {
  /// FNV-1a 64 of the id.
  public var identifierHash: UInt64
  /// Its bytes where it was first seen.
  public var bytes: ByteSlice
  public var fields: MessageFields
  public var context: ContextFields
  /// The request that it was first seen in.
  public var firstExchange: UInt32
  /// The index of another `WireMessage` with the same id seen earlier, or -1.
  public var previousVariant: Int
  /// How many requests held it so far.
  public var sightings: Int = 0
}
