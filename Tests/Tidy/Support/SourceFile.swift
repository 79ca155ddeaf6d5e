import Foundation

/// A Swift file as the rules read it: its lines, and its code alone with comments and the insides
/// of strings blanked out, so that a rule about code is not alarmed by a word in a comment.
struct SourceFile {
  /// The path from the repository's root, with `/`.
  let path: String
  /// The lines as they are.
  let lines: [Substring]
  /// The lines without comments and without the insides of strings; columns stay where they are.
  let code: [String]
  private let codeBytes: [CChar]

  init(path: String, text: String) {
    self.path = path
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var blanker = Blanker(text: Array(text.utf8))
    let bytes = blanker.blank()
    codeBytes = bytes.map { CChar(bitPattern: $0) } + [0]
    code = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The places where a token stands in the code: line numbers from 1, and what follows on the
  /// line.
  ///
  /// Where the token begins or ends with a letter, a digit or `_`, it must be a whole word there.
  func occurrences(of token: String) -> [(line: Int, before: Substring, rest: Substring)] {
    let needle = Array(token.utf8CString)
    let length = needle.count - 1
    return codeBytes.withUnsafeBufferPointer { haystack in
      guard let base = haystack.baseAddress else { return [] }
      var places: [(line: Int, before: Substring, rest: Substring)] = []
      var start = base
      var line = 1
      var counted = base
      while let hit = strstr(start, needle) {
        let before = hit == base ? 0 : UInt8(bitPattern: hit[-1])
        let after = UInt8(bitPattern: hit[length])
        let first = UInt8(bitPattern: needle[0])
        let last = UInt8(bitPattern: needle[length - 1])
        start = UnsafePointer(hit) + length
        if isWordByte(first) && isWordByte(before) { continue }
        if isWordByte(last) && isWordByte(after) { continue }
        while counted < UnsafePointer(hit) {
          if counted.pointee == 10 { line += 1 }
          counted += 1
        }
        var lineStart = UnsafePointer(hit)
        while lineStart > base, lineStart[-1] != 10 { lineStart -= 1 }
        let text = code[line - 1]
        let column = text.utf8.index(text.startIndex, offsetBy: UnsafePointer(hit) - lineStart)
        let end = text.utf8.index(column, offsetBy: length)
        places.append((line, text[..<column], text[end...]))
      }
      return places
    }
  }

  /// A violation at a line of this file.
  func violation(_ line: Int, _ message: String) -> Violation {
    Violation(path: path, line: line, message: message)
  }
}

func isWordByte(_ byte: UInt8) -> Bool {
  (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
    || byte == 95 || byte >= 128
}

/// Blanks comments and the insides of strings; what stands in an interpolation is code and stays.
private struct Blanker {
  var text: [UInt8]
  private var index = 0

  init(text: [UInt8]) { self.text = text }

  mutating func blank() -> [UInt8] {
    code(untilParenthesis: false)
    return text
  }

  private func byte(_ offset: Int = 0) -> UInt8 {
    index + offset < text.count ? text[index + offset] : 0
  }

  private mutating func erase(_ count: Int) {
    for _ in 0..<count where index < text.count {
      if text[index] != 10 { text[index] = 32 }
      index += 1
    }
  }

  private mutating func code(untilParenthesis: Bool) {
    var depth = 0
    while index < text.count {
      switch (byte(), byte(1)) {
      case (UInt8(ascii: "/"), UInt8(ascii: "/")):
        while index < text.count, byte() != 10 { erase(1) }
      case (UInt8(ascii: "/"), UInt8(ascii: "*")):
        blockComment()
      case (UInt8(ascii: "\""), _), (UInt8(ascii: "#"), _):
        if !string() { index += 1 }
      case (UInt8(ascii: "("), _):
        depth += 1
        index += 1
      case (UInt8(ascii: ")"), _):
        if untilParenthesis && depth == 0 { return }
        depth -= 1
        index += 1
      default:
        index += 1
      }
    }
  }

  private mutating func blockComment() {
    var depth = 0
    while index < text.count {
      switch (byte(), byte(1)) {
      case (UInt8(ascii: "/"), UInt8(ascii: "*")):
        depth += 1
        erase(2)
      case (UInt8(ascii: "*"), UInt8(ascii: "/")):
        depth -= 1
        erase(2)
        if depth == 0 { return }
      default:
        erase(1)
      }
    }
  }

  /// Blanks the string that begins here; false when a `#` begins none.
  private mutating func string() -> Bool {
    var hashes = 0
    while byte(hashes) == UInt8(ascii: "#") { hashes += 1 }
    guard byte(hashes) == UInt8(ascii: "\"") else { return false }
    let isLong = byte(hashes + 1) == UInt8(ascii: "\"") && byte(hashes + 2) == UInt8(ascii: "\"")
    let quotes = isLong ? 3 : 1
    index += hashes + quotes
    while index < text.count {
      if byte() == UInt8(ascii: "\\"), marks(hashes, at: 1) {
        if byte(1 + hashes) == UInt8(ascii: "(") {
          erase(1 + hashes)
          index += 1
          code(untilParenthesis: true)
          index += 1
        } else {
          erase(2 + hashes)
        }
      } else if isEnd(quotes: quotes, hashes: hashes) {
        index += quotes + hashes
        return true
      } else if !isLong && byte() == 10 {
        return true
      } else {
        erase(1)
      }
    }
    return true
  }

  private func marks(_ count: Int, at offset: Int) -> Bool {
    (0..<count).allSatisfy { byte(offset + $0) == UInt8(ascii: "#") }
  }

  private func isEnd(quotes: Int, hashes: Int) -> Bool {
    (0..<quotes).allSatisfy { byte($0) == UInt8(ascii: "\"") } && marks(hashes, at: quotes)
  }
}
