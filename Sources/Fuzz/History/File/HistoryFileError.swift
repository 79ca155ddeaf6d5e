/// Why bytes are no history that can be judged: one sentence with the line and the mend.
public enum HistoryFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The first line is not the header of a history.
  case notAHistory
  /// The history was written by a newer format.
  case futureVersion(Int)
  /// A line, counted from 1, cannot be read.
  case damaged(line: Int, what: String)
  /// The file ends before the line that closes it.
  case cutInHalf(lines: Int)
  /// The closing line counts other records than there are.
  case recordsMissing(line: Int, expected: Int, found: Int)

  public var description: String {
    switch self {
    case .notAHistory:
      return "line 1 is not the header of a history; give a file written by "
        + "`simlab run --history FILE`"
    case .futureVersion(let version):
      return "line 1 names history format \(version), this build reads up to "
        + "\(HistoryHeader.currentVersion); judge it with the build that wrote it"
    case .damaged(let line, let what):
      return "line \(line) is damaged: \(what); write the history again with "
        + "`simlab run --history FILE`"
    case .cutInHalf(let lines):
      return "the history is cut off after line \(lines), its closing line is missing; "
        + "write it again with `simlab run --history FILE`"
    case .recordsMissing(let line, let expected, let found):
      return "line \(line) closes a history of \(expected) records, but \(found) stand before it; "
        + "write it again with `simlab run --history FILE`"
    }
  }
}
