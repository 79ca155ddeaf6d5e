import Foundation
import FuzzScenario

/// The inside of a worker process: reads work, runs it, writes a line for each piece.
public struct Worker {
  private let write: (String) -> Void

  /// - Parameter write: takes each line.
  public init(write: @escaping (String) -> Void) { self.write = write }

  /// Works until there is no more work.
  public func run() {
    while let line = readLine(strippingNewline: true) {
      let text = line.trimmingCharacters(in: .whitespaces)
      if text.isEmpty { continue }
      do {
        write(CompletedRun(running: try scenario(text)).report.json.line)
      } catch {
        write(WorkerLine.error("\(error)"))
      }
    }
  }

  /// A line is a seed, perhaps with its profile, or a scenario.
  private func scenario(_ line: String) throws -> Scenario {
    if line.hasPrefix("{") { return try Scenario(fileText: line) }
    let words = line.split(separator: " ").map(String.init)
    let profile = words.count > 1 ? words[1] : "default"
    guard let seed = UInt64(words[0]), seed <= Scenario.largestSeed, words.count <= 2,
      ScenarioSource.profileNames.contains(profile)
    else { throw LabError("'\(line)' is no seed with a profile") }
    return ScenarioSource.generate(seed: seed, profile: profile)
  }
}
