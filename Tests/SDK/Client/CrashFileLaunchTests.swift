import Foundation
import Testing

@testable import SDK

/// A launch over each form of damage, and the life after it (B94, B107).
@Suite("Launches with a damaged crash file")
struct CrashFileLaunchTests {
  /// A launch over one damaged file may make no more calls of the storage and write no more bytes
  /// than one over the same disk with a sound record (29 calls, 5 kB), of each further file it
  /// takes two calls to read and remove it, and of no file it reads more than the longest record
  /// has.
  private static let mostBytesRead = 65_556

  private static let both = [CrashedDisk.exception, .signal]

  /// What a launch cost.
  private struct Cost {
    var calls: Int
    var bytesRead: Int
    var bytesWritten: Int

    init(_ machine: ManualPlatform) {
      calls = machine.storage.steps.count
      bytesRead = machine.storage.bytesRead
      bytesWritten = machine.storage.bytesWritten
    }

    /// Of a launch over the record as it was left.
    static let exception = Cost(CrashedDisk.exception)
    static let signal = Cost(CrashedDisk.signal)
    static let longException = Cost(CrashedDisk.longException)

    static func of(_ disk: CrashedDisk) -> Cost {
      switch disk.cause {
      case .exception: return exception
      case .signal: return signal
      case .longException: return longException
      }
    }

    private init(_ disk: CrashedDisk) {
      let machine = disk.machine(["0.crash": disk.file])
      _ = machine.startAsking()
      machine.advance(seconds: 60)
      self.init(machine)
    }
  }

  /// Launches over crash files and lives on: another crash, another launch.
  /// - Parameters:
  ///   - crashIds: of the records among them that are sound.
  ///   - strangers: how many files the launch leaves under names that are none of ours.
  ///   - cause: of the later crash; nil ends with the launch.
  /// - Returns: what went wrong; nil if nothing did.
  private func fault(
    _ disk: CrashedDisk, _ crashFiles: [String: [UInt8]], sending crashIds: [String] = [],
    leaving strangers: Int = 0, then cause: CrashedDisk.Cause?
  ) -> String? {
    let machine = disk.machine(crashFiles)
    let client = machine.startAsking()
    machine.advance(seconds: 60)
    let cost = Cost(machine)
    if !machine.exchanges.contains(where: { $0.request.purpose == "config" }) {
      return "no config was asked for"
    }
    let sent = machine.sentMessages
    if machine.crashIds(sent).sorted() != crashIds.sorted() {
      return "sent \(machine.crashIds(sent)) in place of \(crashIds)"
    }
    let ids = sent.compactMap { $0["messageId"] as? String }
    for id in disk.waiting where ids.filter({ $0 == id }).count != 1 { return "\(id) is not sent" }
    let made = [UInt8](repeating: 0, count: 4_096)
    let own = machine.crashFiles.filter { $0 == made }.count
    if own != 1 || machine.crashFiles.count != 1 + strangers {
      return "the folder of crash files holds something else"
    }
    let sound = Cost.of(disk)
    if cost.calls > sound.calls + 2 * (crashFiles.count - 1) { return "\(cost.calls) calls" }
    if cost.bytesRead > sound.bytesRead + Self.mostBytesRead * crashFiles.count {
      return "\(cost.bytesRead) bytes read"
    }
    if cost.bytesWritten > sound.bytesWritten * max(1, crashIds.count) {
      return "\(cost.bytesWritten) bytes written"
    }
    guard let cause else { return nil }
    return laterFault(machine, client, knowing: ids, then: cause)
  }

