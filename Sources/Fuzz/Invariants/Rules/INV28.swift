import FuzzHistory
import SimKernel

/// Files are kept where they may be, off the main thread and out of backups, and a death in any
/// step leaves the old or the new content.
public final class INV28: Invariant {
  static let info = InvariantInfo(
    id: "INV-28",
    statement:
      "A kill at any write step leaves old or new content; writes are off the main thread, in"
      + " permitted, backup-excluded places.",
    kind: .safety,
    requirements: ["CON-26", "CON-27", "CON-28", "CON-29", "SPL-10"],
    antecedent:
      "A process writes its first file, or is launched after another died in a step of the file"
      + " system.")

  private var hasWritten = false
  private var hasDiedInStep = false
  /// A step did not end well since all files were last found whole: they are looked at again.
  private var needsLook = false
  private var install: UInt32?
  private var isExcluded = false
  /// The first write into a folder that is still in backups.
  private var exposed: (running: TimeSpan, process: Int32, diskSteps: Int)?
  private var damaged: [ByteSlice] = []
  /// Damaged files that were replaced, no barrier covers it yet: a power loss brings them back.
  private var replaced: [ByteSlice] = []

  public init() {
    super.init(
      INV28.info,
      on: [
        .launched, .disk, .fileDamaged, .fileLost, .powerLost, .phase, .ended, .calmEnded,
      ])
  }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    switch record.fact {
    case .launched(_, _, let install, _, _): launch(install, record, context)
    case .fileDamaged(let path, _): damaged.append(path)
    case .powerLost: needsLook = true
    case .fileLost(let path):
      if isAmong(replaced, path, context) { damaged.append(path) }
      // Its mark may have been younger than the last barrier.
      if isFolder(path, context) { isExcluded = false }
    case .disk(let operation, let outcome, let queue, _, let path, let target, _, _):
      checkPlace(operation, queue, path, record, context)
      if operation == .rename { checkPlace(operation, queue, target, record, context) }
      if outcome == .died || outcome == .diedAfter { hasDiedInStep = true }
      if outcome != .done, outcome != .notFound { needsLook = true }
      follow(operation, outcome, path, target, record, context)
      if context.disk.isBehindGarbage {
        report(
          "a record is added where no reader gets to", at: record, context,
          "\(context.text(path)) is added to behind garbage that lay there before this launch: nobody"
            + " who reads the file gets so far.")
      }
    case .phase, .ended, .calmEnded:
      checkExposed(record, context)
    default: break
    }
  }

  // MARK: Places

  private func checkPlace(
    _ operation: DiskOperation, _ queue: UInt16, _ path: ByteSlice, _ record: Record,
    _ context: JudgeContext
  ) {
    // The thread that crashes writes at once, whichever it is: no other one runs any more.
    let isDying = context.model.dyingCrash >= 0 && context.disk.isCrash(path)
    if queue == 0, !isDying {
      report(
        "the main thread uses the disk", at: record, context,
        "The step `\(operation)` on \(context.text(path)) runs on the main thread.")
    }
    if !isInside(path, context) {
      report(
        "a file lies outside the SDK's folder", at: record, context,
        "The step `\(operation)` reaches \(context.text(path)), outside"
          + " \(context.header.storageDirectory).")
    }
  }

  private func isInside(_ path: ByteSlice, _ context: JudgeContext) -> Bool {
    let bytes = context.bytes(path)
    var folder = context.header.storageDirectory
    return folder.withUTF8 { folder in
      guard bytes.count >= folder.count else { return false }
      let head = UnsafeRawBufferPointer(rebasing: bytes[0..<folder.count])
      guard bytesEqual(head, UnsafeRawBufferPointer(folder)) else { return false }
      if bytes.count == folder.count { return true }
      return bytes[folder.count] == UInt8(ascii: "/") && !climbs(bytes, from: folder.count)
    }
  }

  /// Whether a path leads upwards somewhere.
  private func climbs(_ path: UnsafeRawBufferPointer, from start: Int) -> Bool {
    var at = start
    while at + 2 < path.count {
      if path[at] == UInt8(ascii: "/"), path[at + 1] == UInt8(ascii: "."),
        path[at + 2] == UInt8(ascii: ".")
      {
        return true
      }
      at += 1
    }
    return false
  }

  private func isFolder(_ path: ByteSlice, _ context: JudgeContext) -> Bool {
    Int(path.count) == context.header.storageDirectory.utf8.count && isInside(path, context)
  }

  // MARK: Backups

  private func follow(
    _ operation: DiskOperation, _ outcome: DiskOutcome, _ path: ByteSlice, _ target: ByteSlice,
    _ record: Record, _ context: JudgeContext
  ) {
    let hasHappened = outcome == .done || outcome == .diedAfter
    switch operation {
    case .excludeFromBackup:
      guard isFolder(path, context) else { return }
      if hasHappened {
        isExcluded = true
        exposed = nil
      } else {
        // A failed attempt is made again with a later write.
        exposed = nil
      }
    case .remove:
      if hasHappened, isFolder(path, context) { isExcluded = false }
    case .rename: if hasHappened { isNew(target, context) }
    case .barrier:
      if hasHappened { replaced.removeAll { bytesEqual(context.bytes($0), context.bytes(path)) } }
    case .write, .append:
      if operation == .write { isNew(path, context) }
      guard outcome == .done else { return }
      if !hasWritten { antecedent() }
      hasWritten = true
      if !isExcluded, exposed == nil {
        let running = context.runningTime(record.process, at: record.instant)
        exposed = (running, record.process, context.lane.diskSteps)
      }
    default: break
    }
    checkExposed(record, context)
  }

  private func checkExposed(_ record: Record, _ context: JudgeContext) {
    guard let since = exposed, since.process == record.process || record.process < 0 else { return }
    let running =
      context.runningTime(since.process, at: record.instant) - since.running
    guard running > context.lane.slack(context, sinceDiskSteps: since.diskSteps) else { return }
    exposed = nil
    report(
      "the folder is not kept out of backups", at: record, context,
      "A file was written \(running.milliseconds) ms of running time ago, and the folder is still not"
        + " excluded from backups.")
  }

  // MARK: Launches

  private func launch(_ install: UInt32, _ record: Record, _ context: JudgeContext) {
    if self.install != install {
      self.install = install
      isExcluded = false
    }
    exposed = nil
    hasWritten = false
    if hasDiedInStep { antecedent() }
    hasDiedInStep = false
    if needsLook { checkFiles(record, context) }
  }

  /// A file that was written anew is no longer the damaged one.
  private func isNew(_ path: ByteSlice, _ context: JudgeContext) {
    if isAmong(damaged, path, context) { replaced.append(path) }
    damaged.removeAll { bytesEqual(context.bytes($0), context.bytes(path)) }
  }

  private func isAmong(_ paths: [ByteSlice], _ path: ByteSlice, _ context: JudgeContext) -> Bool {
    paths.contains { bytesEqual(context.bytes($0), context.bytes(path)) }
  }

  private func checkFiles(_ record: Record, _ context: JudgeContext) {
    var isTorn = false
    for file in context.disk.files {
      if isAmong(damaged, file.path, context) { continue }
      var state = FileState.whole
      if context.disk.isQueue(file.path) {
        state = file.content.withUnsafeBytes { JournalCheck.state($0) }
      } else if context.disk.isCrash(file.path) {
        // Whoever wrote it was dying, or had not made it yet.
        state = CrashFileReader.state(file.content) == .damaged ? .torn : .whole
      } else if context.disk.isInstall(file.path), !isInstallRecord(file.content) {
        state = .broken
      } else if context.disk.isDecision(file.path), ConsentDecision.parse(file.content) == nil {
        state = .broken
      } else if context.disk.isSession(file.path), ReadSession(file.content) == nil {
        state = .broken
      }
      if state == .torn { isTorn = true }
      guard state == .broken else { continue }
      report(
        "a file is neither old nor new at a launch", at: record, context,
        "\(context.text(file.path)), \(file.content.count) bytes, can not be read at this launch, and"
          + " the world has not damaged it.")
    }
    // What is torn has to be cut before the next append: look again at the next launch.
    needsLook = isTorn
  }

  private func isInstallRecord(_ content: [UInt8]) -> Bool {
    guard let value = try? JSONValue.parse(content) else { return false }
    return value["anonymousId"]?.string != nil && value["version"]?.integer != nil
  }
}

/// What is left of a file.
enum FileState {
  case whole
  /// Whole up to a last append that did not come to its end.
  case torn
  case broken
}

/// Reads journal files as a launch does, without keeping anything.
enum JournalCheck {
  static func state(_ content: UnsafeRawBufferPointer) -> FileState {
    guard content.count >= JournalReader.headCount else { return .torn }
    guard JournalReader.hasHead(content) else { return .broken }
    var position = JournalReader.headCount
    while content.count - position >= 8 {
      let count = Int(JournalReader.number32(content, position))
      guard count <= JournalReader.largestPayload else { return .broken }
      guard content.count - position - 8 >= count else { return .torn }
      let stored = JournalReader.number32(content, position + 4)
      guard JournalReader.checksum(content, position + 8, count) == stored else { return .broken }
      position += 8 + count
    }
    return position == content.count ? .whole : .torn
  }
}
