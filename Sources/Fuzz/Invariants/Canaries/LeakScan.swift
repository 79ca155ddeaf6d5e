import FuzzHistory
import SimKernel

/// Looks for ids and tokens in all that the app writes and sends: those canaries that are long and
/// have no small letters. Eight bytes in every twenty-four are looked at, as each of them covers.
public final class LeakScan {
  /// A canary in a request or in a write.
  public struct Leak {
    /// Where it stands.
    public enum Place {
      case body
      /// The address, or a header.
      case head
      case file
    }

    public var canary: Canary
    public var place: Place
  }

  /// What the newest record holds.
  public private(set) var found: [Leak] = []

  private static let stride = 24
  private static let kinds: [Canary.Kind] = [.token, .advertisingId, .vendorId]

  private var needles: [(canary: Canary, bytes: [UInt8])] = []
  /// A bit for each hash of eight bytes in a row of a needle.
  private var filter = [UInt64](repeating: 0, count: 64)

  init(_ canaries: [Canary]) {
    for canary in canaries where LeakScan.kinds.contains(canary.kind) { add(canary) }
  }

  private func add(_ canary: Canary) {
    let bytes = Array(canary.text.utf8)
    guard bytes.count >= LeakScan.stride + 7, bytes.allSatisfy({ $0 < 0x60 }) else { return }
    needles.append((canary, bytes))
    bytes.withUnsafeBytes { text in
      for place in 0...text.count - 8 {
        let hash = LeakScan.hash(text.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        filter[hash >> 6] |= 1 << UInt64(hash & 63)
      }
    }
  }

  @inline(__always)
  private static func hash(_ word: UInt64) -> Int {
    Int(truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15) >> 52)
  }

  func take(_ record: Record, _ arena: UnsafeRawBufferPointer) {
    if !found.isEmpty { found.removeAll(keepingCapacity: true) }
    if needles.isEmpty { return }
    switch record.fact {
    case .requestStarted(_, _, _, _, let url, let headers, let body, _, _, _, _):
      look(in: arena.slice(body), .body)
      look(in: arena.slice(headers), .head)
      look(in: arena.slice(url), .head)
    case .disk(let operation, _, _, _, let path, let target, _, let bytes):
      switch operation {
      case .write, .append, .overwrite:
        look(in: arena.slice(bytes), .file)
        look(in: arena.slice(path), .file)
      case .rename: look(in: arena.slice(target), .file)
      default: break
      }
    default: break
    }
  }

  private func look(in bytes: UnsafeRawBufferPointer, _ place: Leak.Place) {
    var at = 0
    while at + 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)
      // Most text has a small letter in any eight bytes: both upper bits but the highest are set.
      if word & (word << 1) & 0x4040_4040_4040_4040 == 0 {
        let hash = LeakScan.hash(word)
        if filter[hash >> 6] & (1 << UInt64(hash & 63)) != 0 { verify(bytes, around: at, place) }
      }
      at += LeakScan.stride
    }
  }

  private func verify(_ bytes: UnsafeRawBufferPointer, around at: Int, _ place: Leak.Place) {
    for needle in needles
    where !found.contains(where: { $0.place == place && $0.canary == needle.canary }) {
      let count = needle.bytes.count
      let first = max(0, at + 8 - count)
      let last = min(at, bytes.count - count)
      guard first <= last else { continue }
      let isThere = (first...last).contains { start in
        needle.bytes.indices.allSatisfy { bytes[start + $0] == needle.bytes[$0] }
      }
      if isThere { found.append(Leak(canary: needle.canary, place: place)) }
    }
  }
}
