/// Where in a document a value stands.
indirect enum Place {
  case root
  case key(Place, String)
  case index(Place, Int)

  var path: String {
    switch self {
    case .root: return ""
    case .key(.root, let key): return Place.shown(key)
    case .key(let parent, let key): return parent.path + "." + Place.shown(key)
    case .index(let parent, let index): return parent.path + "[\(index)]"
    }
  }

  func error(_ problem: String, _ mend: String) -> ScenarioFileError {
    let path = self.path
    return ScenarioFileError(path: path.isEmpty ? "file" : path, problem: problem, mend: mend)
  }

  /// A key as it can stand in one line.
  private static func shown(_ key: String) -> String {
    let isPlain =
      !key.isEmpty && key.utf8.count <= 60
      && key.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: ".") }
    return isPlain ? key : Quoted.text(key)
  }
}

/// Quotes what a file says, for one line of an error.
enum Quoted {
  /// A text in quotes, escaped, and cut after 40 letters.
  static func text(_ text: String) -> String {
    var result = "\""
    for (count, scalar) in text.unicodeScalars.enumerated() {
      if count == 40 { return result + "…\"" }
      result += scalar.value < 0x20 || scalar.value == 0x7F ? "␛" : String(scalar)
    }
    return result + "\""
  }

  /// The nearest of some words, where one is near enough to be meant.
  static func nearest(_ word: String, in words: [String]) -> String? {
    let bound = max(1, word.count / 3)
    var best: (distance: Int, word: String)?
    for candidate in words {
      let distance = distance(Array(word.utf8.prefix(60)), Array(candidate.utf8))
      if distance <= bound, distance < best?.distance ?? .max { best = (distance, candidate) }
    }
    return best?.word
  }

  /// How to write a word that is none of these.
  static func mend(_ word: String, _ words: [String]) -> String {
    if let nearest = nearest(word, in: words) { return "did you mean \"\(nearest)\"?" }
    return "use one of " + words.joined(separator: ", ")
  }

  /// The number of letters to add, take out or change.
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var row = Array(0...right.count)
    for (place, letter) in left.enumerated() {
      var diagonal = row[0]
      row[0] = place + 1
      for index in 0..<right.count {
        let changed = diagonal + (letter == right[index] ? 0 : 1)
        diagonal = row[index + 1]
        row[index + 1] = min(changed, diagonal + 1, row[index] + 1)
      }
    }
    return row[right.count]
  }
}
