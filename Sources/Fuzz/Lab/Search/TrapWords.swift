import Foundation

/// Reads the last words of a process that trapped.
enum TrapWords {
  /// What the runtime said, without its place: `Fatal error: Index out of range`.
  static func reason(in words: String) -> String? {
    for line in words.split(separator: "\n") {
      guard let start = line.range(of: "Fatal error") else { continue }
      return String(line[start.lowerBound...]).trimmingCharacters(in: .whitespaces)
    }
    return nil
  }

  /// The innermost function of this package in the backtrace, without its line.
  static func place(in words: String) -> String? {
    for line in words.split(separator: "\n") {
      // For example: `3 [ra] 0x00005c4 Queue.append(_:) + 84 in simlab at /…/Queue.swift:42:9`.
      guard let at = line.range(of: " at /", options: .backwards), line.hasSuffixOfPlace,
        let inside = line.range(
          of: " in ", options: .backwards, range: line.startIndex..<at.lowerBound)
      else { continue }
      let name = line[..<inside.lowerBound].split(separator: " ")
        .drop { $0.allSatisfy(\.isNumber) || $0.hasPrefix("[") || $0.hasPrefix("0x") }
      let words = name.last.map { $0.allSatisfy(\.isNumber) } == true ? name.dropLast(2) : name
      let file = line[at.upperBound...].split(separator: "/").last?.prefix { $0 != ":" } ?? ""
      return "\(words.joined(separator: " ")) (\(file))"
    }
    return nil
  }
}

extension Substring {
  /// Whether a line of a backtrace ends with a place in a Swift file of `Sources`.
  fileprivate var hasSuffixOfPlace: Bool { contains("/Sources/") && contains(".swift:") }
}
