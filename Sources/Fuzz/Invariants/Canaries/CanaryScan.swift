import FuzzHistory
import SimKernel

/// Finds canaries in bytes in one pass.
///
/// Word canaries are runs of Cherokee letters, and any four letters in a row belong to one word
/// only. They are found as UTF-8, percent-escaped, in JSON escapes, in base64 and inside gzip,
/// which is unpacked once. Digit canaries are found with the separators that people write between
/// digits; one with fewer than ten digits has to be the whole run, since counters and times are
/// digits too. Any other canary is found only as it stands.
public struct CanaryScan {
  /// A canary in some bytes.
  public struct Hit: Hashable, Sendable {
    /// Its place among the canaries given.
    public var canary: Int
    /// Where in the bytes it was found; inside packed bytes, where those begin.
    public var offset: Int
    public var form: Form

    public init(canary: Int, offset: Int, form: Form) {
      self.canary = canary
      self.offset = offset
      self.form = form
    }
  }

  /// How a canary was written.
  public enum Form: String, Hashable, Sendable, CaseIterable {
    case plain
    case percent
    case jsonEscape = "JSON escapes"
    case base64
    case gzip
  }

  /// Packed bytes are unpacked up to this size.
  static let unpackedLimit = 4 << 20
  private static let windowLetters = 4

  private var windows = HashIndex(minimumCapacity: 64)
  private var hasWords = false
  var digits: [(digits: [UInt8], canary: Int)] = []
  private var texts: [(bytes: [UInt8], canary: Int)] = []

  /// - Parameter canaries: what is looked for.
  public init(_ canaries: [Canary]) {
    for (place, canary) in canaries.enumerated() { add(canary, place) }
  }

  public var isEmpty: Bool { !hasWords && digits.isEmpty && texts.isEmpty }

  private mutating func add(_ canary: Canary, _ place: Int) {
    let isWord = canary.text.unicodeScalars.contains { Cherokee.letter($0.value) != nil }
    let numbers = canary.text.utf8.filter { $0 >= 0x30 && $0 <= 0x39 }
    if isWord {
      addWindows(canary.text, place)
    } else if numbers.count >= 7, canary.text.utf8.allSatisfy({ Digits.isDigitOrSeparator($0) }) {
      digits.append((Array(numbers), place))
    } else if !canary.text.isEmpty {
      texts.append((Array(canary.text.utf8), place))
    }
  }

  private mutating func addWindows(_ text: String, _ place: Int) {
    var run = Run()
    for scalar in text.unicodeScalars {
      guard let letter = Cherokee.letter(scalar.value) else {
        run = Run()
        continue
      }
      if let key = run.add(letter) {
        hasWords = true
        windows[key] = Int32(place)
      }
    }
  }

  /// The last letters of a run as a number.
  private struct Run {
    private var letters: UInt64 = 0
    private var count = 0

    /// - Returns: the key of the window that ends with this letter; nil while the run is short.
    mutating func add(_ letter: UInt8) -> UInt64? {
      letters = (letters << 8 | UInt64(letter)) & 0xFFFF_FFFF
      count += 1
      return count >= CanaryScan.windowLetters ? mixBits(letters) : nil
    }
  }

  // MARK: Looking

  /// The first canary in some bytes, or nil.
  public func firstHit(in bytes: UnsafeRawBufferPointer) -> Hit? {
    firstHit(in: bytes, unpacking: true)
  }

  private func firstHit(in bytes: UnsafeRawBufferPointer, unpacking: Bool) -> Hit? {
    if hasWords, let hit = firstWord(in: bytes, unpacking: unpacking) { return hit }
    if !digits.isEmpty, let hit = firstDigits(in: bytes) { return hit }
    for text in texts {
      if let offset = firstOffset(of: text.bytes, in: bytes) {
        return Hit(canary: text.canary, offset: offset, form: .plain)
      }
    }
    return nil
  }

