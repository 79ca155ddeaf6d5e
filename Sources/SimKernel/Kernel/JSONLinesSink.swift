/// Writes a trace as JSON lines, one line an entry, keys in a fixed order.
///
/// ```
/// {"n":17,"t":1250000,"actor":3,"kind":"disk.step","detail":4,"bytes":120,"hash":"91e0c2…"}
/// ```
/// `t` is in nanoseconds; `bytes` and `hash` stand only where an entry carries bytes. Two traces of
/// one scenario are equal byte for byte, so the first line that differs is the first divergence.
public final class JSONLinesSink: TraceSink {
  private let actorName: (UInt32) -> String?
  private let kindName: (UInt16) -> String?
  private let write: ([UInt8]) -> Void
  private let blockBytes: Int
  private var buffer: [UInt8] = []

  /// Makes a sink.
  /// - Parameters:
  ///   - actorName: the name of an actor; nil leaves the number. Plain ASCII without quotes.
  ///   - kindName: the name of a kind; nil leaves the number. Plain ASCII without quotes.
  ///   - blockBytes: how many bytes are gathered before `write` is called.
  ///   - write: takes whole lines, in order.
  public init(
    actorName: @escaping (UInt32) -> String? = { _ in nil },
    kindName: @escaping (UInt16) -> String? = { _ in nil },
    blockBytes: Int = 1 << 16,
    write: @escaping ([UInt8]) -> Void
  ) {
    self.actorName = actorName
    self.kindName = kindName
    self.blockBytes = blockBytes
    self.write = write
  }

  /// Adds one line.
  public func receive(_ entry: TraceEntry, bytes: UnsafeRawBufferPointer) {
    add("{\"n\":\(entry.ordinal),\"t\":\(entry.instant.nanoseconds),\"actor\":")
    add(JSONLinesSink.label(actorName(entry.actor), else: UInt64(entry.actor)))
    add(",\"kind\":")
    add(JSONLinesSink.label(kindName(entry.kind), else: UInt64(entry.kind)))
    add(",\"detail\":\(entry.detail)")
    if !bytes.isEmpty {
      var hash = TraceHash()
      hash.combine(bytes: bytes)
      add(",\"bytes\":\(bytes.count),\"hash\":\"\(String(hash.value, radix: 16))\"")
    }
    add("}\n")
    if buffer.count >= blockBytes { flush() }
  }

  /// Hands on what was gathered; to be called once at the end.
  public func flush() {
    if buffer.isEmpty { return }
    write(buffer)
    buffer.removeAll(keepingCapacity: true)
  }

  private func add(_ text: String) { buffer.append(contentsOf: text.utf8) }

  private static func label(_ name: String?, else number: UInt64) -> String {
    name.map { "\"\($0)\"" } ?? String(number)
  }
}
