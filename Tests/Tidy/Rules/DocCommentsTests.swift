import Testing

/// Public types, functions and computed values say what they are.
///
/// Free of the rule: initialisers and stored properties of a type whose own comment explains it,
/// operators, overrides, and what fulfils a protocol that has the comment: a member of an extension
/// that names a protocol, or of a well-known name. Overloads share the comment of the first.
enum DocComments {
  private static let required = [
    "struct", "class", "enum", "protocol", "actor", "func", "subscript", "typealias",
  ]
  private static let modifiers = [
    "final", "indirect", "static", "mutating", "borrowing", "consuming", "nonisolated", "weak",
    "lazy", "unowned", "convenience", "required",
  ]
  private static let conformances = ["hash", "encode", "next", "receive", "handle"]

  static func check(_ file: SourceFile) -> [Violation] {
    guard file.path.hasPrefix("Sources/") else { return [] }
    var isConformance = false
    var explained: [String] = []
    return file.code.enumerated().compactMap { index, line in
      if let first = line.first, first != " " {
        let isHead = line.contains("extension ") && line.prefix { $0 != "{" }.contains(": ")
        if line.hasPrefix("}") || line.contains("{") { isConformance = isHead }
      }
      guard !isConformance, let name = publicName(line) else { return nil }
      var above = index - 1
      while above >= 0, isAttribute(file.lines[above]) { above -= 1 }
      let comment = above >= 0 ? file.lines[above].drop { $0 == " " } : ""
      if comment.hasPrefix("///") { explained.append(name) }
      if explained.contains(name) { return nil }
      return file.violation(index + 1, "public \(name) has no doc comment")
    }
  }

  /// What is declared, as `func name`, when the rule asks for a comment.
  private static func publicName(_ line: String) -> String? {
    var words = line.split(whereSeparator: { " (:{".contains($0) })[...]
    while let word = words.first, word.hasPrefix("@") { words = words.dropFirst() }
    guard words.popFirst() == "public" else { return nil }
    while let word = words.first, modifiers.contains(String(word)) { words = words.dropFirst() }
    guard let kind = words.first, required.contains(String(kind)) else { return nil }
    let name = String(words.dropFirst().first ?? "")
    let isOperator = name.first.map { !$0.isLetter && $0 != "_" && $0 != "`" } ?? true
    if kind == "func" && (isOperator || conformances.contains(name)) { return nil }
    return "\(kind) \(name)"
  }

  private static func isAttribute(_ line: Substring) -> Bool {
    let line = line.drop { $0 == " " }
    return line.hasPrefix("@")
  }
}

@Suite struct DocCommentsTests {
  @Test func publicDeclarationsSayWhatTheyAre() {
    expectNone(Repository.sources.flatMap(DocComments.check))
  }

  @Test(arguments: [
    "public struct A {", "public final class A {", "public indirect enum A {",
    "public protocol A {",
    "public func f() {", "  public static func f() {", "@inlinable public mutating func f() {",
    "public subscript(a: Int) -> Int {", "  @discardableResult\n  public func f() {",
  ])
  func anUndocumentedDeclarationFires(text: String) {
    #expect(DocComments.check(planted("\n" + text)).count == 1)
    #expect(DocComments.check(planted("/// What it is.\n" + text)).isEmpty)
    #expect(DocComments.check(planted("// Not a doc comment.\n" + text)).count == 1)
  }

  @Test func anExtensionWithoutProtocolFires() {
    let text = "extension A: B {\n  public func f() {}\n}\nextension C {\n  public func g() {}\n}"
    #expect(DocComments.check(planted(text)).map(\.line) == [5])
  }

  @Test(arguments: [
    "struct A {", "public var a: Int", "public init() {}", "public static func == (a: A, b: A) {",
    "public override func f() {", "public static func < (a: A, b: A) -> Bool {",
    "extension A: B {\n  public func f() {", "let text = \"public func f()\"",
    "public func hash(into: H) {",
  ])
  func whatNeedsNoneIsNoAlarm(text: String) {
    #expect(DocComments.check(planted(text)).isEmpty)
  }
}
