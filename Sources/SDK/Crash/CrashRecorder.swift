/// Writes the record of the crash that ends the process, at most one (S-56).
///
/// What can be known beforehand is prepared in memory whenever it changes; nothing is written until
/// the process dies. Two buffers take turns: whoever crashes while one is being filled finds the
/// other whole.
final class CrashRecorder: CrashHandler, @unchecked Sendable {
  /// Longer names of exceptions and threads are cut: their event has to fit into a message (S-08).
  private static let mostNameScalars = 256

  /// What the longest ids and the longest path come to.
  private static let mostPreparedBytes = 24_576

  private let port: any CrashPort
  private var isInstalled = false

  /// What is prepared in memory. Changed under the SDK's lock, read by handlers without it.
  private var subject: CrashSubject?
  private let buffers: (UnsafeMutableRawBufferPointer, UnsafeMutableRawBufferPointer)
  private var counts = (0, 0)
  /// Which buffer holds; nil while nothing is to be recorded. Set last and in one store.
  private var current: UInt8?
  /// A record was written, or is being written: another crash writes none.
  private var isSpent = false

  init(port: any CrashPort) {
    self.port = port
    func buffer() -> UnsafeMutableRawBufferPointer {
      UnsafeMutableRawBufferPointer.allocate(byteCount: Self.mostPreparedBytes, alignment: 8)
    }
    buffers = (buffer(), buffer())
  }

  deinit {
    buffers.0.deallocate()
    buffers.1.deallocate()
  }

  /// Goes in front of the handlers that are there, once: those that others install later run before
  /// it, and whether it is called is theirs to decide (S-113).
  func install() {
    if isInstalled { return }
    isInstalled = true
    port.install(self, onOwnStack: true)
  }

  /// Notes what is to be said of the process should it die from here on. Under the SDK's lock.
  func prepare(_ subject: CrashSubject) {
    if current != nil, subject == self.subject { return }
    let record = CrashFormat.prepared(subject)
    if record.count > Self.mostPreparedBytes { return clear() }
    let next: UInt8 = current == 0 ? 1 : 0
    (next == 0 ? buffers.0 : buffers.1).copyBytes(from: record)
    if next == 0 { counts.0 = record.count } else { counts.1 = record.count }
    self.subject = subject
    current = next
  }

  /// A crash from here on leaves no record; handlers stay where they are (S-106).
  func clear() {
    current = nil
    guard subject != nil else { return }
    subject = nil
    for buffer in [buffers.0, buffers.1] { buffer.initializeMemory(as: UInt8.self, repeating: 0) }
  }

  func handle(_ signal: RawSignal) {
    if let current, !isSpent {
      isSpent = true
      let buffer = current == 0 ? buffers.0 : buffers.1
      let record = UnsafeMutableRawBufferPointer(
        rebasing: buffer[..<(current == 0 ? counts.0 : counts.1)])
      CrashFormat.fill(
        record, kind: CrashFormat.signalKind, signal: signal.signal.rawValue,
        thread: signal.thread, uptime: signal.uptime)
      _ = port.write(UnsafeRawBufferPointer(record))
    }
    port.runEarlierHandlers()
  }

  func handle(_ exception: RawException) {
    if let current, !isSpent {
      isSpent = true
      let buffer = current == 0 ? buffers.0 : buffers.1
      write(exception, onto: Array(buffer[..<(current == 0 ? counts.0 : counts.1)]))
    }
    port.runEarlierHandlers()
  }

  /// Redacts first: nothing of what the app said reaches the disk as it is (CRA-07).
  private func write(_ exception: RawException, onto prepared: [UInt8]) {
    let type = Redaction.redact(exception.name).prefix(scalars: Self.mostNameScalars)
    let stack = CallStack(rawFrames: exception.frames)
    var details = CrashRecord.Details(
      type: type, message: Redaction.message(exception.reason ?? ""), stack: stack.text,
      stackHash: stack.hash(type: type),
      threadName: Redaction.redact(exception.threadName).prefix(scalars: Self.mostNameScalars))
    func record() -> [UInt8] {
      CrashFormat.record(
        prepared, details, thread: exception.thread, uptime: exception.uptime)
    }
    if put(record()) { return }
    // The disk is full, or fails: what was made beforehand has room for the beginning.
    while record().count > CrashFormat.preparedByteCount {
      if !details.stack.isEmpty {
        details.stack = Self.shorter(details.stack)
      } else if !details.message.isEmpty {
        details.message = ""
      } else {
        return
      }
    }
    _ = put(record())
  }

  /// A stack without its last line.
  private static func shorter(_ stack: String) -> String {
    guard let end = stack.utf8.lastIndex(of: 0x0A) else { return "" }
    return String(stack[..<end])
  }

  private func put(_ record: [UInt8]) -> Bool { record.withUnsafeBytes { port.write($0) } }
}
