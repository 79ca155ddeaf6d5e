import CommandSupport
import Testing

@testable import Fuzz

@Suite struct PlantedDefectTests {
  private static let whole = """
    { "id": "b", "area": "TRN", "sentence": "s", "requirement": "TRN-01", "file": "Sources/A.swift",
      "kind": "statement", "anchor": ["one", "two"], "replacement": "", "world": "disk",
      "scenarios": ["seeds/x.json"] }
    """

  private func read(_ text: String) throws -> [PlantedDefect] {
    let folder = TemporaryFolder()
    try folder.write(text, as: "Tests/Planted/TRN/a.json")
    return try PlantedDefect.all(in: folder.path)
  }

  @Test func linesBecomeText() throws {
    let defect = try #require(try read(Self.whole).first)
    #expect(defect.anchor == "one\ntwo")
    #expect(defect.replacement.isEmpty)
    #expect(defect.profiles == ["disk"])
    #expect(defect.scenarios == ["seeds/x.json"])
    #expect(defect.source == "Tests/Planted/TRN/a.json")
  }

  @Test func theySortByAreaAndId() throws {
    let folder = TemporaryFolder()
    let other = Self.whole.replacing("\"b\"", with: "\"a\"")
    try folder.write("[\(Self.whole), \(other)]", as: "Tests/Planted/TRN/z.json")
    try folder.write(
      other.replacing("TRN", with: "API").replacing("\"a\"", with: "\"c\""),
      as: "Tests/Planted/API/a.json")
    #expect(try PlantedDefect.all(in: folder.path).map(\.id) == ["c", "a", "b"])
    #expect(try PlantedDefect.all(in: TemporaryFolder().path).isEmpty)
  }

  @Test(arguments: [
    ("\"anchor\": [\"one\", \"two\"], ", "", "no 'anchor'"),
    ("\"statement\"", "\"word\"", "kind is 'word'"),
    ("\"kind\"", "\"kinds\"", "unknown key 'kinds'"),
    ("\"disk\"", "\"disc\"", "no profile 'disc'"),
    ("\"id\": \"b\", ", "\"id\": \"\", ", "no 'id'"),
    ("}", "", "no JSON"),
  ])
  func whatIsWrongIsNamed(part: String, with replacement: String, words: String) {
    let error = #expect(throws: InputError.self) {
      try read(Self.whole.replacing(part, with: replacement))
    }
    let text = error?.description ?? ""
    #expect(text.hasPrefix("Tests/Planted/TRN/a.json"), "\(text)")
    #expect(text.contains(words), "\(text)")
  }

  @Test func anIdIsGivenOnce() {
    let error = #expect(throws: InputError.self) { try read("[\(Self.whole), \(Self.whole)]") }
    #expect(error?.description.contains("defect b") == true)
  }
}
