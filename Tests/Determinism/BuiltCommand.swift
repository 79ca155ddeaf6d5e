import Foundation

/// The built command, where the continuous integration hands it over by SIMLAB_BINARY.
struct BuiltCommand {
  var path: String

  static let given: BuiltCommand? =
    ProcessInfo.processInfo.environment["SIMLAB_BINARY"].map { BuiltCommand(path: $0) }

  /// Runs the command in a process of its own, with hash tables seeded as in any process.
  func run(_ arguments: [String]) throws -> (code: Int32, text: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment
      .filter { $0.key != "SWIFT_DETERMINISTIC_HASHING" }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }
}