  /// The process goes on, and dies of a crash that must be reported.
  private func laterFault(
    _ machine: ManualPlatform, _ client: PostlipMetricsClient, knowing ids: [String],
    then cause: CrashedDisk.Cause
  ) -> String? {
    client.track("after", messageId: "after")
    machine.run()
    machine.crash(cause)
    let records = machine.crashFiles.filter { $0.count > CrashLayout.firstText + 40 && $0[0] != 0 }
    guard records.count == 1 else { return "\(records.count) records of the later crash" }
    let own = CrashLayout.messageId(records[0])
    if ids.contains(own) { return "the later crash has an id that was used" }
    let before = machine.exchanges.count
    _ = machine.startAsking()
    machine.advance(seconds: 60)
    machine.exchanges.removeFirst(before)
    let sent = machine.sentMessages
    if machine.crashIds(sent) != [own] { return "the later crash is not sent once" }
    return sent.contains { $0["messageId"] as? String == "after" } ? nil : "an event is lost"
  }

  /// Whether the record in a file is the one that was written; what lies behind it is nothing.
  private func isSound(_ file: [UInt8], _ disk: CrashedDisk) -> Bool {
    file.starts(with: disk.record)
  }

  /// Launches over one file in place of the one that was left.
  private func check(_ disk: CrashedDisk, _ file: [UInt8], number: Int, _ words: String) {
    let fault = fault(
      disk, ["0.crash": file], sending: isSound(file, disk) ? [disk.crashId] : [],
      then: number % 2 == 0 ? .exception : .signal)
    #expect(fault == nil, "\(words)")
  }

  @Test("a dying process leaves one sound record", arguments: both)
  func sound(_ disk: CrashedDisk) {
    #expect(disk.path == CrashedDisk.folder + "/0.crash")
    #expect(disk.record.count > 200 && CrashLayout.sealing(disk.file) == disk.file)
    #expect(CrashLayout.lengths(disk.record).count == (disk.cause == .exception ? 13 : 8))
    check(disk, disk.file, number: 0, "then an exception")
    check(disk, disk.file, number: 1, "then a signal")
  }

  @Test("a record that is cut off anywhere stops no launch and no later crash", arguments: both)
  func cut(_ disk: CrashedDisk) {
    for count in disk.file.indices {
      let file = Array(disk.file.prefix(count))
      if count <= disk.record.count {
        check(disk, file, number: count, "cut at \(count)")
      } else {
        // Behind the record nothing is lost: that the launch is like any other is enough.
        let fault = fault(disk, ["0.crash": file], sending: [disk.crashId], then: nil)
        #expect(fault == nil, "cut at \(count)")
      }
    }
  }

  @Test("a record longer than the file that was made for it is cut and torn like any other")
  func long() {
    let disk = CrashedDisk.longException
    #expect(disk.record.count > 4_200 && disk.record.count == disk.file.count)
    check(disk, disk.file, number: 1, "sound")
    // Where the disk is full, a record ends with the file that was made beforehand.
    let places = Array(4_060..<4_140) + Array(stride(from: 1, to: disk.file.count, by: 61))
    for count in places {
      let part = Array(disk.file.prefix(count))
      check(disk, part, number: count, "cut at \(count)")
      let rest = [UInt8](repeating: 0, count: disk.file.count - count)
      check(disk, part + rest, number: count, "torn at \(count)")
    }
  }

  @Test("a record of which only the beginning was written is dropped", arguments: both)
  func torn(_ disk: CrashedDisk) {
    // Behind the record the file is zeros anyway.
    for count in disk.record.indices {
      let rest = [UInt8](repeating: 0, count: disk.file.count - count)
      check(disk, disk.file.prefix(count) + rest, number: count, "torn at \(count)")
    }
  }

  /// All bits of all bytes are eight times as many launches: plain runs draw one of each byte.
  private var isHeavy: Bool { ProcessInfo.processInfo.environment["SIMLAB_HEAVY"] != nil }

  @Test("a record with a bit flipped is dropped", arguments: both)
  func flipped(_ disk: CrashedDisk) {
    for place in disk.record.indices {
      let drawn = Int(((UInt64(place) &+ 1) &* 0x9E37_79B9_7F4A_7C15) >> 61)
      for bit in isHeavy ? 0...7 : drawn...drawn {
        var file = disk.file
        file[place] ^= 1 << UInt8(bit)
        check(disk, file, number: place + bit, "byte \(place), bit \(bit)")
      }
    }
  }

