import Foundation
import Fuzz
import FuzzScenario
import SimKernel
import Testing

/// The lab notices lost determinism and says where: the proof that the equalities elsewhere in this
/// folder could fail.
@Suite struct PlantedDivergenceTests {
  /// Runs one relay after another until its order differs from the first one's. Two tables agree by
  /// chance now and then; forty in a row do not.
  private func divergentRuns(_ watch: (Int) throws -> (any TraceSink)?) rethrows -> Bool {
    var relays = [UnorderedRelay(isOrdered: false, sink: try watch(0))]
    let first = UnorderedRelay.run(relays[0])
    for attempt in 1...40 {
      relays.append(UnorderedRelay(isOrdered: false, sink: try watch(attempt)))
      if UnorderedRelay.run(relays[attempt]) != first { return true }
    }
    return false
  }

  @Test func anUnorderedWalkChangesTheHash() {
    #expect(divergentRuns { _ in nil })
    let ordered = (0..<40).map { _ in UnorderedRelay(isOrdered: true) }
    #expect(Set(ordered.map(UnorderedRelay.run)).count == 1)
  }

  @Test func theFirstDivergentEventIsNamed() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("divergence-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func path(_ attempt: Int) -> String { folder.appendingPathComponent("\(attempt)").path }

    var last = 0
    var files: [TraceFile] = []
    let isDivergent = try divergentRuns { attempt in
      last = attempt
      try files.last?.finish()
      files.append(try TraceFile(path: path(attempt), scenario: Scenario()))
      return files[attempt].sink
    }
    try files.last?.finish()
    try #require(isDivergent)

    let difference = try #require(try TraceDiff.between(path(0), path(last)))
    let left = try #require(difference.left.first)
    let right = try #require(difference.right.first)
    // The first entry is the round, the same in both; somewhere among those told in that round the
    // two sides name different subscribers at the same instant.
    #expect(
      difference.common.allSatisfy { $0.json["n"]?.integer ?? 0 < left.json["n"]?.integer ?? 0 })
    #expect(!difference.common.isEmpty)
    #expect(left.json["n"] == right.json["n"])
    #expect(left.json["t"] == right.json["t"])
    #expect(left.json["actor"] != right.json["actor"])
    let ordinal = try #require(left.json["n"]?.integer)
    #expect((1...48).contains(ordinal))
    let text = difference.lines(leftName: "first", rightName: "second").joined(separator: "\n")
    #expect(text.hasPrefix("first difference at entry \(ordinal)"))
    #expect(text.contains("  > \(left.text)"))
    #expect(text.contains("  > \(right.text)"))
    try expectTheCommandSaysSo(path(0), path(last), ordinal: ordinal)
  }

  /// `simlab diff` says the same of the two files.
  private func expectTheCommandSaysSo(_ left: String, _ right: String, ordinal: Int64) throws {
    guard let command = BuiltCommand.given else { return }
    let output = try command.run(["diff", left, right])
    #expect(output.code != 0)
    #expect(output.text.contains("first difference at entry \(ordinal)"))
  }
}
