import Foundation
import FuzzHistory

/// The folder of a campaign: `results.jsonl`, a line a run and the summary last. The file grows
/// while the campaign runs; without its summary it is an incomplete one.
public final class CampaignFolder {
  public let path: String
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var lastFlush = ProcessClock.nanoseconds()

  /// Makes the folder and begins its results.
  /// - Throws: `InputError` when it cannot be made.
  public init(_ path: String) throws {
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    try? FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true)
    let file = self.path + "/results.jsonl"
    descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    if descriptor < 0 {
      throw InputError(
        file: file, problem: "cannot be written (\(String(cString: strerror(errno))))",
        mend: "give --out a folder that you may write to")
    }
  }

  deinit { close(descriptor) }

  /// Adds the line of a run.
  public func add(_ line: String) throws {
    buffer.append(contentsOf: line.utf8)
    buffer.append(UInt8(ascii: "\n"))
    if buffer.count > 1 << 15 || ProcessClock.secondsSince(lastFlush) > 0.5 { try flush() }
  }

  /// Adds the summary.
  public func finish(_ line: String) throws {
    try add(line)
    try flush()
  }

  /// The summary of a finished campaign.
  /// - Throws: `InputError` when there is none.
  static func summary(of folder: String) throws -> JSONValue {
    let file = (folder.hasSuffix("/") ? folder : folder + "/") + "results.jsonl"
    let bytes = try InputFile.read(file)
    let last = bytes.split(separator: UInt8(ascii: "\n")).last ?? []
    guard let summary = try? JSONValue.parse(last), summary["summary"]?.bool == true else {
      throw InputError(
        file: file, place: "last line", problem: "is no summary: the campaign did not end",
        mend: "run it again, or name the folder of one that ended")
    }
    return summary
  }

  private func flush() throws {
    var offset = 0
    while offset < buffer.count {
      let count = buffer.withUnsafeBytes {
        write(descriptor, $0.baseAddress! + offset, buffer.count - offset)
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw LabError("results.jsonl cannot be written: \(String(cString: strerror(errno)))")
      }
      offset += count
    }
    buffer.removeAll(keepingCapacity: true)
    lastFlush = ProcessClock.nanoseconds()
  }
}