  /// Passes eight bytes at a time while nothing in them can begin a word in any form.
  private func firstWord(in bytes: UnsafeRawBufferPointer, unpacking: Bool) -> Hit? {
    var position = 0
    while position < bytes.count {
      if position + 8 <= bytes.count {
        let word = UInt64(
          littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
        if Marker.mayBeBase64(word), let hit = base64Hit(&position, bytes) { return hit }
        // Base64 moves the position on; the word is looked at again from there.
        guard position + 8 <= bytes.count else { continue }
        let current = UInt64(
          littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
        let marks = Marker.places(current)
        if marks == 0 {
          position += 8
          continue
        }
        position += marks.trailingZeroBitCount / 8
      }
      let start = position
      if let hit = hitOfRun(at: &position, bytes) { return hit }
      if position == start {
        if unpacking, let hit = gzipHit(at: position, bytes) { return hit }
        position += 1
      }
    }
    return nil
  }

  /// Reads the run of letters at a position, in whatever form each is written.
  private func hitOfRun(at position: inout Int, _ bytes: UnsafeRawBufferPointer) -> Hit? {
    var run = Run()
    let start = position
    while let letter = Cherokee.read(bytes, at: position) {
      position += letter.length
      if let key = run.add(letter.letter), case let canary = windows[key], canary >= 0 {
        return Hit(canary: Int(canary), offset: start, form: letter.form)
      }
    }
    return nil
  }

  // MARK: Packed forms

  /// Looks into a run of base64 that touches the word at the position, and moves behind it.
  private func base64Hit(_ position: inout Int, _ bytes: UnsafeRawBufferPointer) -> Hit? {
    var first = position
    while first > 0, Base64Run.isDigit(bytes[first - 1]) { first -= 1 }
    var end = position
    while end < bytes.count, Base64Run.isDigit(bytes[end]) { end += 1 }
    guard end - position >= 8 else { return nil }
    position = end
    guard end - first >= 16 else { return nil }
    let content = UnsafeRawBufferPointer(rebasing: bytes[first..<end])
    guard Base64Run.mayHoldLetters(content) else { return nil }
    for shift in 0..<4 {
      let decoded = Base64Run.decode(content, from: shift)
      let hit = decoded.withUnsafeBytes { decoded -> Hit? in
        var place = 0
        while place < decoded.count {
          let start = place
          if let hit = hitOfRun(at: &place, decoded) { return hit }
          if place == start { place += 1 }
        }
        return nil
      }
      if let hit { return Hit(canary: hit.canary, offset: first, form: .base64) }
    }
    return nil
  }

  private func gzipHit(at position: Int, _ bytes: UnsafeRawBufferPointer) -> Hit? {
    // The second byte of the magic has the high bit that the pass stops at.
    guard position > 0, bytes[position] == 0x8B, bytes[position - 1] == 0x1F else { return nil }
    let packed = UnsafeRawBufferPointer(rebasing: bytes[(position - 1)...])
    guard let content = Inflate.gzip(packed, limit: CanaryScan.unpackedLimit) else { return nil }
    let hit = content.withUnsafeBytes { firstHit(in: $0, unpacking: false) }
    return hit.map { Hit(canary: $0.canary, offset: position - 1, form: .gzip) }
  }

  private func firstOffset(of needle: [UInt8], in bytes: UnsafeRawBufferPointer) -> Int? {
    guard bytes.count >= needle.count else { return nil }
    for start in 0...bytes.count - needle.count where bytes[start] == needle[0] {
      var length = 1
      while length < needle.count, bytes[start + length] == needle[length] { length += 1 }
      if length == needle.count { return start }
    }
    return nil
  }
}

/// Tests on eight bytes at once.
private enum Marker {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highs: UInt64 = 0x8080_8080_8080_8080

  /// The high bit of each byte that is beyond ASCII, a percent sign or a backslash; exact up to the
  /// first.
  @inline(__always)
  static func places(_ word: UInt64) -> UInt64 {
    let percent = word ^ (ones &* 0x25)
    let backslash = word ^ (ones &* 0x5C)
    return (word | ((percent &- ones) & ~percent) | ((backslash &- ones) & ~backslash)) & highs
  }

  /// False if a byte cannot stand in base64: one below `+`, beyond ASCII, a comma or a colon. A run
  /// of sixteen letters covers eight of them at any eighth place.
  @inline(__always)
  static func mayBeBase64(_ word: UInt64) -> Bool {
    let low = (word &- (ones &* 0x2B)) & ~word
    let comma = word ^ (ones &* 0x2C)
    let colon = word ^ (ones &* 0x3A)
    let stops =
      low | word | ((comma &- ones) & ~comma) | ((colon &- ones) & ~colon)
    return stops & highs == 0
  }
}
