import Foundation

/// Runs tests of the SDK in the planted copy, for what no run of a device can show: the face that
/// an app compiles against, two clients in one process, the log.
struct TestRun {
  let copy: PlantedCopy

  private var scratch: String { copy.folder + "/.build-tests" }

  /// Builds the tests with what is planted.
  /// - Returns: the first error; nil where they build.
  func build(tick: () -> Void) throws -> String? {
    let outcome = try ChildRun.run(
      "swift",
      ["build", "--build-tests", "--package-path", copy.folder, "--scratch-path", scratch],
      tick: tick)
    guard outcome.signal != nil || outcome.code != 0 else { return nil }
    let words = outcome.output.map { String(decoding: $0, as: UTF8.self) } + [outcome.words]
    let error = words.flatMap { $0.split(separator: "\n") }.first { $0.contains("error:") }
    return error.map { String($0) } ?? "no reason was given"
  }

  /// Whether the tests that a filter names pass.
  /// - Parameter environment: the switch of a defect; without one nothing is planted.
  func passes(
    _ filter: String, _ environment: [(name: String, value: String)], tick: () -> Void
  ) throws -> Bool {
    let outcome = try ChildRun.run(
      "swift",
      [
        "test", "--skip-build", "--disable-xctest", "--package-path", copy.folder,
        "--scratch-path", scratch, "--filter", filter,
      ], environment: environment, tick: tick)
    return outcome.signal == nil && outcome.code == 0
  }
}
