import Foundation

/// Text that was read by a person once and must not change unseen.
///
/// Expected texts are files beside the tests. With SIMLAB_REWRITE_SNAPSHOTS=1 they are rewritten;
/// the change then shows in the diff of the commit.
public struct Snapshot {
  /// The first line in which two texts differ.
  public struct Difference: CustomStringConvertible {
    public var description: String
  }

  private let file: String

  /// - Parameters:
  ///   - name: the file without its ending.
  ///   - folder: the folder of the expected texts.
  public init(_ name: String, in folder: String) { file = "\(folder)/\(name).txt" }

  /// Compares a text with the expected one, or rewrites that.
  /// - Returns: nothing if they are equal.
  public func difference(from text: String) throws -> Difference? {
    if ProcessInfo.processInfo.environment["SIMLAB_REWRITE_SNAPSHOTS"] == "1" {
      try Data(text.utf8).write(to: URL(fileURLWithPath: file))
      return nil
    }
    guard let data = FileManager.default.contents(atPath: file) else {
      return Difference(description: "\(file) is missing; SIMLAB_REWRITE_SNAPSHOTS=1 writes it")
    }
    let expected = Snapshot.lines(String(decoding: data, as: UTF8.self))
    let found = Snapshot.lines(text)
    for index in 0..<max(expected.count, found.count) {
      let left = index < expected.count ? expected[index] : "(end)"
      let right = index < found.count ? found[index] : "(end)"
      if left != right {
        return Difference(
          description: "\(file), line \(index + 1)\n  expected: \(left)\n  found:    \(right)")
      }
    }
    return nil
  }

  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}
