import FuzzHistory
import SimKernel

/// Call stacks as the platform gives them to an app: a line a frame with index, image, address,
/// symbol and offset.
enum RawStack {
  private static let addresses = StreamName("stack.addresses")

  /// - Parameters:
  ///   - frames: top frame first.
  ///   - process: each process has its images at other addresses.
  static func lines(_ frames: [StackFrame], process: Int32, _ randomness: Randomness) -> [String] {
    frames.enumerated().map { index, frame in
      // One image, one load address in a process.
      var name: UInt64 = 0xcbf2_9ce4_8422_2325
      for byte in frame.image.utf8 { name = (name ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
      let slide = randomness.bits(addresses, UInt64(UInt32(bitPattern: process)), name) % 0x4000
      var offset: UInt64 = 4
      for byte in frame.symbol.utf8 { offset = (offset &* 31 &+ UInt64(byte)) % 4_096 }
      let base = 0x1_0000_0000 + slide << 14
      let symbol = frame.symbol.isEmpty ? "0x" + hex(base, digits: 1) : frame.symbol
      return padded("\(index)", 4) + padded(frame.image, 36) + "0x"
        + hex(base + 0x1000 + offset, digits: 16) + " \(symbol) + \(offset)"
    }
  }

  private static func padded(_ text: String, _ count: Int) -> String {
    text + String(repeating: " ", count: max(1, count - text.utf8.count))
  }

  private static func hex(_ value: UInt64, digits: Int) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }
}
