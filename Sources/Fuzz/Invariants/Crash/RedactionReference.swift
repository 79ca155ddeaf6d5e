import Foundation

/// What free text of a crash may look like when it is written: the rules of CRA-08 to CRA-11 and
/// S-61 as patterns, apart from any SDK.
public struct RedactionReference: Sendable {
  /// Each rule and what it puts in place of what it finds, in their order.
  private let rules: [(pattern: NSRegularExpression, template: String)]

  private static let patterns: [(pattern: String, template: String)] = [
    (#"(/[^\p{White_Space}"<>?]*)\?[^\p{White_Space}"<>]*"#, "$1"),
    (
      #"(?<![\p{Alphabetic}\p{Nd}._%~-])/(?:(?:private/)?var/mobile/Containers/NAME/NAME/NAME"#
        + "|(?:private/)?var/containers/Bundle/Application/NAME"
        + #"|(?:private/)?var/mobile(?![^/\p{White_Space}"<>])|(?:Users|home)/NAME)/?"#, "~/"
    ),
    (
      #"(?:"[^"\n]*"|[^\p{White_Space}"<>(),:;\[\]\\@]+?)(?:@|%40)"#
        + #"(?:\[[^\]\p{White_Space}"<>]+\]"#
        + #"|[\p{Alphabetic}\p{Nd}._-]+\.(?=[\p{Alphabetic}\p{Nd}_-]*\p{Alphabetic})"#
        + #"[\p{Alphabetic}\p{Nd}_-]{2,}(?<!-))"#, "[redacted]"
    ),
    (#"\p{Nd}{7,}"#, "[redacted]"),
  ]

  public init() {
    rules = Self.patterns.compactMap { pattern, template in
      // Taken whole: a shorter part of a name would leave the rest of it standing.
      let whole = pattern.replacingOccurrences(of: "NAME", with: #"[^/\p{White_Space}"<>]++"#)
      return (try? NSRegularExpression(pattern: whole)).map { ($0, template) }
    }
    precondition(rules.count == Self.patterns.count, "each rule is a pattern")
  }

  /// The text as it may be written.
  public func redact(_ text: String) -> String {
    var text = text
    while true {
      let once = rules.reduce(text) { text, rule in
        rule.pattern.stringByReplacingMatches(
          in: text, range: NSRange(text.startIndex..., in: text), withTemplate: rule.template)
      }
      if once == text { return text }
      text = once
    }
  }

  /// Whether a text holds nothing that a rule would take out.
  public func isClean(_ text: String) -> Bool {
    rules.allSatisfy {
      $0.pattern.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) == nil
    }
  }
}
