/// What the collector takes out of the texts of a crash once more (CRA-12).
enum ServerScrub {
  /// Replaces e-mail addresses and long numbers, and cuts queries and the paths of users.
  static func scrub(_ text: String) -> String {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    return words.map { word in
      word.split(separator: "\n", omittingEmptySubsequences: false)
        .map { scrub(word: String($0)) }.joined(separator: "\n")
    }.joined(separator: " ")
  }

  private static func scrub(word: String) -> String {
    if let place = word.firstIndex(of: "@"), place != word.startIndex,
      word[place...].contains(".")
    {
      return "[redacted]"
    }
    var rest = word
    if rest.contains("/"), let question = rest.firstIndex(of: "?") {
      rest = String(rest[..<question])
    }
    return numbersRemoved(userRemoved(rest))
  }

  private static func userRemoved(_ word: String) -> String {
    for folder in ["Users", "home"] {
      let root = "/" + folder + "/"
      guard let range = word.firstRange(of: root) else { continue }
      let name = word[range.upperBound...].prefix { $0 != "/" }
      let after = word[name.endIndex...].drop { $0 == "/" }
      return String(word[..<range.lowerBound]) + "~/" + after
    }
    return word
  }

  private static func numbersRemoved(_ word: String) -> String {
    var result = ""
    var digits = ""
    for character in word + " " {
      if character.isNumber {
        digits.append(character)
        continue
      }
      result += digits.count >= 7 ? "[redacted]" : digits
      digits = ""
      result.append(character)
    }
    return String(result.dropLast())
  }
}
