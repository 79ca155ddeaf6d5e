import FuzzHistory

/// The lines that workers write.
enum WorkerLine {
  /// The report in a line.
  /// - Throws: `LabError` when the worker says that it cannot do what it was asked.
  static func report(in line: [UInt8]) throws -> RunReport {
    guard let json = try? JSONValue.parse(line) else {
      throw LabError("a worker wrote no JSON: \(String(decoding: line.prefix(200), as: UTF8.self))")
    }
    if let error = json["error"]?.string { throw LabError("a worker says: \(error)") }
    guard let report = RunReport(json: json) else {
      throw LabError(
        "a worker wrote no report: \(String(decoding: line.prefix(200), as: UTF8.self))")
    }
    return report
  }

  static func error(_ message: String) -> String {
    JSONValue.object([JSONEntry("error", .string(message))]).line
  }
}
