import FuzzHistory
import SimKernel

/// Steps of the file system that follow one another, told as one line.
struct DiskGroup {
  /// Steps of one kind on one file.
  private struct Part {
    var operation: DiskOperation
    var path: String
    var target: String
    var times: Int
    var bytes: Int
  }

  /// How many parts one line names before it only counts.
  private static let mostParts = 5

  private(set) var instant: Instant = .start
  private(set) var process: Int32 = -1
  private var parts: [Part] = []
  private var queue: UInt16 = 0

  var isEmpty: Bool { parts.isEmpty }

  mutating func begin(_ record: Record) {
    instant = record.instant
    process = record.process
  }

  mutating func add(
    _ operation: DiskOperation, queue: UInt16, path: String, target: String, bytes: Int
  ) {
    self.queue = queue
    if let last = parts.indices.last, parts[last].operation == operation,
      parts[last].path == path, parts[last].target == target
    {
      parts[last].times += 1
      parts[last].bytes += bytes
    } else {
      parts.append(
        Part(operation: operation, path: path, target: target, times: 1, bytes: bytes))
    }
  }

  /// The line; nil when nothing was gathered.
  var text: String? {
    if parts.isEmpty { return nil }
    var words = parts.prefix(DiskGroup.mostParts).map { DiskGroup.words($0) }
    let rest = parts.dropFirst(DiskGroup.mostParts).reduce(0) { $0 + $1.times }
    if rest > 0 { words.append("\(rest) more steps") }
    return "disk: " + words.joined(separator: ", ") + (queue == 0 ? " on the main thread" : "")
  }

  private static func words(_ part: Part) -> String {
    var text = FactWords.operation(part.operation) + " " + part.path
    if !part.target.isEmpty { text += " to " + part.target }
    if part.times > 1 { text += " \(part.times)×" }
    if part.bytes > 0 { text += " (\(part.bytes) bytes)" }
    return text
  }
}
