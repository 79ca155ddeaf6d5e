import Foundation
import FuzzHistory
import SimKernel

/// The first entry in which two traces differ, with what stood before and after it.
public struct TraceDiff {
  /// One entry as a trace file holds it.
  public struct Entry {
    /// The line of the file.
    public var json: JSONValue

    var ordinal: Int64 { json["n"]?.integer ?? 0 }

    /// The entry in columns: ordinal, seconds, actor, kind, detail, bytes.
    public var text: String {
      let seconds = Figures.seconds(TimeSpan(nanoseconds: json["t"]?.integer ?? 0))
      let kind = kindName
      let number = UInt32(truncatingIfNeeded: json["actor"]?.integer ?? 0)
      let actor = TraceWords.actor(number, isFact: TraceWords.isFact(kind))
      var text = "\(ordinal)  \(seconds) s  \(actor)  \(kind)  \(detail)"
      if let bytes = json["bytes"]?.integer {
        text += "  \(bytes) bytes, hash \(json["hash"]?.string ?? "")"
      }
      return text
    }

    var kindName: String { json["kind"]?.string ?? "kind \(json["kind"]?.integer ?? 0)" }

    private var detail: String {
      switch json["detail"] {
      case .int(let number): return String(number)
      case .unsigned(let number): return String(number)
      default: return ""
      }
    }
  }

  /// What one side holds from the difference on; empty where its trace had ended.
  public var left: [Entry]
  public var right: [Entry]
  /// The last entries that both have.
  public var common: [Entry]

  /// Compares two trace files.
  /// - Parameter context: how many entries are shown before the difference.
  /// - Returns: nothing if both hold the same entries.
  /// - Throws: `InputError` where a file is no trace.
  public static func between(_ left: String, _ right: String, context: Int = 8) throws
    -> TraceDiff?
  {
    let left = try TraceLines(path: left)
    let right = try TraceLines(path: right)
    guard let difference = left.firstDifference(from: right) else { return nil }
    return TraceDiff(
      left: try left.entries(from: difference, count: 4),
      right: try right.entries(from: difference, count: 4),
      common: try left.entries(before: difference, count: context))
  }

  /// The difference for people.
  /// - Parameters:
  ///   - leftName: what the left side is called.
  ///   - rightName: what the right side is called.
  public func lines(leftName: String, rightName: String) -> [String] {
    var lines: [String] = []
    lines.append("first difference at entry \((left.first ?? right.first)?.ordinal ?? 0)")
    if !common.isEmpty { lines.append("both:") }
    lines.append(contentsOf: common.map { "    \($0.text)" })
    for (name, side) in [(leftName, left), (rightName, right)] {
      lines.append("\(name):")
      if side.isEmpty { lines.append("  > ends here") }
      for (index, entry) in side.enumerated() {
        lines.append((index == 0 ? "  > " : "    ") + entry.text)
      }
    }
    return lines
  }

  /// The difference as an object.
  public func json(leftName: String, rightName: String) -> JSONValue {
    func side(_ name: String, _ entries: [Entry]) -> JSONValue {
      .object([
        JSONEntry("name", .string(name)), JSONEntry("entries", .array(entries.map(\.json))),
      ])
    }
    return .object([
      JSONEntry("equal", .bool(false)),
      JSONEntry("entry", .int((left.first ?? right.first)?.ordinal ?? 0)),
      JSONEntry("both", .array(common.map(\.json))),
      JSONEntry("left", side(leftName, left)),
      JSONEntry("right", side(rightName, right)),
    ])
  }
}

/// The lines of a trace file below its head, mapped rather than read.
struct TraceLines {
  private let path: String
  private let data: Data
  /// Where the first entry begins.
  private let start: Int

  init(path: String) throws {
    self.path = path
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
    else {
      throw InputError(file: path, problem: "cannot be read", mend: "check the path")
    }
    self.data = data
    guard data.starts(with: Array(TraceFile.headStart.utf8)),
      let end = data.firstIndex(of: UInt8(ascii: "\n"))
    else {
      throw InputError(
        file: path, place: "line 1", problem: "is not the head of a trace",
        mend: "give a file that 'simlab run --trace FILE' wrote")
    }
    start = end + 1
  }

  /// How many bytes after the head both files share, cut back to whole lines; nil if all.
  func firstDifference(from other: TraceLines) -> Int? {
    let count = data.count - start
    let otherCount = other.data.count - other.start
    return data.withUnsafeBytes { (left: UnsafeRawBufferPointer) -> Int? in
      other.data.withUnsafeBytes { (right: UnsafeRawBufferPointer) -> Int? in
        let limit = min(count, otherCount)
        var offset = 0
        while offset < limit, left[start + offset] == right[other.start + offset] { offset += 1 }
        if offset == count, offset == otherCount { return nil }
        while offset > 0, left[start + offset - 1] != UInt8(ascii: "\n") { offset -= 1 }
        return offset
      }
    }
  }

  func entries(from offset: Int, count: Int) throws -> [TraceDiff.Entry] {
    var entries: [TraceDiff.Entry] = []
    var position = start + offset
    while entries.count < count, position < data.count {
      let feed = data[position..<data.count].firstIndex(of: UInt8(ascii: "\n"))
      let end = feed ?? data.count
      entries.append(try entry(position..<end))
      position = end + 1
    }
    return entries
  }

  func entries(before offset: Int, count: Int) throws -> [TraceDiff.Entry] {
    var position = start + offset
    var left = count
    while left > 0, position > start {
      let feed = data[start..<(position - 1)].lastIndex(of: UInt8(ascii: "\n"))
      position = feed.map { $0 + 1 } ?? start
      left -= 1
    }
    return try entries(from: position - start, count: count - left)
  }

  private func entry(_ range: Range<Int>) throws -> TraceDiff.Entry {
    guard let json = try? JSONValue.parse(Array(data[range])), json["n"] != nil else {
      let line = data.prefix(range.lowerBound).count { $0 == UInt8(ascii: "\n") } + 1
      throw InputError(
        file: path, place: "line \(line)", problem: "is no entry of a trace",
        mend: "write the trace again with 'simlab run --trace FILE'")
    }
    return TraceDiff.Entry(json: json)
  }
}
