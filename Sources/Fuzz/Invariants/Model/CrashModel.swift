import FuzzHistory
import SimKernel

/// Whether a crash has to leave a record.
enum CaptureDuty: Equatable {
  case must
  /// The world's delays, or a disk that failed, leave it open.
  case may
  /// Analytics, the option or the switch is off, or nothing may be stored.
  case mustNot
}

/// One crash of a process, by ground truth.
struct CrashTruth {
  var process: Int32
  var kind: CrashKind
  var thread: UInt16
  var threadName: String
  var name: String
  var reason: String
  var frames: [String]
  /// The frames as they may be written, once they were asked for.
  var written: [String]?
  var isStackOverflow: Bool
  var continuous: Int64
  var instant: Instant
  /// Anchored time of the process that died.
  var milliseconds: Int64
  /// Indices as those of the process model.
  var anonymous: Int32
  var session: Int32
  var user: Int32
  var path: String
  var duty: CaptureDuty

  /// The SDK's handler of the first kind was entered.
  var hasHandler = false
  /// A write of the dying process did not come to its end, and how.
  var failure: DiskOutcome?
  /// The dying process has written.
  var hasWritten = false
  /// The id in its record, once a whole one lies on disk.
  var identifierHash: UInt64?
  /// Where the record lies.
  var pathHash: UInt64 = 0
  /// The record as it lies there.
  var file: CrashFile?
  /// It may be lost: its file was damaged, or is gone with the install or the power.
  var isExcused = false
  /// A process has deleted it, or had to: analytics or the switch was off, or it was wiped.
  var isDropped = false
  /// Its event, once it was found in the queue: an index of messages.
  var message: Int32 = -1
  /// Whether the process that made it had analytics, and option and switch on.
  var madeAnalytics = true
  var madeSwitch = true
  /// How often an event of it was found anew.
  var events = 0

  /// The type that its event has, and that its hash is made of.
  var type: String { kind.signalName ?? RedactionShared.redaction.redact(name) }

  /// What its event says of the thread.
  var threadWord: String {
    if thread == 0 { return "main" }
    if kind == .exception, !threadName.isEmpty {
      return RedactionShared.redaction.redact(threadName)
    }
    return "thread \(thread)"
  }

  /// The stack that its event shows: a full disk has room for the beginning only.
  var stack: String {
    let whole = RedactionShared.stack.text(written: written ?? RedactionShared.stack.frames(frames))
    guard failure == .noSpace || failure == .inputOutput, let file, file.details.count == 5 else {
      return whole
    }
    let kept = String(decoding: file.details[2], as: UTF8.self)
    let isPrefix =
      whole.hasPrefix(kept) && (kept.isEmpty || whole.dropFirst(kept.count).first == "\n")
    return isPrefix ? kept : whole
  }

  /// The message that its event shows.
  var messageText: String {
    let redacted = RedactionShared.redaction.redact(reason).unicodeScalars.prefix(1_000)
    let whole = String(String.UnicodeScalarView(redacted))
    guard failure == .noSpace || failure == .inputOutput, let file, file.details.count == 5,
      file.details[1].isEmpty
    else {
      return whole
    }
    return ""
  }

  var stackHash: String {
    let reference = RedactionShared.stack
    if kind != .exception { return reference.hash(type: type, []) }
    return reference.hash(type: type, written: written ?? reference.frames(frames))
  }
}

/// The rules of crash texts, made once.
enum RedactionShared {
  static let redaction = RedactionReference()
  static let stack = StackReference()
}
