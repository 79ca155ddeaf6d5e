/// Takes out of free text what may name a person, before any of it is written (CRA-07 to CRA-11).
///
/// Four rules, in this order (S-61): queries of URLs go, home directories become `~/`, e-mail
/// addresses and runs of seven or more decimal digits become `[redacted]`. Where it is open how far
/// a private part reaches, more is taken out rather than less. Doing it twice changes nothing.
enum Redaction {
  /// What stands for an e-mail address or a number.
  static let placeholder = "[redacted]"
  /// The most scalars of a message that are kept, so that its event fits into one message.
  static let mostMessageScalars = 1_000
  /// Text beyond this many scalars is cut before it is looked at: a dying process has little time.
  static let mostScalars = 65_536
  /// From so many digits on, a run is a number that may name somebody (CRA-09).
  static let leastDigits = 7

  /// The text without private parts.
  /// - Parameter text: any text; only its first 65 536 scalars are looked at and kept.
  static func redact(_ text: String) -> String {
    var scalars = Array(text.unicodeScalars.prefix(mostScalars))
    while true {
      // What is taken out can lay open something else behind it.
      let once = withoutNumbers(withoutAddresses(withoutHomes(withoutQueries(scalars))))
      if once == scalars { break }
      scalars = once
    }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

  /// A message as it may be written: redacted, then cut.
  static func message(_ text: String) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: redact(text).unicodeScalars.prefix(mostMessageScalars))
    return String(view)
  }

  typealias Scalars = [Unicode.Scalar]

  // MARK: Queries

  /// In a run of characters that a URL may be made of, everything from a `?` behind a `/` on.
  private static func withoutQueries(_ text: Scalars) -> Scalars {
    var kept = Scalars()
    kept.reserveCapacity(text.count)
    var hasSlash = false
    var isInQuery = false
    for scalar in text {
      if endsWord(scalar) {
        hasSlash = false
        isInQuery = false
      } else if scalar == "/" {
        hasSlash = true
      } else if scalar == "?", hasSlash {
        isInQuery = true
      }
      if !isInQuery { kept.append(scalar) }
    }
    return kept
  }

  /// What cannot stand in a URL, a path component or an address.
  private static func endsWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar == "\"" || scalar == "<" || scalar == ">"
  }

  // MARK: Home directories

  /// Where people and apps have their files; `*` is a component that names one of them.
  private static let homes: [[Scalars]] = [
    "private/var/mobile/Containers/*/*/*", "var/mobile/Containers/*/*/*",
    "private/var/containers/Bundle/Application/*", "var/containers/Bundle/Application/*",
    "private/var/mobile", "var/mobile", "Users/*", "home/*",
  ].map { path in path.split(separator: "/").map { Array($0.unicodeScalars) } }

  private static func withoutHomes(_ text: Scalars) -> Scalars {
    var kept = Scalars()
    kept.reserveCapacity(text.count)
    var place = 0
    while place < text.count {
      if text[place] == "/", kept.last.map(mayPrecedePath) ?? true,
        let end = homes.lazy.compactMap({ end(of: $0, text, place) }).first
      {
        kept.append("~")
        kept.append("/")
        place = end
      } else {
        kept.append(text[place])
        place += 1
      }
    }
    return kept
  }

  /// Whether a path can begin behind a character; it cannot within the path of a URL.
  private static func mayPrecedePath(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "%", "~": return false
    default: return !isOfName(scalar)
    }
  }

  /// Where a path behind its home directory goes on.
  private static func end(of home: [Scalars], _ text: Scalars, _ start: Int) -> Int? {
    var place = start
    for component in home {
      guard place < text.count, text[place] == "/" else { return nil }
      let first = place + 1
      place = first
      while place < text.count, text[place] != "/", !endsWord(text[place]) { place += 1 }
      guard place > first, component == ["*"] || text[first..<place].elementsEqual(component)
      else { return nil }
    }
    return place < text.count && text[place] == "/" ? place + 1 : place
  }

  // MARK: E-mail addresses

  private static func withoutAddresses(_ text: Scalars) -> Scalars {
    var kept = Scalars()
    kept.reserveCapacity(text.count)
    var place = 0
    while place < text.count {
      let count = atSign(text, place)
      if count > 0, let end = endOfDomain(text, place + count),
        let local = startOfLocalPart(kept)
      {
        kept.removeSubrange(local...)
        kept.append(contentsOf: placeholder.unicodeScalars)
        place = end
      } else {
        kept.append(text[place])
        place += 1
      }
    }
    return kept
  }

  /// How many scalars stand for an `@` at a place: also where it is escaped as in a URL.
  private static func atSign(_ text: Scalars, _ place: Int) -> Int {
    if text[place] == "@" { return 1 }
    guard text[place] == "%", place + 2 < text.count, text[place + 1] == "4",
      text[place + 2] == "0"
    else { return 0 }
    return 3
  }

  /// Behind the longest name with a point in it, or behind an address in brackets.
  private static func endOfDomain(_ text: Scalars, _ start: Int) -> Int? {
    guard start < text.count else { return nil }
    var end = start
    if text[start] == "[" {
      while end < text.count, text[end] != "]", !endsWord(text[end]) { end += 1 }
      return end < text.count && text[end] == "]" && end > start + 1 ? end + 1 : nil
    }
    while end < text.count, isOfName(text[end]) { end += 1 }
    while end > start {
      // A full stop or a dash behind it belongs to the sentence.
      while end > start, text[end - 1] == "." || text[end - 1] == "-" { end -= 1 }
      guard let point = text[start..<end].lastIndex(of: "."), point > start else { return nil }
      if end - point > 2,
        text[(point + 1)..<end].contains(where: { $0.properties.isAlphabetic })
      {
        return end
      }
      end = point
    }
    return nil
  }

  private static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "." || scalar == "-" || scalar == "_" || scalar.properties.isAlphabetic
      || scalar.properties.generalCategory == .decimalNumber
  }

  /// Where the part before an `@` begins at the end of what is kept.
  private static func startOfLocalPart(_ kept: Scalars) -> Int? {
    var start = kept.count
    if kept.last == "\"" {
      // A quoted one may hold anything but the end of its line.
      start -= 1
      while start > 0, kept[start - 1] != "\"", kept[start - 1] != "\n" { start -= 1 }
      return start > 0 && kept[start - 1] == "\"" ? start - 1 : nil
    }
    while start > 0, isOfLocalPart(kept[start - 1]) { start -= 1 }
    return start < kept.count ? start : nil
  }

  private static func isOfLocalPart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "(", ")", ",", ":", ";", "[", "]", "\\", "@": return false
    default: return !endsWord(scalar)
    }
  }

  // MARK: Numbers

  private static func withoutNumbers(_ text: Scalars) -> Scalars {
    var kept = Scalars()
    kept.reserveCapacity(text.count)
    var run = 0
    for scalar in text {
      if scalar.properties.generalCategory == .decimalNumber {
        run += 1
      } else {
        replaceRun(run, &kept)
        run = 0
      }
      kept.append(scalar)
    }
    replaceRun(run, &kept)
    return kept
  }

  private static func replaceRun(_ count: Int, _ kept: inout Scalars) {
    guard count >= leastDigits else { return }
    kept.removeLast(count)
    kept.append(contentsOf: placeholder.unicodeScalars)
  }
}
