import SimKernel

/// Writes random JSON documents as bytes: odd white space, every escape, all number forms.
struct JSONDocuments {
  var stream: RandomStream

  mutating func document() -> [UInt8] {
    var bytes: [UInt8] = []
    space(&bytes)
    value(depth: 0, &bytes)
    space(&bytes)
    return bytes
  }

  private mutating func value(depth: Int, _ bytes: inout [UInt8]) {
    switch stream.below(depth > 4 ? 5 : 8) {
    case 0: bytes += stream.pick(["null", "true", "false"]).utf8
    case 1, 2: number(&bytes)
    case 3, 4: string(&bytes)
    case 5: list(depth: depth, &bytes)
    default: object(depth: depth, &bytes)
    }
  }

  private mutating func list(depth: Int, _ bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "["))
    space(&bytes)
    for index in 0..<stream.below(4) {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      space(&bytes)
      value(depth: depth + 1, &bytes)
      space(&bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private mutating func object(depth: Int, _ bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "{"))
    space(&bytes)
    for index in 0..<stream.below(4) {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      space(&bytes)
      // The index keeps keys distinct: what a second key means is left to each reader.
      bytes += "\"\(index)".utf8
      characters(&bytes)
      bytes.append(UInt8(ascii: "\""))
      space(&bytes)
      bytes.append(UInt8(ascii: ":"))
      space(&bytes)
      value(depth: depth + 1, &bytes)
      space(&bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private mutating func number(_ bytes: inout [UInt8]) {
    let edges = [
      "0", "-1", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
      "18446744073709551615", "18446744073709551616", "0.1", "1e5", "1E-7", "-0.5e+3",
      "4.9e-324", "1.7976931348623157e308", "123456789.125",
    ]
    if stream.chance(1, in: 2) {
      bytes += stream.pick(edges).utf8
    } else {
      bytes += String(Int64(bitPattern: stream.next() >> stream.below(64))).utf8
    }
  }

  private mutating func string(_ bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    characters(&bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func characters(_ bytes: inout [UInt8]) {
    let pieces = [
      "a", "plain words here", "\\n", "\\\"", "\\\\", "\\/", "\\b", "\\f", "\\r", "\\t", "\\u0041",
      "\\u00e9", "\\ud83d\\ude00", "é", "e\u{301}", "\u{13A0}\u{13A1}", "😀", "\u{7F}", "\\u0000",
      "~ and }{][,:",
    ]
    for _ in 0..<stream.below(5) { bytes += stream.pick(pieces).utf8 }
  }

  private mutating func space(_ bytes: inout [UInt8]) {
    guard stream.chance(1, in: 4) else { return }
    bytes += stream.pick([" ", "\n", "\t ", "\r\n"]).utf8
  }

  /// Changes a few bytes of a document: most results are damaged, some stay valid.
  mutating func damaged(_ document: [UInt8]) -> [UInt8] {
    var bytes = document
    let hostile: [UInt8] =
      Array("{}[]\",:\\u0-+.eEtfn \n".utf8) + [0, 0x1F, 0x80, 0xC2, 0xED, 0xF4]
    for _ in 0...stream.below(3) where !bytes.isEmpty {
      let index = Int(stream.below(UInt64(bytes.count)))
      switch stream.below(4) {
      case 0: bytes.remove(at: index)
      case 1: bytes.insert(stream.pick(hostile), at: index)
      case 2: bytes.removeSubrange(index...)
      default: bytes[index] = stream.pick(hostile)
      }
    }
    return bytes
  }
}
