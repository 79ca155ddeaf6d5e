/// A call stack as it may be reported: images and symbols, without load addresses and offsets, top
/// frame first (CRA-13 to CRA-16).
struct CallStack: Hashable, Sendable {
  /// The most scalars of the text (CRA-14).
  static let mostScalars = 4_000
  /// Frames below these are neither shown nor counted in the hash: a stack may have any depth.
  static let mostFrames = 512

  /// `image symbol`, redacted; the image alone where the platform knows no symbol.
  let frames: [String]

  /// Reads a stack as the platform gives it.
  /// - Parameter rawFrames: top frame first, a line a frame: index, image, address, symbol, `+` and
  ///   offset. A line of another form is taken without its addresses.
  init(rawFrames: [String]) {
    frames = rawFrames.prefix(Self.mostFrames).map { Redaction.redact(Self.frame($0)) }
      .filter { !$0.isEmpty }
  }

  /// The frames, a line each, cut at the end of a line from the bottom (S-61).
  var text: String {
    var text = ""
    var count = 0
    for frame in frames {
      let separator = count == 0 ? 0 : 1
      let length = frame.unicodeScalars.count
      if count + separator + length > Self.mostScalars {
        // A first line that is too long alone is cut where it must be.
        if count == 0 {
          text.unicodeScalars.append(contentsOf: frame.unicodeScalars.prefix(Self.mostScalars))
        }
        break
      }
      if separator == 1 { text += "\n" }
      text += frame
      count += separator + length
    }
    return text
  }

  /// What equal crashes share on all devices: the first half of the SHA-256 over type and frames,
  /// in 32 lowercase hex digits (C-29). Without frames it is that of the type alone (S-60).
  func hash(type: String) -> String {
    var bytes = Array(type.utf8)
    for frame in frames {
      bytes.append(0x0A)
      bytes.append(contentsOf: frame.utf8)
    }
    var hash: [UInt8] = []
    hash.reserveCapacity(32)
    for byte in SHA256.digest(bytes).prefix(16) {
      hash.append(hexDigit(byte >> 4))
      hash.append(hexDigit(byte & 0xF))
    }
    return String(decoding: hash, as: UTF8.self)
  }

  /// `image symbol` of a raw line.
  private static func frame(_ raw: String) -> String {
    // Symbols of Swift may be thousands of characters long, and each counts in the hash. Nor may a
    // line be cut here: half of an address or of a number is nothing that redaction knows.
    let words = raw.unicodeScalars.split(whereSeparator: { $0.properties.isWhitespace })
      .map { String($0) }
    var rest = words[...]
    // `+ 164` behind the symbol; lines may have the place in a source file behind it.
    let last = rest.indices.dropFirst().last {
      rest[$0] == "+" && $0 + 1 < rest.endIndex && isNumber(rest[$0 + 1])
    }
    if let last { rest = rest[..<last] }
    if let first = rest.first, isNumber(first) { rest = rest.dropFirst() }
    return rest.filter { !isAddress($0) }.joined(separator: " ")
  }

  private static func isNumber(_ word: String) -> Bool {
    !word.isEmpty && word.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
  }

  /// `0x` and hex digits.
  private static func isAddress(_ word: String) -> Bool {
    let digits = word.utf8.dropFirst(2)
    return (word.hasPrefix("0x") || word.hasPrefix("0X")) && !digits.isEmpty
      && digits.allSatisfy {
        ($0 >= 0x30 && $0 <= 0x39) || ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x66)
      }
  }
}
