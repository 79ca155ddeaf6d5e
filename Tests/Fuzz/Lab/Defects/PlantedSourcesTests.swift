import CommandSupport
import Testing

@testable import Fuzz

@Suite struct PlantedSourcesTests {
  private let text = """
    func a() -> Int {
      step(1)
      step(2)
      return 3
    }

    """

  private func defect(
    _ id: String, _ anchor: String, _ replacement: String = "step(9)",
    kind: PlantedDefect.Kind = .statement, part: String? = nil
  ) throws -> PlantedDefect {
    let folder = TemporaryFolder()
    try folder.write(
      """
      { "id": "\(id)", "area": "TRN", "sentence": "s", "requirement": "TRN-01",
        "file": "Sources/A.swift", "kind": "\(kind.rawValue)", "anchor": "\(anchor)",
        \(part.map { "\"part\": \"\($0)\"," } ?? "") "replacement": "\(replacement)" }
      """, as: "Tests/Planted/TRN/a.json")
    return try PlantedDefect.all(in: folder.path)[0]
  }

  private func plant(_ defects: PlantedDefect..., declaration: PlantedDefect? = nil) throws
    -> PlantedSources.File
  {
    try PlantedSources.plant(
      defects.enumerated().map { ($0.offset + 1, $0.element) }, declaration: declaration,
      in: "Sources/A.swift", text: text)
  }

  @Test func aStatementStandsBehindASwitch() throws {
    let planted = try plant(defect("one", "step(2)"))
    #expect(
      planted.text == """
        func a() -> Int {
          step(1)
          if plantedDefect == 1 {
        step(9)
        } else {
        step(2)
        }
          return 3
        }

        """)
  }

  @Test func severalStandInOneFile() throws {
    let planted = try plant(defect("two", "return 3", "return 4"), defect("one", "step(1)"))
    #expect(planted.text.contains("if plantedDefect == 1 {\nreturn 4\n} else {\nreturn 3\n}"))
    #expect(planted.text.contains("if plantedDefect == 2 {\nstep(9)\n} else {\nstep(1)\n}"))
  }

  @Test func twoMayReplaceTheSameStatement() throws {
    let planted = try plant(defect("one", "step(1)", "a()"), defect("two", "step(1)", "b()"))
    #expect(
      planted.text.contains(
        "if plantedDefect == 1 {\na()\n} else if plantedDefect == 2 {\nb()\n} else {\nstep(1)\n}"))
  }

  @Test func anExpressionIsChosenWhereItStands() throws {
    let planted = try plant(
      defect("one", "3", "4", kind: .expression), defect("two", "3", "5", kind: .expression))
    let line = planted.text.split(separator: "\n").drop { !$0.contains("return") }.joined()
    #expect(line == "  return (plantedDefect == 1? (4): (plantedDefect == 2? (5): (3)))}")
  }

  @Test func onlyThePartOfAnAnchorIsReplaced() throws {
    let planted = try plant(defect("one", "step(2)\\n  return 3", "return 4", part: "return 3"))
    #expect(planted.text.contains("  step(2)\n  if plantedDefect == 1 {\nreturn 4\n} else {"))
    let wrong = try defect("wrong", "step(2)", part: "step(1)")
    let error = #expect(throws: InputError.self) { try plant(wrong) }
    #expect(error?.description.contains("its part does not stand in its anchor") == true)
  }

  @Test func aStatementAndAnExpressionCannotShareAnAnchor() throws {
    let statement = try defect("left", "step(1)")
    let expression = try defect("right", "step(1)", kind: .expression)
    #expect(throws: InputError.self) { try plant(statement, expression) }
  }

  @Test func aDeclarationSimplyStandsThere() throws {
    let whole = try defect(
      "all", "func a() -> Int {", "func a() -> Double {", kind: .declaration)
    let planted = try plant(defect("one", "step(1)"), declaration: whole)
    #expect(planted.text.hasPrefix("func a() -> Double {\n  if plantedDefect == 1 {"))
  }

  @Test func aSwitchInsideAReplacedDeclarationGoesWithIt() throws {
    let whole = try defect(
      "all", "  step(1)\\n  step(2)", "  step(7)", kind: .declaration)
    let planted = try plant(defect("one", "step(1)"), declaration: whole)
    #expect(planted.text.contains("{\n  step(7)\n  return 3"))
    #expect(!planted.text.contains("plantedDefect"))
  }

  @Test func everyPlantedLineKnowsItsDefect() throws {
    let planted = try plant(defect("one", "step(2)"))
    let lines = planted.text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(planted.authors.count == lines.count)
    for (line, author) in zip(lines, planted.authors) {
      let isPlanted = line.contains("step(9)") || line.contains("plantedDefect")
      if isPlanted { #expect(author == "one", "\(line)") }
      if line.contains("step(1)") { #expect(author == nil) }
    }
  }

  @Test(arguments: [
    ("step(4)", "its anchor does not stand in"), ("step(", "stands more than once"),
  ])
  func anAnchorStandsExactlyOnce(anchor: String, problem: String) throws {
    let wrong = try defect("wrong", anchor)
    let error = #expect(throws: InputError.self) { try plant(wrong) }
    let words = error?.description ?? ""
    #expect(words.contains("defect wrong") && words.contains(problem), "\(words)")
    #expect(words.contains("Sources/A.swift"))
  }

  @Test func anAnchorThatOverlapsItselfIsDouble() throws {
    let twice = try PlantedSources.plant([], in: "a", text: "aaa").text
    #expect(twice == "aaa")
    let wrong = try defect("wrong", "aa")
    #expect(throws: InputError.self) {
      try PlantedSources.plant([(1, wrong)], in: "a", text: "aaa")
    }
  }

  @Test func overlappingAnchorsAreRefused() throws {
    let left = try defect("left", "step(1)\\n  step(2)")
    let right = try defect("right", "step(2)\\n  return 3")
    let error = #expect(throws: InputError.self) { try plant(left, right) }
    let words = error?.description ?? ""
    #expect(words.contains("left") && words.contains("right"), "\(words)")
  }
}
