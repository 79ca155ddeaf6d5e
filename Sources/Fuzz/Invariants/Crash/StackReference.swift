import Foundation

/// The text and the hash of a call stack by CRA-13 to CRA-16 and S-61, apart from any SDK.
public struct StackReference: Sendable {
  private let redaction = RedactionReference()
  private let offset = pattern(
    #"(?<=\P{White_Space})\p{White_Space}+\+\p{White_Space}+[0-9]+(?=\p{White_Space}|$)"#)
  private let index = pattern(#"^\p{White_Space}*[0-9]+(?=\p{White_Space}|$)"#)
  private let address = pattern(
    #"(?<=^|\p{White_Space})0[xX][0-9a-fA-F]+(?=\p{White_Space}|$)"#)
  private let space = pattern(#"\p{White_Space}+"#)

  public init() {}

  private static func pattern(_ text: String) -> NSRegularExpression {
    guard let pattern = try? NSRegularExpression(pattern: text) else {
      preconditionFailure("a pattern is a pattern")
    }
    return pattern
  }

  /// The frames of a raw stack as they may be written, top frame first.
  public func frames(_ raw: [String]) -> [String] {
    raw.prefix(512).map { redaction.redact(frame($0)) }.filter { !$0.isEmpty }
  }

  private func frame(_ raw: String) -> String {
    var line = raw as NSString
    if let last = offset.matches(in: raw, range: all(line)).last {
      line = line.substring(to: last.range.location) as NSString
    }
    for (pattern, replacement) in [(index, ""), (address, ""), (space, " ")] {
      line =
        pattern.stringByReplacingMatches(
          in: line as String, range: all(line), withTemplate: replacement) as NSString
    }
    return (line as String).trimmingCharacters(in: CharacterSet(charactersIn: " "))
  }

  private func all(_ line: NSString) -> NSRange { NSRange(location: 0, length: line.length) }

  /// The frames as one text: at most 4000 scalars, cut at the end of a line.
  public func text(_ raw: [String]) -> String { text(written: frames(raw)) }

  /// The text of frames as they may be written.
  func text(written lines: [String]) -> String {
    var kept = 0
    var count = 0
    for line in lines {
      count += line.unicodeScalars.count + (kept == 0 ? 0 : 1)
      if kept > 0, count > 4_000 { break }
      kept += 1
    }
    let text = lines[..<kept].joined(separator: "\n")
    return String(String.UnicodeScalarView(text.unicodeScalars.prefix(4_000)))
  }

  /// 32 hex digits over type and frames (C-29).
  public func hash(type: String, _ raw: [String]) -> String {
    hash(type: type, written: frames(raw))
  }

  /// The hash over type and frames as they may be written.
  func hash(type: String, written lines: [String]) -> String {
    let text = ([type] + lines).joined(separator: "\n")
    return SHA256Reference.hexadecimal(Array(text.utf8), bytes: 16)
  }
}
