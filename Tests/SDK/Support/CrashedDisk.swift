import Foundation

@testable import SDK

/// The disk that a process leaves which dies of a crash while messages wait, and what becomes of
/// it in the processes after.
struct CrashedDisk: Sendable, CustomStringConvertible {
  enum Cause: Sendable { case exception, longException, signal }

  static let folder = ManualPlatform.folder + "/crash"
  static let exception = CrashedDisk(.exception)
  /// Of a deep stack, whose record is longer than the file that was made beforehand.
  static let longException = CrashedDisk(.longException)
  static let signal = CrashedDisk(.signal)

  let cause: Cause
  /// Ids of the messages that wait.
  let waiting = ["m1", "m2"]
  let files: [String: [UInt8]]
  let directories: Set<String>
  /// What the handler wrote, where it wrote it, and the id of its event.
  let path: String
  let file: [UInt8]
  let crashId: String
  /// What of the file is the record.
  var record: [UInt8] { CrashLayout.record(file) }
  var description: String { "\(cause)" }

  private init(_ cause: Cause) {
    let machine = ManualPlatform.withCrashes()
    machine.responder = { _ in .failure(.notConnected) }
    let client = machine.startAsking()
    client.screen("Basket")
    for id in ["m1", "m2"] { client.track("tapped", messageId: id) }
    machine.advance(seconds: 3)
    path = machine.crashes?.openFile ?? ""
    machine.crash(cause)
    self.cause = cause
    files = machine.storage.files
    directories = machine.storage.directories
    file = files[path] ?? []
    crashId = CrashLayout.messageId(file)
  }

  /// A machine with this disk.
  /// - Parameter crashFiles: the crash files in place of the one that was left, by their names.
  func machine(_ crashFiles: [String: [UInt8]]) -> ManualPlatform {
    let machine = ManualPlatform.withCrashes()
    machine.responder = { _ in .success(.status(200)) }
    machine.advance(seconds: 60)
    // Ids of other processes are others.
    machine.draws = 1_000_000
    machine.storage.files = files
    machine.storage.files[path] = nil
    for (name, bytes) in crashFiles { machine.storage.files[Self.folder + "/" + name] = bytes }
    machine.storage.directories = directories
    return machine
  }
}

extension ManualPlatform {
  static func withCrashes() -> ManualPlatform {
    let machine = ManualPlatform()
    machine.crashes = ManualCrashes(storage: machine.storage)
    return machine
  }

  /// Starts a client that asks for its config.
  func startAsking() -> PostlipMetricsClient {
    start(.init(consent: .implied, remoteConfig: true))
  }

  /// The process dies.
  func crash(_ cause: CrashedDisk.Cause) {
    switch cause {
    case .exception, .longException:
      let depth = cause == .exception ? 1 : 200
      crashes?.raise(
        RawException(
          name: "NSRangeException", reason: "index 4 beyond bounds",
          frames: [
            "0   Kiosk   0x00000001000a1b2c -[KCList row:] + 44"
          ]
            + [String](
              repeating: "1   Kiosk   0x00000001000a2000 -[KCTree walk:] + 12", count: depth),
          thread: 3, threadName: "Uploads", uptime: uptimeNanoseconds))
    case .signal:
      crashes?.strike(
        RawSignal(signal: .segmentationFault, thread: 0, uptime: uptimeNanoseconds))
    }
    endProcess()
  }

  /// What lies in the folder of crash files.
  var crashFiles: [[UInt8]] {
    storage.files.keys.filter { $0.hasPrefix(CrashedDisk.folder + "/") }.sorted()
      .compactMap { storage.files[$0] }
  }

  /// Ids of the `$crash` events that were sent.
  func crashIds(_ messages: [[String: Any]]) -> [String] {
    messages.filter { $0["event"] as? String == "$crash" }
      .compactMap { $0["messageId"] as? String }
  }
}
