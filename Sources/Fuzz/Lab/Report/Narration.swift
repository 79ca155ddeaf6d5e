import FuzzHistory
import FuzzInvariants
import SimKernel

/// Tells a history as a timeline that reads like a story.
///
/// Steps of the file system that follow one another and all went well become one line; everything
/// else has a line of its own. Findings stand where they happened.
public struct Narration {
  /// One line of the timeline.
  public struct Line: Hashable, Sendable {
    /// How much it matters to a reader.
    public enum Weight: String, Sendable {
      case device
      case call
      case wire
      case disk
      case fault
      case log
      case finding
    }

    /// What the device's clock shows, in UTC.
    public var deviceClock: String
    /// True time since the start of the run.
    public var trueTime: String
    /// The process, or nothing for the world.
    public var process: Int32?
    public var weight: Weight
    public var text: String
  }

  public private(set) var lines: [Line] = []

  private let history: History
  private var clock: DeviceTime
  private var words: FactWords
  private var disk = DiskGroup()

  /// Tells a history with what was found in it.
  public init(_ history: History, findings: [Finding]) {
    self.history = history
    clock = DeviceTime(history.header)
    words = FactWords(history)
    var waiting = findings.sorted { $0.instant < $1.instant }[...]
    for (index, record) in history.records.enumerated() {
      while let finding = waiting.first, finding.instant < record.instant {
        add(finding)
        waiting.removeFirst()
      }
      let next = index + 1 < history.records.count ? history.records[index + 1] : nil
      add(record, next: next)
    }
    flushDisk()
    for finding in waiting { add(finding) }
  }

  /// The timeline as text: device clock, true time, process, what happened.
  public var text: String {
    var text = "device clock (UTC)       true time       who  what happens\n"
    for line in lines {
      let who = line.process.map { "p\($0)" } ?? "–"
      text += line.deviceClock + "  " + line.trueTime + "  "
      text += who + String(repeating: " ", count: max(1, 5 - who.count))
      text += line.text + "\n"
    }
    return text
  }

  /// The lines that stand right before a finding.
  func lines(before finding: Finding, count: Int) -> ArraySlice<Line> {
    let text = Narration.text(of: finding)
    let place = lines.firstIndex { $0.weight == .finding && $0.text == text } ?? lines.count
    return lines[..<place].filter { $0.weight != .finding }.suffix(count)
  }

  private static func text(of finding: Finding) -> String {
    "!! \(finding.invariant): \(finding.message)"
  }

  private mutating func add(_ record: Record, next: Record?) {
    clock.follow(record)
    if case .disk(let operation, .done, let queue, _, let path, let target, _, let bytes) =
      record.fact
    {
      // Asking for a size changes nothing and tells nothing.
      if operation == .size { return }
      if disk.process != record.process { flushDisk() }
      if disk.isEmpty { disk.begin(record) }
      disk.add(
        operation, queue: queue, path: words.path(path), target: words.path(target),
        bytes: Int(bytes.count))
      return
    }
    guard let told = words.tell(record, next: next) else { return }
    flushDisk()
    add(told.text, told.weight, at: record.instant, process: record.process)
  }

  private mutating func flushDisk() {
    if let text = disk.text { add(text, .disk, at: disk.instant, process: disk.process) }
    disk = DiskGroup()
  }

  private mutating func add(_ finding: Finding) {
    flushDisk()
    add(
      Narration.text(of: finding), .finding, at: finding.instant, process: finding.process)
  }

  private mutating func add(
    _ text: String, _ weight: Line.Weight, at instant: Instant, process: Int32
  ) {
    lines.append(
      Line(
        deviceClock: DeviceTime.text(clock.wall(at: instant)),
        trueTime: Narration.trueTime(instant), process: process < 0 ? nil : process,
        weight: weight, text: text))
  }

  /// Days, hours, minutes, seconds since the start: `2d 03:04:05.006`.
  private static func trueTime(_ instant: Instant) -> String {
    let milliseconds = (instant - .start).milliseconds
    let seconds = milliseconds / 1_000
    let day = "\(seconds / 86_400)d"
    func two(_ number: Int64) -> String { Figures.padded(number, 2) }
    let clock = "\(two(seconds / 3_600 % 24)):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    return day + " " + clock + "." + Figures.padded(milliseconds % 1_000, 3)
  }
}
