/// A rolling 64-bit hash that takes eight bytes at a time.
public struct TraceHash: Hashable, Sendable {
  @usableFromInline var state: UInt64

  @inlinable public init(seed: UInt64 = 0) { state = seed ^ 0x2d35_8dcc_aa6c_78a5 }

  public var value: UInt64 { mixBits(state) }

  @inlinable public mutating func combine(_ word: UInt64) {
    let product = (state ^ word).multipliedFullWidth(by: 0x8bb8_4b93_962e_acc9)
    state = (product.low ^ product.high) &+ 0x9e37_79b9_7f4a_7c15
  }

  /// Adds bytes and their count.
  @inlinable public mutating func combine(bytes: UnsafeRawBufferPointer) {
    var offset = 0
    while offset + 8 <= bytes.count {
      combine(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      offset += 8
    }
    var rest: UInt64 = 0
    var shift: UInt64 = 0
    while offset < bytes.count {
      rest |= UInt64(bytes[offset]) << shift
      shift += 8
      offset += 1
    }
    combine(rest)
    combine(UInt64(bytes.count))
  }
}

/// Receives every entry of a trace as it happens.
public protocol TraceSink: AnyObject {
  /// - Parameters:
  ///   - entry: what happened; bytes are given apart.
  ///   - bytes: the bytes of a request, a response or a file write; else empty.
  func receive(_ entry: TraceEntry, bytes: UnsafeRawBufferPointer)
}

/// One line of a trace: an event of the kernel, or a note that the world added inside one.
public struct TraceEntry: Hashable, Sendable {
  public var ordinal: UInt64
  public var instant: Instant
  public var actor: UInt32
  public var kind: UInt16
  public var detail: UInt64
  public var byteCount: UInt32

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
public final class Trace {
  @usableFromInline static var ringSize: Int { 64 }

  @usableFromInline var hash: TraceHash
  @usableFromInline var ordinal: UInt64 = 0
  @usableFromInline var ring: [TraceEntry]
  @usableFromInline let sink: TraceSink?

  public init(seed: UInt64, sink: TraceSink? = nil) {
    hash = TraceHash(seed: seed)
    self.sink = sink
    ring = Array(
      repeating: TraceEntry(
        ordinal: 0, instant: .start, actor: 0, kind: 0, detail: 0, byteCount: 0),
      count: Trace.ringSize)
  }

  public var hashValue64: UInt64 { hash.value }
  public var entries: UInt64 { ordinal }

  /// The newest entries, oldest first, at most 64.
  public var lastEntries: [TraceEntry] {
    let size = UInt64(Trace.ringSize)
    let first = ordinal > size ? ordinal - size : 0
    return (first..<ordinal).map { ring[Int($0 % size)] }
  }

  /// Adds an entry without bytes.
  @inlinable public func note(instant: Instant, actor: UInt32, kind: UInt16, detail: UInt64) {
    hash.combine(UInt64(bitPattern: instant.nanoseconds))
    hash.combine(detail ^ (UInt64(actor) << 32) ^ (UInt64(kind) << 16))
    keep(
      TraceEntry(
        ordinal: ordinal, instant: instant, actor: actor, kind: kind, detail: detail, byteCount: 0))
  }

  /// Adds an entry with the bytes of a request, a response or a file write.
  @inlinable public func note(
    instant: Instant, actor: UInt32, kind: UInt16, detail: UInt64, bytes: UnsafeRawBufferPointer
  ) {
    hash.combine(UInt64(bitPattern: instant.nanoseconds))
    hash.combine(detail ^ (UInt64(actor) << 32) ^ (UInt64(kind) << 16))
    hash.combine(bytes: bytes)
    let entry = TraceEntry(
      ordinal: ordinal, instant: instant, actor: actor, kind: kind, detail: detail,
      byteCount: UInt32(clamping: bytes.count))
    ring[Int(ordinal % UInt64(Trace.ringSize))] = entry
    ordinal &+= 1
    sink?.receive(entry, bytes: bytes)
  }

  @inlinable func keep(_ entry: TraceEntry) {
    ring[Int(ordinal % UInt64(Trace.ringSize))] = entry
    ordinal &+= 1
    if let sink { sink.receive(entry, bytes: UnsafeRawBufferPointer(start: nil, count: 0)) }
  }
}
