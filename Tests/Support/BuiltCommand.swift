import Foundation

/// The built command, run as a person runs it.
public struct BuiltCommand {
  /// What one call came to.
  public struct Outcome {
    public var code: Int32
    /// Standard output.
    public var output: String
    /// Standard error.
    public var errors: String

    public var lines: [String] {
      output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
  }

  /// Where it lies: the one named by SIMLAB_BINARY, else the one built beside the tests.
  public static let path: String = {
    if let named = ProcessInfo.processInfo.environment["SIMLAB_BINARY"] { return named }
    let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    let folder = URL(fileURLWithPath: tests).deletingLastPathComponent()
    return folder.appendingPathComponent("simlab").path
  }()

  /// Starts a call and leaves it running.
  /// - Returns: the process, and what waits for its end.
  public static func start(
    _ arguments: [String], input: String = "", folder: String? = nil,
    environment: [String: String] = [:]
  ) throws -> (process: Process, finish: () -> Outcome) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
    // Files, not pipes: whatever a child writes, it never waits for its reader.
    let scratch = TemporaryFolder()
    let output = try scratch.emptyFile("output")
    let errors = try scratch.emptyFile("errors")
    process.standardInput = try FileHandle(
      forReadingFrom: URL(fileURLWithPath: scratch.write(input, as: "input")))
    process.standardOutput = FileHandle(forWritingAtPath: output)
    process.standardError = FileHandle(forWritingAtPath: errors)
    try process.run()
    return (
      process,
      {
        process.waitUntilExit()
        return Outcome(
          code: process.terminationStatus, output: scratch.text("output"),
          errors: scratch.text("errors"))
      }
    )
  }

  /// Runs a call to its end.
  public static func run(
    _ arguments: String..., input: String = "", folder: String? = nil,
    environment: [String: String] = [:]
  ) throws -> Outcome {
    try start(arguments, input: input, folder: folder, environment: environment).finish()
  }

  /// Runs a call and presses Ctrl-C as soon as it has written a line.
  public static func runInterrupted(_ arguments: String...) throws -> Outcome {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    var output = Data()
    while !output.contains(UInt8(ascii: "\n")) {
      let part = pipe.fileHandleForReading.availableData
      if part.isEmpty { break }
      output += part
    }
    process.interrupt()
    output += pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Outcome(
      code: process.terminationStatus, output: String(decoding: output, as: UTF8.self), errors: "")
  }
}
