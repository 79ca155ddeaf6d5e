import Testing

/// Nothing half done, nothing switched off, nothing of the machine it was written on.
enum Honesty {
  // Written in two parts, so that this file does not break its own rule.
  private static let unfinishedWords = ["TO" + "DO", "FIX" + "ME", "XX" + "X"]
  private static let machinePaths = [
    "/wo" + "rk/", "/tm" + "p/lab", "/ro" + "ot/", "/ho" + "me/", "/opt/" + "swift", "/Us" + "ers/",
  ]
  private static let switchedOff = [
    ".disabled(", "XCTSkip", "withKnownIssue", "XCTestCase", "#if false", "#if 0",
  ]
  private static let timed = [
    ".timeLimit(", "Task.sleep", "usleep", "ContinuousClock", "Thread.sleep", "Date()",
  ]

  static func unfinished(_ file: SourceFile) -> [Violation] {
    words(unfinishedWords, in: file) { "\($0) marks something unfinished" }
  }

  /// Homes of the person whom tests of the redaction are about: nobody's machine.
  private static let inventedHomes = ["/Us" + "ers/ayse", "/ho" + "me/ayse"]

  static func paths(_ file: SourceFile) -> [Violation] {
    file.lines.enumerated().flatMap { index, line in
      var line = String(line)
      for home in inventedHomes { line = line.replacing(home, with: "~") }
      return machinePaths.filter(line.contains).map {
        file.violation(index + 1, "\($0) is a path of one machine")
      }
    }
  }

  /// Tests that are switched off, and tests that wait or measure. A test that needs the built
  /// command says `.enabled(if: BuiltCommand.…)` or the like with this variable's name in its file.
  static func tests(_ file: SourceFile) -> [Violation] {
    guard file.path.hasPrefix("Tests/") else { return [] }
    var violations: [Violation] = []
    for token in switchedOff {
      for place in file.occurrences(of: token) {
        violations.append(file.violation(place.line, "\(token) switches a test off"))
      }
    }
    for token in timed {
      for place in file.occurrences(of: token) {
        violations.append(file.violation(place.line, "\(token): a test neither waits nor measures"))
      }
    }
    let knowsTheBinary = file.lines.contains { $0.contains("SIMLAB_BINARY") }
    for place in file.occurrences(of: ".enabled(") where !knowsTheBinary {
      violations.append(
        file.violation(place.line, ".enabled( is for tests that need SIMLAB_BINARY"))
    }
    return violations
  }

  private static func words(
    _ words: [String], in file: SourceFile, message: (String) -> String
  ) -> [Violation] {
    file.lines.enumerated().flatMap { index, line in
      words.filter(line.contains).map { file.violation(index + 1, message($0)) }
    }
  }
}

@Suite struct HonestyTests {
  /// The files of this folder quote what they forbid.
  private var others: [SourceFile] {
    Repository.swiftFiles.filter { !$0.path.hasPrefix("Tests/Tidy/") }
  }

  private var texts: [SourceFile] {
    (Repository.paths(below: "docs") + Repository.paths(below: "seeds")
      + Repository.paths(below: "reports") + Repository.paths(below: "Tests/Planted")
      + ["README.md", ".ci/run", ".swift-format", ".gitignore"])
      .filter { !$0.hasSuffix(".swift") }
      .map { SourceFile(path: $0, text: Repository.text($0)) }
  }

  @Test func nothingIsHalfDone() {
    expectNone((Repository.swiftFiles + texts).flatMap(Honesty.unfinished))
  }

  @Test func nothingNamesAMachine() {
    expectNone((Repository.swiftFiles + texts).flatMap(Honesty.paths))
  }

  @Test func noTestIsSwitchedOffOrTimed() {
    expectNone(others.flatMap(Honesty.tests))
  }

  @Test func unfinishedWorkFires() {
    for word in ["TO" + "DO", "FIX" + "ME", "XX" + "X"] {
      #expect(Honesty.unfinished(planted("let a = 1\n// \(word): later")).map(\.line) == [2])
    }
    #expect(Honesty.unfinished(planted("// to do, fix me")).isEmpty)
  }

  @Test func machinePathsFire() {
    for path in ["/wo" + "rk/main", "/tm" + "p/lab/x", "/ro" + "ot/.pyenv", "/ho" + "me/a"] {
      #expect(Honesty.paths(planted("\nlet a = \"\(path)\"")).map(\.line) == [2])
    }
  }

  @Test func switchedOffAndTimedTestsFire() {
    for line in [
      "@Test(.disabled(\"flaky\"))", "try XCTSkip()", "withKnownIssue {", "#if false",
      "@Test(.timeLimit(.minutes(1)))", "Task.sleep(for: .seconds(1))", "let t = ContinuousClock()",
      "@Test(.enabled(if: isFast))",
    ] {
      let file = planted("\n" + line, at: "Tests/Fuzz/PlantedTests.swift")
      #expect(Honesty.tests(file).map(\.line) == [2], "\(line)")
    }
    let needed = planted(
      "let path = environment[\"SIMLAB_BINARY\"]\n@Test(.enabled(if: path != nil))",
      at: "Tests/simlab/PlantedTests.swift")
    #expect(Honesty.tests(needed).isEmpty)
  }
}
