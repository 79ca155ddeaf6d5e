/// Where an instant stands on the clocks of a device.
struct Stamp: Hashable, Sendable {
  /// Anchored time in milliseconds since the Unix epoch.
  var time: Int64
  var boot: UInt64
  /// The clock that runs in sleep, in nanoseconds.
  var uptime: Int64
}

/// What the journal says of a message besides its bytes (the journal on disk: kind 1).
struct MessageRecord: Hashable, Sendable {
  /// Marks a gap that a message does not have.
  static let noGap: UInt32 = 0xFFFF_FFFF

  struct Flags: OptionSet, Hashable, Sendable {
    var rawValue: UInt8

    static let analytics = Flags(rawValue: 1 << 0)
    static let marketing = Flags(rawValue: 1 << 1)
    static let startsSession = Flags(rawValue: 1 << 2)
    static let madeWithTraits = Flags(rawValue: 1 << 3)
    static let hasUser = Flags(rawValue: 1 << 4)
  }

  var type: MessageType
  var flags: Flags
  var sequence: UInt64
  /// FNV-1a 64 of the message id.
  var identifierHash: UInt64
  /// The wall clock at the anchor of the process that made the message, in milliseconds.
  var anchor: Int64
  var stamp: Stamp
  var traitsGap: UInt32
  var advertisingIdGap: UInt32
}

/// A message in the queue: in memory, on disk, or both.
struct QueuedMessage: Sendable {
  var record: MessageRecord
  /// The bytes with empty gaps; nil while they lie on disk only.
  var bytes: [UInt8]?
  /// How many bytes the message has with empty gaps.
  var byteCount: Int
  /// What fills the gap of the traits; never stored (ID-06).
  var traits: [UInt8]
  /// From when it ages: its stamp, unless that was implausible when it was first loaded.
  var aging: Stamp
  /// When it entered the queue of this process, on the clock that runs in sleep.
  var queuedAt: Int64
  var place: JournalPlace?
  /// Its bytes could not be read in this pass; they may be in the next.
  var isSetAside: Bool = false

  var sequence: UInt64 { record.sequence }
  /// The bytes of the message as sent, without an advertising id.
  var sentByteCount: Int { byteCount + traits.count }
}

/// Where a record lies.
struct JournalPlace: Hashable, Sendable {
  /// The number in the segment's name.
  var segment: UInt64
  var offset: Int
  /// The bytes of the whole record.
  var count: Int
}
