/// The sources of a package with defects planted in them: a pure function of text.
struct PlantedSources {
  /// Chooses the planted statement while the copy runs; 0 or nothing is none.
  static let variable = "SIMLAB_PLANTED_DEFECT"

  /// A file that is changed.
  struct File {
    var path: String
    var text: String
    /// For each line of the text the defect that put it there.
    var authors: [String?]
  }

  private struct Site {
    var range: Range<String.Index>
    /// The switch values and the defects planted here.
    var defects: [(number: Int, defect: PlantedDefect)]
  }

  /// Plants defects in one file.
  /// - Parameters:
  ///   - defects: statements and expressions with the number that switches each on.
  ///   - declaration: a defect that simply stands there instead.
  /// - Throws: `InputError` for a missing, double or overlapping anchor.
  static func plant(
    _ defects: [(number: Int, defect: PlantedDefect)], declaration: PlantedDefect? = nil,
    in path: String, text: String
  ) throws -> File {
    var sites: [Site] = []
    for entry in defects {
      let range = try place(of: entry.defect, in: text)
      if let twin = sites.firstIndex(where: { $0.range == range }) {
        if sites[twin].defects[0].defect.kind != entry.defect.kind {
          throw overlap(sites[twin].defects[0].defect, entry.defect)
        }
        sites[twin].defects.append(entry)
      } else {
        sites.append(Site(range: range, defects: [entry]))
      }
    }
    if let declaration {
      let range = try place(of: declaration, in: text)
      // A switch inside the replaced text goes with it.
      sites.removeAll { range.overlaps($0.range) }
      sites.append(Site(range: range, defects: [(0, declaration)]))
    }
    sites.sort { $0.range.lowerBound < $1.range.lowerBound }
    for (left, right) in zip(sites, sites.dropFirst()) where left.range.overlaps(right.range) {
      throw overlap(left.defects[0].defect, right.defects[0].defect)
    }
    return write(sites, path: path, text: text)
  }

  private static func write(_ sites: [Site], path: String, text: String) -> File {
    var file = File(path: path, text: "", authors: [nil])
    var position = text.startIndex
    for site in sites {
      file.append(text[position..<site.range.lowerBound], by: nil)
      if let declaration = site.defects.first(where: { $0.number == 0 })?.defect {
        file.append(declaration.replacement[...], by: declaration.id)
      } else {
        let isExpression = site.defects[0].defect.kind == .expression
        for (number, defect) in site.defects {
          file.append(
            isExpression
              ? "(plantedDefect == \(number)\n? (\(defect.replacement))\n: "
              : "if plantedDefect == \(number) {\n\(defect.replacement)\n} else ", by: defect.id)
        }
        let original = text[site.range]
        file.append(
          isExpression
            ? "(\(original))" + String(repeating: ")", count: site.defects.count)
            : "{\n\(original)\n}", by: site.defects[0].defect.id)
      }
      position = site.range.upperBound
    }
    file.append(text[position...], by: nil)
    return file
  }

  /// Where the text of a defect stands that is replaced.
  static func place(of defect: PlantedDefect, in text: String) throws -> Range<String.Index> {
    let anchor = try onlyPlace(
      of: defect.anchor, in: text[...], "its anchor", defect.file, defect)
    if defect.part == defect.anchor { return anchor }
    return try onlyPlace(of: defect.part, in: text[anchor], "its part", "its anchor", defect)
  }

  private static func onlyPlace(
    of needle: String, in text: Substring, _ name: String, _ whole: String,
    _ defect: PlantedDefect
  ) throws -> Range<String.Index> {
    var places: [Range<String.Index>] = []
    var start = text.startIndex
    while places.count < 2, let range = text.range(of: needle, from: start) {
      places.append(range)
      start = text.index(after: range.lowerBound)
    }
    if let place = places.first, places.count == 1 { return place }
    throw InputError(
      file: defect.source, place: "defect \(defect.id)",
      problem: "\(name) \(places.isEmpty ? "does not stand" : "stands more than once") in \(whole)",
      mend: "write one that stands there exactly once")
  }

  private static func overlap(_ left: PlantedDefect, _ right: PlantedDefect) -> InputError {
    InputError(
      file: right.source, place: "defect \(right.id)",
      problem: "its anchor overlaps that of \(left.id) in \(right.file)",
      mend: "make both anchors the same statement, or make one a declaration")
  }

  /// The file that reads the switch, for each target that has one.
  static let switchFile = """
    #if canImport(Glibc)
      import Glibc
    #elseif canImport(Darwin)
      import Darwin
    #endif

    /// Which planted statement runs in this copy.
    @usableFromInline let plantedDefect: Int =
      getenv("\(variable)").flatMap { Int(String(cString: $0)) } ?? 0

    """
}

extension PlantedSources.File {
  fileprivate mutating func append(_ part: Substring, by author: String?) {
    text += part
    let lines = part.split(separator: "\n", omittingEmptySubsequences: false).count
    if author != nil { authors[authors.count - 1] = author }
    for _ in 1..<max(1, lines) { authors.append(author) }
  }

  fileprivate mutating func append(_ part: String, by author: String?) {
    append(part[...], by: author)
  }
}

extension Substring {
  /// The first place of a text at or after an index, by its bytes.
  fileprivate func range(of text: String, from start: Index) -> Range<Index>? {
    let needle = Array(text.utf8)
    guard let first = needle.first else { return nil }
    var position = start
    while let begin = utf8[position...].firstIndex(of: first) {
      var end = begin
      var matched = 0
      while matched < needle.count, end < utf8.endIndex, utf8[end] == needle[matched] {
        matched += 1
        end = utf8.index(after: end)
      }
      if matched == needle.count { return begin..<end }
      position = utf8.index(after: begin)
    }
    return nil
  }
}
