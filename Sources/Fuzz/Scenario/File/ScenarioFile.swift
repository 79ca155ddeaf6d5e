import FuzzHistory
import SimKernel

/// Why a text is no scenario: one line that says where, what, and how to mend it.
public struct ScenarioFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The place as a path such as `actions[3].properties.price`; `file` for the text as a whole.
  public var path: String
  public var problem: String
  public var mend: String

  public init(path: String, problem: String, mend: String) {
    self.path = path
    self.problem = problem
    self.mend = mend
  }

  public var description: String { "\(path): \(problem); \(mend)" }
}

extension Scenario {
  /// Reads a scenario file.
  /// - Throws: the first thing that is wrong: no JSON, a newer version, an unknown or doubled key,
  ///   a wrong type, a value out of its range.
  public init(fileBytes bytes: [UInt8]) throws(ScenarioFileError) {
    let document: JSONValue
    do throws(JSONError) {
      document = try JSONValue.parse(bytes)
    } catch {
      throw Scenario.notJSON(error, bytes)
    }
    var fields = try FieldReader(document, Place.root, "a scenario")
    try Scenario.checkVersion(&fields)
    self = try Scenario.read(&fields)
  }

  /// Reads the text of a scenario file.
  public init(fileText text: String) throws(ScenarioFileError) {
    try self.init(fileBytes: Array(text.utf8))
  }

  /// The scenario as the text of a file: defaults are left out, one line an action.
  public var fileText: String {
    var layout = FileLayout()
    layout.write(fileValue)
    return String(decoding: layout.bytes, as: UTF8.self)
  }

  /// A hash of all that the scenario says, its words included (S-105).
  public var contentHash: UInt64 {
    var text = fileText
    var hash = TraceHash()
    text.withUTF8 { hash.combine(bytes: UnsafeRawBufferPointer($0)) }
    return hash.value
  }

  private static func notJSON(_ error: JSONError, _ bytes: [UInt8]) -> ScenarioFileError {
    let before = bytes.prefix(error.offset)
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    let column = before.reversed().prefix { $0 != UInt8(ascii: "\n") }.count + 1
    return ScenarioFileError(
      path: "file", problem: "no JSON: \(error.kind.rawValue), at line \(line), column \(column)",
      mend: "mend the text there")
  }

  private static func checkVersion(_ fields: inout FieldReader) throws(ScenarioFileError) {
    let newest = Scenario.currentVersion
    guard let version = try fields.optional("version", .integer(in: 0...Int64.max)) else {
      throw ScenarioFileError(
        path: "version", problem: "missing", mend: "write \"version\": \(newest)")
    }
    if version > newest {
      throw ScenarioFileError(
        path: "version", problem: "\(version) is newer than \(newest), the newest known here",
        mend: "read it with the simlab that wrote it")
    }
    if version < 1 {
      throw ScenarioFileError(
        path: "version", problem: "there never was a version \(version)",
        mend: "write \"version\": \(newest)")
    }
  }
}
