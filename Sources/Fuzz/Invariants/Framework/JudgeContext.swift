import FuzzHistory
import SimKernel

/// What all invariants share while one history is judged: the history, the state rebuilt from its
/// facts so far, and the findings.
///
/// The shared state takes each record in before the invariants see it. Everything here is derived
/// from ground truth, disk and wire; nothing comes from the log of the SDK.
public final class JudgeContext {
  public let history: History
  /// All bytes of the history, in place; valid only while it is judged.
  public let arena: UnsafeRawBufferPointer
  /// The index of the record being judged.
  public internal(set) var recordIndex: Int = 0
  /// Launches, phases, ends and running time of the processes.
  public internal(set) var processes = ProcessTable()
  /// Who holds the lock of the shared container.
  public internal(set) var storageLock = StorageLockTable()
  /// The requests, their messages and answers.
  public let ledger: WireLedger
  /// The batch lane of the running process: pauses, retries, halves.
  public let lane = BatchLane()
  /// The files of the SDK as they are on disk.
  public let disk: DiskShadow
  /// What must have been sent, by the requirements.
  public let model: ReferenceModel
  /// Which ids and tokens stand in the newest request or write.
  public let leaks: LeakScan
  /// When the calm began; nil before.
  public internal(set) var calmBeganInstant: Instant?

  var findings: [Finding] = []
  private var continuousReading: Int64 = 0
  private var continuousInstant = Instant.start
  private var signatureCounts: [(signature: String, count: Int)] = []

  /// Findings of one signature kept from one history; more of them say nothing new.
  static let keptPerSignature = 4

  init(history: History, arena: UnsafeRawBufferPointer) {
    self.history = history
    self.arena = arena
    ledger = WireLedger(arena: arena)
    disk = DiskShadow(arena: arena, storageDirectory: history.header.storageDirectory)
    model = ReferenceModel(history: history, arena: arena)
    leaks = LeakScan(history.header.canaries)
  }

  public var header: HistoryHeader { history.header }

  /// The bytes of a slice, in place.
  @inline(__always)
  public func bytes(_ slice: ByteSlice) -> UnsafeRawBufferPointer { arena.slice(slice) }

  /// The text of a slice, for messages only.
  public func text(_ slice: ByteSlice) -> String {
    String(decoding: arena.slice(slice), as: UTF8.self)
  }

  /// How long the process has run by now, suspension left out.
  public func runningTime(_ process: Int32, at instant: Instant) -> TimeSpan {
    processes.runningTime(process, at: instant)
  }

  /// What the clock that runs in sleep shows at a record of this boot. Known from the newest
  /// reading in the history and the true time since.
  func continuousNow(_ record: Record) -> Int64 {
    continuousReading + (record.instant - continuousInstant).nanoseconds
  }

  func admits(signature: String) -> Bool {
    for index in signatureCounts.indices where signatureCounts[index].signature == signature {
      signatureCounts[index].count += 1
      return signatureCounts[index].count <= JudgeContext.keptPerSignature
    }
    signatureCounts.append((signature, 1))
    return true
  }

  func add(_ finding: Finding) { findings.append(finding) }

  private func readClock(_ record: Record) {
    switch record.fact {
    case .callBegan(_, _, _, _, let continuous): continuousReading = continuous
    case .requestStarted(_, _, _, _, _, _, _, _, _, _, let continuous):
      continuousReading = continuous
    default: return
    }
    continuousInstant = record.instant
  }

  /// Brings the shared state up to a record.
  func take(_ record: Record) {
    processes.take(record)
    if header.hasSharedGroup { storageLock.take(record) }
    readClock(record)
    if case .calmBegan = record.fact { calmBeganInstant = record.instant }
    ledger.take(record)
    disk.take(record)
    leaks.take(record, arena)
    lane.take(record, self)
    model.take(record, self)
  }
}

extension UnsafeRawBufferPointer {
  /// The bytes of a slice of this arena.
  @inline(__always)
  func slice(_ slice: ByteSlice) -> UnsafeRawBufferPointer {
    if slice.count == 0 { return UnsafeRawBufferPointer(start: nil, count: 0) }
    let start = Int(slice.offset)
    return UnsafeRawBufferPointer(rebasing: self[start..<start + Int(slice.count)])
  }
}
