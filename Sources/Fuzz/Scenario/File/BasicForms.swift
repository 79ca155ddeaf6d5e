import Foundation
import FuzzHistory
import SimKernel

extension Form where Value == String {
  static let text = Form(
    write: { .string($0) },
    read: { (json, place) throws(ScenarioFileError) in
      guard case .string(let text) = json else {
        throw place.error("\(describe(json)) is no text", "write text in quotes")
      }
      return text
    })
}

extension Form where Value == Bool {
  static let flag = Form(
    write: { .bool($0) },
    read: { (json, place) throws(ScenarioFileError) in
      guard case .bool(let flag) = json else {
        throw place.error("\(describe(json)) is neither true nor false", "write true or false")
      }
      return flag
    })
}

extension Form where Value == Int64 {
  /// A whole number in a range.
  static func integer(in range: ClosedRange<Int64>) -> Form {
    Form(
      write: { .int($0) },
      read: { (json, place) throws(ScenarioFileError) in
        guard case .int(let number) = json else {
          throw place.error("\(describe(json)) is no whole number", "write a whole number")
        }
        guard range.contains(number) else {
          throw place.error("\(number) is out of range", "write \(shown(range))")
        }
        return number
      })
  }

  private static func shown(_ range: ClosedRange<Int64>) -> String {
    range.upperBound == .max
      ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
  }

  /// A moment as `2026-05-28T20:26:40.000Z`, or as milliseconds since the Unix epoch where it is so
  /// far away that a date does not help.
  static func moment(in range: ClosedRange<Int64>) -> Form {
    Form(
      write: { DateText.text(milliseconds: $0).map { .string($0) } ?? .int($0) },
      read: { (json, place) throws(ScenarioFileError) in
        let mend = "write it like \"2026-05-28T20:26:40.000Z\""
        let number: Int64
        switch json {
        case .int(let milliseconds): number = milliseconds
        case .string(let text):
          guard let milliseconds = DateText.milliseconds(text) else {
            throw place.error("\(Quoted.text(text)) is no moment", mend)
          }
          number = milliseconds
        default: throw place.error("\(describe(json)) is no moment", mend)
        }
        guard range.contains(number) else {
          throw place.error(
            "\(describe(json)) is out of range",
            "stay between \(shownMoment(range.lowerBound)) and \(shownMoment(range.upperBound))")
        }
        return number
      })
  }

  private static func shownMoment(_ milliseconds: Int64) -> String {
    DateText.text(milliseconds: milliseconds) ?? "\(milliseconds)"
  }
}

extension Form where Value == Int {
  /// A whole number in a range.
  static func int(in range: ClosedRange<Int>) -> Form {
    Form<Int64>.integer(in: Int64(range.lowerBound)...Int64(range.upperBound))
      .map(to: { (number, _) in Int(number) }, from: { Int64($0) })
  }
}

extension Form where Value == UInt64 {
  /// Any 64 bits: a number where every reader of JSON keeps it exact, else hexadecimal.
  static let bits = Form(
    write: { $0 < 1 << 53 ? .int(Int64($0)) : .string(hexadecimal($0)) },
    read: { (json, place) throws(ScenarioFileError) in
      switch json {
      case .int(let number) where number >= 0: return UInt64(number)
      case .unsigned(let number): return number
      case .string(let text) where text.hasPrefix("0x") && text.utf8.count <= 18:
        if let number = UInt64(text.dropFirst(2), radix: 16) { return number }
      default: break
      }
      throw place.error(
        "\(describe(json)) is no number of 64 bits",
        "write a whole number from 0, or hexadecimal in quotes such as \"0x1f\"")
    })

  static func hexadecimal(_ bits: UInt64) -> String {
    let digits = String(bits, radix: 16)
    return "0x" + String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// The bits of a double: a number, or a word where JSON has no number for it.
  static let double = Form(
    write: { bits in
      let number = Double(bitPattern: bits)
      if number.isFinite { return .double(number) }
      switch bits {
      case Numerals.notANumber: return .string("nan")
      case Numerals.infinity: return .string("infinity")
      case Numerals.negativeInfinity: return .string("-infinity")
      default: return .string(hexadecimal(bits))
      }
    },
    read: { (json, place) throws(ScenarioFileError) in
      switch json {
      case .double(let number): return number.bitPattern
      case .int(let number) where number.magnitude <= 1 << 53: return Double(number).bitPattern
      case .string("nan"): return Numerals.notANumber
      case .string("infinity"): return Numerals.infinity
      case .string("-infinity"): return Numerals.negativeInfinity
      case .string(let text) where text.hasPrefix("0x") && text.utf8.count == 18:
        if let bits = UInt64(text.dropFirst(2), radix: 16) { return bits }
      default: break
      }
      throw place.error(
        "\(describe(json)) is no number",
        "write a number, \"nan\", \"infinity\" or \"-infinity\"")
    })
}

extension Form where Value == Ratio {
  /// `1/20`.
  static let ratio = Form(
    write: { .string("\($0.numerator)/\($0.denominator)") },
    read: { (json, place) throws(ScenarioFileError) in
      if case .string(let text) = json {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 2, let numerator = UInt64(parts[0]), let denominator = UInt64(parts[1]),
          denominator > 0, numerator <= denominator
        {
          return Ratio(numerator, denominator)
        }
      }
      throw place.error(
        "\(describe(json)) is no chance", "write it like \"1/20\", at most \"1/1\"")
    })
}

extension Form where Value == [UInt8] {
  static let base64 = Form<String>.text.map(
    to: { (text, place) throws(ScenarioFileError) in
      guard let data = Data(base64Encoded: text) else {
        throw place.error("\(Quoted.text(text)) is not base64", "write bytes in base64")
      }
      return Array(data)
    },
    from: { Data($0).base64EncodedString() })
}

extension Form where Value: CaseIterable & Sendable {
  /// One of the words of an enumeration: its cases in snake case.
  static var word: Form {
    word { SnakeCase.text("\($0)") }
  }

  /// One of some words.
  static func word(_ word: @escaping @Sendable (Value) -> String) -> Form {
    Form(
      write: { .string(word($0)) },
      read: { (json, place) throws(ScenarioFileError) in
        let text = try Form<String>.text.read(json, place)
        for value in Value.allCases where word(value) == text { return value }
        throw place.error(
          "\(Quoted.text(text)) is not known here", Quoted.mend(text, Value.allCases.map(word)))
      })
  }
}

enum SnakeCase {
  /// `memoryKill` as `memory_kill`.
  static func text(_ name: String) -> String {
    var result = ""
    for letter in name {
      if letter.isUppercase { result += "_" }
      result += letter.lowercased()
    }
    return result
  }
}
