import Foundation
import FuzzHistory

/// A known defect as data: what to change in the sources so that the lab must find something.
///
/// Planted defects lie in `Tests/Planted/<area>/*.json`, one object or an array of them in a file:
///
/// ```
/// { "id": "trn-removal-forgotten", "area": "TRN", "requirement": "TRN-13",
///   "sentence": "A delivered batch stays in the queue.",
///   "file": "Sources/SDK/Transport/Queue.swift", "kind": "statement",
///   "anchor": "remove(batch)", "replacement": "_ = batch",
///   "invariants": ["INV-07"], "world": ["default", "server"] }
/// ```
///
/// The anchor stands exactly once in its file. A `part` of it, where there is one, is all that is
/// replaced; the rest says where that is.
public struct PlantedDefect: Hashable, Sendable {
  /// How a defect gets into a build.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Whole statements: planted together with others, behind a switch, in one build.
    case statement
    /// An expression: planted like a statement.
    case expression
    /// Anything else: planted alone, in a build of its own.
    case declaration

    /// Whether it is planted behind a switch.
    var isSwitched: Bool { self != .declaration }
  }

  public var id: String
  public var area: String
  /// What is wrong, in one sentence.
  public var sentence: String
  public var requirement: String
  /// The source file, from the root of the package.
  public var file: String
  public var kind: Kind
  /// Text that stands exactly once in the file.
  public var anchor: String
  /// What of the anchor is replaced; it stands there exactly once.
  public var part: String
  /// What stands there instead.
  public var replacement: String
  /// The invariants that should fire on it; the first thing that any finds will do if none is
  /// named.
  public var invariants: [String]
  /// The profiles in which it can show; empty is those of the command.
  public var profiles: [String]
  /// Stored scenarios that must catch it, from the root of the package; they run before any seed.
  public var scenarios: [String]
  /// A filter for the tests of the SDK that must fail on it, in place of any seed; nil where the
  /// lab must find it.
  public var test: String?
  /// Whether it shows only when a seed is run twice, in two processes.
  public var isRunTwice: Bool
  /// Where it was read from.
  public var source: String

  /// All planted defects of a package, by area and id.
  /// - Throws: `InputError` naming file, defect and mend.
  public static func all(in root: String) throws -> [PlantedDefect] {
    let folder = root + "/Tests/Planted"
    guard let walker = FileManager.default.enumerator(atPath: folder) else { return [] }
    var files: [String] = []
    while let path = walker.nextObject() as? String {
      if path.hasSuffix(".json") { files.append(path) }
    }
    var defects: [PlantedDefect] = []
    for file in files.sorted() { defects += try read("Tests/Planted/" + file, in: root) }
    for (index, defect) in defects.enumerated() {
      guard let twin = defects[..<index].first(where: { $0.id == defect.id }) else { continue }
      throw InputError(
        file: defect.source, place: "defect \(defect.id)",
        problem: "has the id of a defect in \(twin.source)", mend: "give it an id of its own")
    }
    return defects.sorted { ($0.area, $0.id) < ($1.area, $1.id) }
  }

  private static func read(_ file: String, in root: String) throws -> [PlantedDefect] {
    let bytes = try InputFile.read(root + "/" + file)
    let json: JSONValue
    do { json = try JSONValue.parse(bytes) } catch {
      throw InputError(
        file: file, problem: "is no JSON (\(error))",
        mend: "correct it; see 'simlab defects --help'")
    }
    return try (json.array ?? [json]).enumerated().map { index, object in
      try PlantedDefect(DefectFields(object, file: file, index: index))
    }
  }

  private init(_ fields: DefectFields) throws {
    try fields.checkNames()
    id = try fields.text("id")
    area = try fields.text("area")
    sentence = try fields.text("sentence")
    requirement = try fields.text("requirement")
    file = try fields.text("file")
    kind = try fields.kind()
    anchor = try fields.text("anchor")
    part = try fields.optionalText("part") ?? anchor
    replacement = try fields.text("replacement", mayBeEmpty: true)
    profiles = try fields.texts("world")
    scenarios = try fields.texts("scenarios")
    invariants = try fields.texts("invariants")
    isRunTwice = try fields.flag("twice")
    test = try fields.optionalText("test")
    source = fields.file
    for profile in profiles where !ScenarioSource.profileNames.contains(profile) {
      throw fields.error("world: there is no profile '\(profile)'", mend: "name one that there is")
    }
    for invariant in invariants where !invariant.hasPrefix("INV-") {
      throw fields.error(
        "invariants: '\(invariant)' is no id", mend: "see 'simlab list invariants'")
    }
  }
}

/// The members of one defect's object.
private struct DefectFields {
  let object: JSONValue
  let file: String
  let place: String

  private static let names = [
    "id", "area", "sentence", "requirement", "file", "kind", "anchor", "part", "replacement",
    "invariants", "world", "scenarios", "twice", "test",
  ]

  init(_ object: JSONValue, file: String, index: Int) {
    self.object = object
    self.file = file
    place = "defect " + (object["id"]?.string ?? "\(index + 1)")
  }

  func checkNames() throws {
    guard let entries = object.object else {
      throw error("is no object", mend: "write one object a defect")
    }
    for entry in entries where !DefectFields.names.contains(entry.key) {
      throw error("has an unknown key '\(entry.key)'", mend: "take it out")
    }
  }

  /// A text, or lines of text as an array.
  func text(_ name: String, mayBeEmpty: Bool = false) throws -> String {
    let lines = object[name]?.array?.compactMap(\.string).joined(separator: "\n")
    guard let text = object[name]?.string ?? lines, mayBeEmpty || !text.isEmpty else {
      throw error("has no '\(name)'", mend: "add it as text")
    }
    return text
  }

  func optionalText(_ name: String) throws -> String? {
    object[name] == nil ? nil : try text(name)
  }

  func flag(_ name: String) throws -> Bool {
    guard let value = object[name] else { return false }
    guard let flag = value.bool else { throw error("'\(name)' is no flag", mend: "write true") }
    return flag
  }

  /// A list of texts; one text is a list of one.
  func texts(_ name: String) throws -> [String] {
    guard let value = object[name] else { return [] }
    if let text = value.string { return [text] }
    guard let texts = value.array?.compactMap(\.string), texts.count == value.array?.count else {
      throw error("'\(name)' is no list of texts", mend: "write it as [\"…\"]")
    }
    return texts
  }

  func kind() throws -> PlantedDefect.Kind {
    let text = try text("kind")
    guard let kind = PlantedDefect.Kind(rawValue: text) else {
      throw error(
        "kind is '\(text)'", mend: "write \"statement\", \"expression\" or \"declaration\"")
    }
    return kind
  }

  func error(_ problem: String, mend: String) -> InputError {
    InputError(file: file, place: place, problem: problem, mend: mend)
  }
}
