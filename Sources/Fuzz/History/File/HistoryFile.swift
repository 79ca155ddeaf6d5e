import SimKernel

/// The file of a history: lines of JSON. First the header with the format's version, then one line
/// a record, at last a line that proves the file whole. Reading and writing the disk is the
/// caller's.
///
/// ```
/// {"format":"simlab history","version":1,"seed":42,…}
/// {"at":1500000,"process":0,"fact":"callBegan","call":0,…,"host":{"track":{"event":"Tap",…}}}
/// {"end":true,"records":1}
/// ```
public enum HistoryFile {
  static let format = "simlab history"
  /// Values of apps nest deeper than what goes over the wire.
  static let depthLimit = 512

  /// The bytes of a history.
  public static func encode(_ history: History) -> [UInt8] {
    var writer = JSONWriter()
    writer.bytes.reserveCapacity(history.arena.count * 2)
    func line(_ entries: [JSONEntry]) {
      writer.write(.object(entries), sortingKeys: false)
      writer.bytes.append(UInt8(ascii: "\n"))
    }
    line(HeaderCoding.entries(history.header))
    var isWritten = [Bool](repeating: false, count: history.calls.count)
    for record in history.records {
      var entries = [
        JSONEntry("at", .int(record.instant.nanoseconds)),
        JSONEntry("process", .int(Int64(record.process))),
      ]
      entries += FactWriter(history: history).entries(record.fact)
      if case .callBegan(let call, _, _, _, _) = record.fact, Int(call) < isWritten.count,
        !isWritten[Int(call)]
      {
        isWritten[Int(call)] = true
        entries.append(JSONEntry("host", history.calls[Int(call)].json))
      }
      line(entries)
    }
    for (index, call) in history.calls.enumerated() where !isWritten[index] {
      line([JSONEntry("call", .int(Int64(index))), JSONEntry("host", call.json)])
    }
    line([JSONEntry("end", .bool(true)), JSONEntry("records", .int(Int64(history.records.count)))])
    return writer.bytes
  }

  /// Reads a history back.
  ///
  /// - Throws: what is wrong, in which line, and what to do about it.
  public static func decode(_ bytes: [UInt8]) throws(HistoryFileError) -> History {
    var lines = HistoryLines(bytes: bytes)
    guard let first = lines.next(), let header = first.value,
      header["format"]?.string == HistoryFile.format
    else { throw .notAHistory }
    let version = header["version"]?.integer ?? 0
    if version > HistoryHeader.currentVersion { throw .futureVersion(Int(version)) }
    let history = History(header: try HeaderCoding.header(Fields(header, line: 1)))
    var reader = FactReader(history: history)
    var isWhole = false
    while let line = lines.next() {
      guard let value = line.value else {
        // A last line without its end is where a copy was cut off, not damage.
        if line.isUnfinished { throw .cutInHalf(lines: line.number - 1) }
        throw .damaged(line: line.number, what: line.problem)
      }
      if isWhole { throw .damaged(line: line.number, what: "it follows the closing line") }
      let fields = Fields(value, line: line.number)
      if fields.has("end") && !fields.has("fact") {
        let expected = Int(try fields.int64("records"))
        let found = history.records.count
        if expected != found {
          throw .recordsMissing(line: line.number, expected: expected, found: found)
        }
        isWhole = true
      } else {
        try reader.read(fields)
      }
    }
    if !isWhole { throw .cutInHalf(lines: lines.number) }
    try reader.finish(line: lines.number)
    return history
  }
}

/// Walks over the lines of a file, parsing each.
struct HistoryLines {
  struct Line {
    var number: Int
    /// Nil if the line is no JSON object.
    var value: JSONValue?
    var problem: String
    /// The file ends without a line feed after it.
    var isUnfinished: Bool
  }

  let bytes: [UInt8]
  var position = 0
  var number = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func next() -> Line? {
    guard position < bytes.count else { return nil }
    let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n"))
    let content = bytes[position..<(end ?? bytes.count)]
    position = (end ?? bytes.count) + 1
    number += 1
    var line = Line(number: number, value: nil, problem: "", isUnfinished: end == nil)
    do throws(JSONError) {
      let value = try JSONValue.parse(content, depthLimit: HistoryFile.depthLimit)
      if value.object != nil { line.value = value } else { line.problem = "it is no JSON object" }
    } catch {
      line.problem = "it is no JSON (\(error))"
    }
    return line
  }
}
