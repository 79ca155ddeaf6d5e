import FuzzHistory
import SimKernel

/// What a history tells of crashes, their records and their events: facts and bytes alone.
struct CrashSweepReader {
  struct Crash {
    var process: Int32
    /// As its event has it.
    var type: String
    /// Its record came onto the disk as a whole.
    var isWhole = false
  }

  private(set) var crashes: [Crash] = []
  private(set) var steps: [CrashSweepStep] = []
  private(set) var recordByteCount = 0
  /// How far the step had come in which a process died.
  private(set) var struck: SweepProgress?
  /// What that step had written.
  private(set) var struckByteCount = 0
  /// The first event had its barrier before the power went.
  private(set) var wasEventDurable = false
  private var ends: [Int] = []
  private var hasLostPower = false
  private var launches = 0
  private var accepted: [(type: String, messageId: String)] = []

  private let history: History
  private var subject = CrashSweepSubject.rest
  private var number = 0
  private var isEventWritten = false
  private var isEventDurable = false
  private var hasSentEvent = false
  private var pending: [(exchange: UInt32, messages: [(type: String, messageId: String)])] = []

  init(_ history: History) {
    self.history = history
    for record in history.records { take(record) }
  }

  /// How many events of a crash the collector has, told apart by their ids.
  func events(of crash: Crash) -> Int {
    var ids: [String] = []
    for event in accepted where event.type == crash.type && !ids.contains(event.messageId) {
      ids.append(event.messageId)
    }
    return ids.count
  }

  /// How often the app was launched after so many processes had ended.
  func launches(behindEnds count: Int) -> Int {
    ends.count < count ? 0 : launches - ends[count - 1]
  }

  private mutating func take(_ record: Record) {
    switch record.fact {
    case .launched: launches += 1
    case .crashed(let kind, _, _, let name, _, _, _, _):
      crashes.append(
        Crash(process: record.process, type: type(kind, history.text(name))))
    case .powerLost:
      if !hasLostPower { wasEventDurable = isEventDurable }
      hasLostPower = true
    case .ended: ends.append(launches)
    case .disk(let operation, let outcome, _, _, let path, _, _, let bytes):
      if SweepReader.changes(operation) {
        takeStep(operation, outcome, history.text(path), bytes, record)
      }
    case .requestStarted(let exchange, .collector, _, _, _, _, let body, _, _, _, _):
      let messages = events(in: body)
      if !messages.isEmpty { hasSentEvent = true }
      pending.append((exchange, messages))
    case .answered(let exchange, _, let status, _, _):
      guard status == 200, let place = pending.firstIndex(where: { $0.exchange == exchange })
      else { return }
      accepted.append(contentsOf: pending[place].messages)
    default: break
    }
  }

  private func type(_ kind: CrashKind, _ name: String) -> String {
    switch kind {
    case .exception: return name
    case .segmentationFault: return "SIGSEGV"
    case .trap: return "SIGTRAP"
    case .floatingPointException: return "SIGFPE"
    default: return "\(kind)"
    }
  }

  private func events(in body: ByteSlice) -> [(type: String, messageId: String)] {
    let batch = (try? JSONValue.parse(history.bytes(body)))?["batch"]?.array ?? []
    return batch.compactMap { message in
      guard message["event"]?.string == "$crash", let id = message["messageId"]?.string,
        let type = message["properties"]?["type"]?.string
      else { return nil }
      return (type, id)
    }
  }

  private mutating func takeStep(
    _ operation: DiskOperation, _ outcome: DiskOutcome, _ path: String, _ bytes: ByteSlice,
    _ record: Record
  ) {
    let isOfRecord = path.contains("/crash")
    if isOfRecord, operation == .overwrite {
      // The write of a process that dies: no trigger counts it.
      guard let place = crashes.lastIndex(where: { $0.process == record.process }) else { return }
      recordByteCount = max(recordByteCount, Int(bytes.count))
      crashes[place].isWhole = outcome == .done || isWholeRecord(bytes)
      return
    }
    number += 1
    note(operation, outcome, path, bytes)
    if struck == nil, outcome == .diedAfter || outcome == .died {
      struck = outcome == .diedAfter ? .after : bytes.count == 0 ? .before : .inside
      struckByteCount = Int(bytes.count)
    }
    // Of the launch that finds the record, all steps until its event is sent.
    let isInLaunch = !crashes.isEmpty && !hasSentEvent
    if outcome != .notFound, isOfRecord && crashes.isEmpty || isInLaunch {
      steps.append(
        CrashSweepStep(
          number: number, subject: subject, endsBefore: crashes.isEmpty ? 0 : 1,
          byteCount: Int(bytes.count)))
    }
  }

  /// Head and checksum tell; what was not written is still zero, as the file was made.
  private func isWholeRecord(_ bytes: ByteSlice) -> Bool {
    var all = Array(history.bytes(bytes))
    guard all.count >= 20 else { return false }
    func number(_ places: Range<Int>) -> UInt64 {
      places.reversed().reduce(0) { $0 << 8 | UInt64(all[$1]) }
    }
    let count = 20 + Int(number(8..<12))
    all.append(contentsOf: repeatElement(0, count: max(0, count - all.count)))
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in all[20..<count] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return hash == number(12..<20)
  }

  private mutating func note(
    _ operation: DiskOperation, _ outcome: DiskOutcome, _ path: String, _ bytes: ByteSlice
  ) {
    let isDone = outcome == .done || outcome == .diedAfter
    subject = .rest
    if path.contains("/crash") {
      switch operation {
      case .remove: subject = .removal
      case .barrier: subject = .folderBarrier
      default: subject = .preparation
      }
    } else if path.contains("/queue/") {
      if operation == .barrier, isEventWritten {
        subject = .eventBarrier
        if isDone { isEventDurable = true }
      } else if operation != .barrier, history.contains("\"$crash\"", in: bytes) {
        subject = .event
        if isDone { isEventWritten = true }
      } else if operation == .append || operation == .write, !crashes.isEmpty, bytes.count == 0 {
        // Struck before its first byte.
        subject = .event
      }
    }
  }
}
