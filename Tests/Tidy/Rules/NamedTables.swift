/// Finds the hash tables that a file declares by name, and the walks over those names.
enum NamedTables {
  /// What shows the order of the elements.
  private static let walkers = [
    ".map", ".forEach", ".compactMap", ".flatMap", ".reduce", ".first", ".joined", ".enumerated",
    ".prefix", ".dropFirst", ".makeIterator", ".lazy", ".randomElement",
  ]

  static func walks(in file: SourceFile) -> [Violation] {
    names(in: file).flatMap { name in
      file.occurrences(of: name).compactMap { place in
        let line = file.code[place.line - 1]
        let isOrdered = line.contains(".sorted") || HashTables.isOrdered(line, in: file)
        if isOrdered || !isWalk(place.before, place.rest) { return nil }
        return file.violation(place.line, "walks over \(name), a hash table: sort it first")
      }
    }
  }

  private static func isWalk(_ before: Substring, _ rest: Substring) -> Bool {
    if before.hasSuffix("Array(") && rest.hasPrefix(")") { return true }
    if walkers.contains(where: { rest.hasPrefix($0) && !isWord(rest.dropFirst($0.count)) }) {
      return true
    }
    let isLoop = before.contains("for ") && before.hasSuffix(" in ")
    return isLoop && (rest.hasPrefix(" {") || rest.hasPrefix(" where "))
  }

  private static func isWord(_ text: Substring) -> Bool {
    text.utf8.first.map(isWordByte) ?? false
  }

  /// Names declared with a type or a first value that is a hash table.
  private static func names(in file: SourceFile) -> [String] {
    var names: [String] = []
    for line in file.code {
      for part in line.split(separator: ",") {
        if let name = declaredName(String(part)), !names.contains(name) { names.append(name) }
      }
    }
    return names
  }

  private static func declaredName(_ part: String) -> String? {
    let marks = [": Set<", "= Set(", "= Set<", "= [:]", ": Dictionary<", "= Dictionary("]
    var end = marks.compactMap { part.firstRange(of: $0)?.lowerBound }.min()
    if end == nil, let type = part.firstRange(of: ": ["),
      HashTables.holdsDictionaryType(String(part[type.lowerBound...]))
    {
      end = type.lowerBound
    }
    guard let end else { return nil }
    let head = part[..<end].prefix { $0 != "=" }
    let beforeType = head.prefix { $0 != ":" }
    let word = beforeType.split { !($0.isLetter || $0.isNumber || $0 == "_") }.last
    return word.map(String.init)
  }
}