  @Test("no length in a record is believed, nor one whose checksum is right", arguments: both)
  func lengths(_ disk: CrashedDisk) {
    for place in CrashLayout.lengths(disk.record) {
      for value in [0xFFFF_FFFF, 0x7FFF_FFFF, 0x0001_0000] as [UInt32] {
        let file = CrashLayout.putting(value, at: place, disk.file)
        check(disk, file, number: place, "\(value) at \(place)")
        let sealed = CrashLayout.sealing(file)
        check(disk, sealed, number: place + 1, "\(value) at \(place), sealed")
        // Where so much lies behind it that a length may be true.
        let long = sealed + [UInt8](repeating: 0x41, count: 70_000)
        check(disk, CrashLayout.sealing(long), number: place, "\(value) at \(place), long")
      }
    }
  }

  @Test("files that hold nothing of ours are dropped", arguments: both)
  func garbage(_ disk: CrashedDisk) {
    var draw: UInt64 = 94
    let noise = (0..<4_096).map { _ -> UInt8 in
      draw = draw &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(draw >> 56)
    }
    let huge = [UInt8](repeating: 0xFF, count: 5_000_000)
    let files: [(String, [UInt8])] = [
      ("empty", []), ("noise", noise), ("a little noise", Array(noise.prefix(300))),
      ("noise behind a head", disk.file.prefix(20) + noise),
      ("noise behind a head, sealed", CrashLayout.sealing(disk.file.prefix(20) + noise)),
      ("huge", huge), ("huge zeros", [UInt8](repeating: 0, count: 5_000_000)),
      ("one zero less", [UInt8](repeating: 0, count: 4_095)),
      ("a record and a huge rest", disk.file + huge),
      (
        "another version",
        [disk.file[0], disk.file[1], disk.file[2], 0x32] + disk.file.dropFirst(4)
      ),
      ("text", Array(String(repeating: "{\"crash\":true}\n", count: 300).utf8)),
    ]
    for (number, file) in files.enumerated() { check(disk, file.1, number: number, file.0) }
  }

  @Test("damaged files in all places leave room for a later crash", arguments: both)
  func manyDamaged(_ disk: CrashedDisk) {
    var files: [String: [UInt8]] = [:]
    for number in 0..<10 { files["\(number).crash"] = Array(disk.file.prefix(20 * number)) }
    #expect(fault(disk, files, then: .exception) == nil)
    // The last one is sound.
    files["9.crash"] = disk.file
    #expect(fault(disk, files, sending: [disk.crashId], then: .signal) == nil)
  }

  @Test("ten sound records are ten events, and a later crash is one more", arguments: both)
  func manySound(_ disk: CrashedDisk) {
    var files: [String: [UInt8]] = [:]
    let ids = (0..<10).map { "0000000\($0)-0000-4000-8000-000000000094" }
    for (number, id) in ids.enumerated() {
      files["\(number).crash"] = CrashLayout.renaming(disk.file, to: id)
    }
    #expect(fault(disk, files, sending: ids, then: .exception) == nil)
    // One record in all places is one event.
    for number in 0..<10 { files["\(number).crash"] = disk.file }
    #expect(fault(disk, files, sending: [disk.crashId], then: .signal) == nil)
  }

  @Test("files under names that are none of ours hide no record", arguments: both)
  func strangers(_ disk: CrashedDisk) {
    var files = ["0.crash": disk.file]
    for number in 0..<50 { files["!\(number)"] = disk.file }
    files["10.crash"] = disk.file
    files["0.crash.new"] = [1]
    #expect(fault(disk, files, sending: [disk.crashId], then: .exception) == nil)
    // More than a launch takes away, all of them ahead of ours.
    files = ["0.crash": disk.file]
    for number in 0..<300 { files["!\(number)"] = [1] }
    #expect(fault(disk, files, sending: [disk.crashId], leaving: 300 - 64, then: .signal) == nil)
  }
}
