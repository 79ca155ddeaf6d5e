import Testing

/// How long files, functions and lines may be.
enum Sizes {
  static let longestFile = 500
  /// Nine files in ten stay under this.
  static let usualFile = 400
  static let longestFunction = 70
  static let longestLine = 100

  static func files(_ files: [SourceFile]) -> [Violation] {
    var violations = files.filter { $0.length > longestFile }
      .map { $0.violation(0, "\($0.length) lines; a file has one subject and at most 500") }
    let long = files.filter { $0.length >= usualFile }
    if long.count * 10 > files.count {
      violations += long.map { $0.violation(0, "\($0.length) lines; too many files over 400") }
    }
    return violations
  }

  /// Free of the rule is what no line break can shorten: a line that is one text, a line of a long
  /// text, a row of a table in a comment.
  static func lines(_ file: SourceFile) -> [Violation] {
    file.lines.enumerated().compactMap { index, line in
      if line.count <= longestLine { return nil }
      let content = line.drop { $0 == " " }
      let isComment = content.hasPrefix("//")
      let isText = ["\"", "+ \"", "/// |"].contains { content.hasPrefix($0) }
      let isInsideText = !isComment && file.code[index].allSatisfy { $0 == " " }
      if isText || isInsideText { return nil }
      return file.violation(index + 1, "\(line.count) columns; a line has at most 100")
    }
  }

  static func functions(_ file: SourceFile) -> [Violation] {
    file.functions().compactMap { function in
      let length = function.lastLine - function.firstLine + 1
      if length < longestFunction { return nil }
      return file.violation(
        function.firstLine, "a function of \(length) lines; under 70 can be read at once")
    }
  }
}

extension SourceFile {
  /// How many lines the file has.
  var length: Int { lines.last == "" ? lines.count - 1 : lines.count }

  /// The functions and initialisers with a body: their first and last lines, from 1.
  func functions() -> [(firstLine: Int, lastLine: Int)] {
    var found: [(firstLine: Int, lastLine: Int)] = []
    for (index, line) in code.enumerated() where beginsFunction(line) {
      if let last = endOfBody(from: index) { found.append((index + 1, last + 1)) }
    }
    return found
  }

  private func beginsFunction(_ line: String) -> Bool {
    let words = line.split(whereSeparator: { " ({<".contains($0) })
    guard let place = words.firstIndex(where: { ["func", "init", "init?", "deinit"].contains($0) })
    else { return false }
    let isLead = words[..<place].allSatisfy { word in
      word.allSatisfy { $0.isLetter || "@_)".contains($0) }
    }
    return isLead && !line.contains(".init") && !line.contains("return ")
  }

  /// The line where the body that begins after `start` ends; nil for a requirement without one.
  private func endOfBody(from start: Int) -> Int? {
    var parentheses = 0
    var braces = 0
    var sawParenthesis = false
    for index in start..<code.count {
      if index > start && braces == 0 && parentheses == 0 && sawParenthesis {
        // A signature goes on with `->`, `where`, `throws`, `async` or its brace; anything else is
        // the next declaration.
        let next = code[index].drop { $0 == " " }
        let goesOn = ["->", "where", "throws", "async", "rethrows", "{"].contains {
          next.hasPrefix($0)
        }
        if !goesOn { return nil }
      }
      for character in code[index] {
        switch character {
        case "(", "[":
          parentheses += 1
          sawParenthesis = true
        case ")", "]": parentheses -= 1
        case "{":
          if parentheses == 0 || braces > 0 { braces += 1 }
        case "}" where braces > 0:
          braces -= 1
          if braces == 0 { return index }
        case "}" where parentheses == 0: return nil
        default: break
        }
      }
    }
    return nil
  }
}

@Suite struct SizesTests {
  @Test func filesHaveOneSubject() {
    let sources = Repository.sources
    let lengths = sources.map(\.length).sorted()
    let long = lengths.filter { $0 >= Sizes.usualFile }.count
    print(
      "Sources: \(lengths.count) files, median \(lengths[lengths.count / 2]) lines, "
        + "longest \(lengths.last ?? 0), \(long) of 400 and more")
    expectNone(Sizes.files(sources))
    expectNone(Sizes.files(Repository.swiftFiles.filter { $0.path.hasPrefix("Tests/") }))
  }

  @Test func linesFitInAHundredColumns() {
    expectNone(Repository.swiftFiles.flatMap(Sizes.lines))
  }

  @Test func functionsCanBeReadAtOnce() {
    expectNone(Repository.swiftFiles.flatMap(Sizes.functions))
    #expect(Repository.swiftFiles.reduce(0) { $0 + $1.functions().count } > 200)
  }

  private func lines(_ count: Int) -> String {
    String(repeating: "  work()\n", count: count)
  }

  @Test func aLongFileFires() {
    let short = Array(repeating: planted(""), count: 9)
    #expect(Sizes.files([planted(lines(501))] + short).count == 1)
    #expect(Sizes.files([planted(lines(500))] + short).isEmpty)
  }

  @Test func tooManyLongFilesFire() {
    let short = Array(repeating: planted("a"), count: 17)
    let long = Array(repeating: planted(lines(400)), count: 2)
    #expect(Sizes.files(short + long).count == 2)
    #expect(Sizes.files(short + long + [planted("b")]).isEmpty)
  }

  @Test func aLongLineFires() {
    let text = "a\n" + String(repeating: "x", count: 101)
    #expect(Sizes.lines(planted(text)).map(\.line) == [2])
    #expect(Sizes.lines(planted(String(repeating: "x", count: 100))).isEmpty)
    let words = String(repeating: "word ", count: 21)
    for line in ["/// \(words)", "f(\"\(words)\")"] {
      #expect(Sizes.lines(planted(line)).map(\.line) == [1])
    }
    for line in ["  \"\(words)\"", "+ \"\(words)\"", "/// | \(words)|"] {
      #expect(Sizes.lines(planted(line)).isEmpty)
    }
    #expect(Sizes.lines(planted("a = \"\"\"\n\(words)\n\"\"\"")).isEmpty)
  }

  @Test(arguments: [
    "func f() {",
    "@inlinable public static func f(\n  _ a: Int = g({ 1 }),\n  b: [Int]\n) -> Int {",
    "init() {", "public init?(a: Int)\n  throws(E)\n{", "deinit {",
    "private mutating func f<A>(a: A) where A: B {",
  ])
  func aLongFunctionFires(head: String) {
    let headLines = head.split(separator: "\n").count
    let short = "struct A {\n\(head)\n\(lines(68 - headLines))}\n}\n"
    #expect(Sizes.functions(planted(short)).isEmpty)
    let long = "struct A {\n\(head)\n\(lines(69 - headLines))}\n}\n"
    #expect(Sizes.functions(planted(long)).map(\.line) == [2])
  }

  @Test func aRequirementHasNoBody() {
    let text = "protocol A {\n  func f()\n  func g(a: Int) -> Int\n}\nstruct B {\n\(lines(90))}\n"
    #expect(planted(text).functions().isEmpty)
  }
}
