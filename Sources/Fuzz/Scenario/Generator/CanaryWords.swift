/// Words of Cherokee syllables: secrets that nothing else in a run looks like.
///
/// The first 84 letters from U+13A0 are dealt into four classes of 21. A word is four letters, one
/// of each class, spoken twice; any four letters in a row are then a rotation of those four, and
/// the classes say where it starts. So every run of four letters belongs to one number, and to one
/// word.
enum CanaryWords {
  static let firstLetter: UInt32 = 0x13A0
  static let letters: UInt32 = 85
  static let classSize: UInt32 = 21
  /// How many different words there are.
  static let count: UInt32 = classSize * classSize * classSize * classSize

  /// The word of a number below `count`.
  static func word(_ number: UInt32) -> String {
    precondition(number < count, "there are only so many words")
    return String(unsafeUninitializedCapacity: 24) { buffer in
      var rest = number
      for place in 0..<4 {
        let scalar = firstLetter + UInt32(place) * classSize + rest % classSize
        rest /= classSize
        for base in [place * 3, 12 + place * 3] {
          buffer[base] = 0xE1
          buffer[base + 1] = UInt8(0x80 | (scalar >> 6) & 0x3F)
          buffer[base + 2] = UInt8(0x80 | scalar & 0x3F)
        }
      }
      return 24
    }
  }
}

extension CanaryWords {
  /// Whether one of the letters starts at a place of UTF-8 bytes.
  static func isLetter(_ bytes: UnsafeRawBufferPointer, at place: Int) -> Bool {
    guard place + 3 <= bytes.count, bytes[place] == 0xE1 else { return false }
    let last = bytes[place + 2]
    switch bytes[place + 1] {
    case 0x8E: return last >= 0xA0 && last <= 0xBF
    case 0x8F: return last >= 0x80 && last <= 0xB4
    default: return false
    }
  }
}
