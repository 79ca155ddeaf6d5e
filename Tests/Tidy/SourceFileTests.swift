import Testing

/// The rules are only as good as the reader below them.
@Suite struct SourceFileTests {
  private func code(_ text: String) -> [String] { planted(text).code }

  @Test func commentsAreBlanked() {
    #expect(code("a // Date()\nb /* x /* y */ z */ c") == ["a          ", "b                   c"])
  }

  @Test func stringsAreBlankedAndInterpolationsStay() {
    #expect(code(#"f("Date() \(UUID()) \" x") + g"#) == [#"f("        (UUID())     ") + g"#])
    #expect(code("f(#\"a\"b\\#(c)\"#)d") == ["f(#\"     (c)\"#)d"])
    #expect(code("x = \"\"\"\n  Date()\n  \"\"\"; y") == ["x = \"\"\"", "        ", "  \"\"\"; y"])
    #expect(code(#"a("\(f("x)"))"); b"#) == [#"a(" (f("  "))"); b"#])
  }

  @Test func tokensAreWholeWords() {
    let file = planted("Task\nMyTask\nTaskList\nx.Task {\n\"Task\"\n\nTask")
    #expect(file.occurrences(of: "Task").map(\.line) == [1, 4, 7])
    #expect(file.occurrences(of: "x.").map { String($0.rest) } == ["Task {"])
    #expect(file.occurrences(of: "Task {").map { String($0.before) } == ["x."])
    #expect(file.occurrences(of: "Task {").map(\.line) == [4])
  }
}
