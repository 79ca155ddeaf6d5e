/// Receives every entry of a trace as it happens.
public protocol TraceSink: AnyObject {
  /// Takes one entry.
  /// - Parameters:
  ///   - entry: what happened; bytes are given apart.
  ///   - bytes: the bytes of a request, a response or a file write; else empty.
  func receive(_ entry: TraceEntry, bytes: UnsafeRawBufferPointer)
}

/// One line of a trace: an event of the kernel, or a note that the world added inside one.
public struct TraceEntry: Hashable, Sendable {
  /// Its place in the trace, from 0.
  public var ordinal: UInt64
  /// When it happened.
  public var instant: Instant
  /// In which thread, queue or connection.
  public var actor: UInt32
  /// What happened, in the world's numbering.
  public var kind: UInt16
  /// An index or a value of the world's.
  public var detail: UInt64
  /// How many bytes came with it.
  public var byteCount: UInt32

  /// Makes an entry.
  @inlinable public init(
    ordinal: UInt64, instant: Instant, actor: UInt32, kind: UInt16, detail: UInt64,
    byteCount: UInt32
  ) {
    self.ordinal = ordinal
    self.instant = instant
    self.actor = actor
    self.kind = kind
    self.detail = detail
    self.byteCount = byteCount
  }
}

/// What happened so far: a hash over all of it, the last entries, and an optional sink.
///
/// The hash covers instant, actor, kind, detail and the bytes of each entry (determinism rule 4).
/// One thread touches it, and the sink is called after the last access to what is stored.
public final class Trace {
  @usableFromInline static var ringSize: Int { 64 }

  @usableFromInline var hash: TraceHash
  @usableFromInline var ordinal: UInt64 = 0
  @usableFromInline let ring: UnsafeMutablePointer<TraceEntry>
  @usableFromInline let sink: (any TraceSink)?

  /// Starts a trace.
  public init(seed: UInt64, sink: (any TraceSink)? = nil) {
    hash = TraceHash(seed: seed)
    self.sink = sink
    ring = .allocate(capacity: Trace.ringSize)
    ring.initialize(
      repeating: TraceEntry(
        ordinal: 0, instant: .start, actor: 0, kind: 0, detail: 0, byteCount: 0),
      count: Trace.ringSize)
  }

  deinit { ring.deallocate() }

  /// The hash over all entries.
  public var hashValue64: UInt64 { hash.value }
  /// How many entries there were.
  public var entries: UInt64 { ordinal }

  /// The newest entries, oldest first, at most 64.
  public var lastEntries: [TraceEntry] {
    let size = UInt64(Trace.ringSize)
    let first = ordinal > size ? ordinal - size : 0
    return (first..<ordinal).map { ring[Int($0 % size)] }
  }

  /// Adds an entry without bytes.
  @inlinable public func note(instant: Instant, actor: UInt32, kind: UInt16, detail: UInt64) {
    let entry = add(instant: instant, actor: actor, kind: kind, detail: detail, byteCount: 0)
    sink?.receive(entry, bytes: UnsafeRawBufferPointer(start: nil, count: 0))
  }

  /// Adds an entry with the bytes of a request, a response or a file write.
  @inlinable public func note(
    instant: Instant, actor: UInt32, kind: UInt16, detail: UInt64, bytes: UnsafeRawBufferPointer
  ) {
    let entry = add(
      instant: instant, actor: actor, kind: kind, detail: detail,
      byteCount: UInt32(clamping: bytes.count))
    hash.combine(bytes: bytes)
    sink?.receive(entry, bytes: bytes)
  }

  @inlinable func add(
    instant: Instant, actor: UInt32, kind: UInt16, detail: UInt64, byteCount: UInt32
  ) -> TraceEntry {
    // Actor and kind have places of their own in the word's upper half, and a small detail cannot
    // reach them; large details are hashed values, for which meeting by chance is what is left.
    hash.combine(UInt64(bitPattern: instant.nanoseconds))
    hash.combine(UInt64(actor) << 32 ^ UInt64(kind) << 16 ^ detail)
    let entry = TraceEntry(
      ordinal: ordinal, instant: instant, actor: actor, kind: kind, detail: detail,
      byteCount: byteCount)
    ring[Int(truncatingIfNeeded: ordinal) & (Trace.ringSize &- 1)] = entry
    ordinal &+= 1
    return entry
  }
}
