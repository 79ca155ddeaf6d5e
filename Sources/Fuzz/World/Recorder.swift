import FuzzHistory
import SimKernel

/// Writes the history and, with it, the trace: what is recorded is hashed.
final class Recorder {
  let history: History
  private unowned let device: Device
  private let trace: Trace
  /// Trace kinds of notes begin here; below are those of kernel events.
  static let firstTraceKind: UInt16 = 256

  init(history: History, device: Device) {
    self.history = history
    self.device = device
    trace = device.simulation.trace
  }

  /// Records a fact of the process that runs now, or of the device.
  func record(_ fact: Fact, detail: UInt64 = 0) {
    record(fact, process: device.process?.ordinal ?? -1, detail: detail)
  }

  func record(_ fact: Fact, process: Int32, detail: UInt64 = 0) {
    let now = device.now
    history.append(fact, at: now, process: process)
    trace.note(
      instant: now, actor: UInt32(bitPattern: process),
      kind: Recorder.firstTraceKind + UInt16(fact.kind.rawValue), detail: detail)
  }

  /// Records a fact whose bytes are hashed too.
  func record(_ fact: Fact, process: Int32, detail: UInt64, hashing slice: ByteSlice) {
    let now = device.now
    history.append(fact, at: now, process: process)
    history.withBytes(slice) {
      trace.note(
        instant: now, actor: UInt32(bitPattern: process),
        kind: Recorder.firstTraceKind + UInt16(fact.kind.rawValue), detail: detail, bytes: $0)
    }
  }
}
