import Foundation

/// What free text of a crash may look like when it is written: the rules of CRA-08 to CRA-11 and
/// S-61 as patterns, apart from any SDK.
public struct RedactionReference: Sendable {
  /// Each rule and what it puts in place of what it finds, in their order.
  private let rules: [Rule]

  private struct Rule {
    var pattern: NSRegularExpression
    var template: String
    /// Signs of which so many stand in a row in all that the pattern finds in ASCII.
    var signs: [UInt8]
    var signCount: Int

    /// Whether the pattern may find anything: most text need not be searched.
    func mayFind(_ text: String) -> Bool {
      var text = text
      return text.withUTF8 { bytes in
        var count = 0
        var isThere = false
        for byte in bytes {
          if byte >= 0x80 { return true }
          count = signs.contains(byte) ? count + 1 : 0
          if count >= signCount { isThere = true }
        }
        return isThere
      }
    }
  }

  private static let patterns:
    [(pattern: String, template: String, signs: StaticString, signCount: Int)] = [
      (#"(/[^\p{White_Space}"<>?]*)\?[^\p{White_Space}"<>]*"#, "$1", "?", 1),
      (
        #"(?<![\p{Alphabetic}\p{Nd}._%~-])/(?:(?:private/)?var/mobile/Containers/NAME/NAME/NAME"#
          + "|(?:private/)?var/containers/Bundle/Application/NAME"
          + #"|(?:private/)?var/mobile(?![^/\p{White_Space}"<>])|(?:Users|home)/NAME)/?"#, "~/",
        "/", 1
      ),
      (
        #"(?:"[^"\n]*"|[^\p{White_Space}"<>(),:;\[\]\\@]+?)(?:@|%40)"#
          + #"(?:\[[^\]\p{White_Space}"<>]+\]"#
          + #"|[\p{Alphabetic}\p{Nd}._-]+\.(?=[\p{Alphabetic}\p{Nd}_-]*\p{Alphabetic})"#
          + #"[\p{Alphabetic}\p{Nd}_-]{2,}(?<!-))"#, "[redacted]", "@%", 1
      ),
      (#"\p{Nd}{7,}"#, "[redacted]", "0123456789", 7),
    ]

  public init() {
    rules = Self.patterns.compactMap { pattern, template, signs, signCount in
      // Taken whole: a shorter part of a name would leave the rest of it standing.
      let whole = pattern.replacingOccurrences(of: "NAME", with: #"[^/\p{White_Space}"<>]++"#)
      let bytes = signs.withUTF8Buffer { Array($0) }
      return (try? NSRegularExpression(pattern: whole)).map {
        Rule(pattern: $0, template: template, signs: bytes, signCount: signCount)
      }
    }
    precondition(rules.count == Self.patterns.count, "each rule is a pattern")
  }

  /// The text as it may be written.
  public func redact(_ text: String) -> String {
    var text = text
    while true {
      let once = rules.reduce(text) { text, rule in
        if !rule.mayFind(text) { return text }
        return rule.pattern.stringByReplacingMatches(
          in: text, range: NSRange(text.startIndex..., in: text), withTemplate: rule.template)
      }
      if once == text { return text }
      text = once
    }
  }

  /// Whether a text holds nothing that a rule would take out.
  public func isClean(_ text: String) -> Bool {
    rules.allSatisfy {
      !$0.mayFind(text)
        || $0.pattern.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) == nil
    }
  }
}
