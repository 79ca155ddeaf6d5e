import FuzzHistory
import FuzzInvariants
import SimKernel
import Testing

@Suite("INV-28 Files: place, thread, backup, old or new")
struct INV28Tests {
  private static let install = Array(#"{"anonymousId":"a","version":1}"#.utf8)

  private func start() -> WireHistory {
    let builder = WireHistory()
    builder.launch()
    builder.load()
    builder.makeFolder()
    return builder
  }

  private func message(_ sequence: UInt64) -> [UInt8] {
    JournalBytes.message(sequence: sequence, id: "m\(sequence)", time: WireHistory.epoch)
  }

  private func replaceInstall(_ builder: WireHistory) {
    builder.disk(.write, "/install.json.new", bytes: INV28Tests.install)
    builder.disk(.barrier, "/install.json.new")
    builder.disk(.rename, "/install.json.new", to: "/install.json")
  }

  @Test("a client that stores well, and deaths in its steps")
  func healthy() {
    let builder = start()
    replaceInstall(builder)
    let bytes = message(1)
    for cut in [0, 3, 8, bytes.count - 1] {
      builder.disk(
        .append, WireHistory.journal, bytes: Array(bytes[..<cut]), outcome: .died)
      builder.end(.crash)
      builder.launch()
      builder.disk(.write, "/install.json.new", bytes: [1, 2], outcome: .died)
      builder.end(.crash)
      builder.launch()
      // The torn tail is cut before anything is appended.
      let whole = UInt32(JournalBytes.head.count)
      builder.history.append(
        .disk(
          .truncate, outcome: .done, queue: 1, step: 0,
          path: builder.history.store(WireHistory.folder + WireHistory.journal),
          target: .empty, offset: whole, bytes: .empty), at: builder.now, process: builder.process)
    }
    builder.disk(.append, WireHistory.journal, bytes: bytes)
    builder.end()
    builder.launch()
    expectHealthy(builder, antecedent: "INV-28")
  }

  @Test("nothing is added behind garbage that lay there at the launch (B107)")
  func behindGarbage() {
    func damage(_ builder: WireHistory) {
      let path = builder.history.store(WireHistory.folder + WireHistory.journal)
      let content = JournalBytes.head + [UInt8](repeating: 0xff, count: 12)
      builder.add(.fileDamaged(path: path, .garbled), process: -1)
      builder.add(.fileContent(path: path, bytes: builder.history.store(content)), process: -1)
    }
    // Nothing tells the process of what happens while it runs.
    let healthy = start()
    damage(healthy)
    healthy.disk(.append, WireHistory.journal, bytes: message(1))
    expectHealthy(healthy, antecedent: "INV-28")
    let builder = start()
    builder.end()
    damage(builder)
    builder.wait(.seconds(1))
    builder.launch()
    builder.disk(.append, WireHistory.journal, bytes: message(1))
    expectFinding("INV-28 a record is added where no reader gets to", at: builder.last, builder)
  }

  @Test("the main thread")
  func mainThread() {
    let builder = start()
    builder.disk(.read, "/install.json", outcome: .notFound, queue: 0)
    expectFinding("INV-28 the main thread uses the disk", at: builder.last, builder)
  }

  @Test("a place outside the folder", arguments: ["-other/file", "-other", "/../elsewhere"])
  func outside(path: String) {
    let builder = start()
    builder.disk(.write, path, bytes: [1])
    expectFinding("INV-28 a file lies outside the SDK's folder", at: builder.last, builder)
  }

  @Test("a folder that stays in backups is found after a second")
  func backup() {
    let builder = WireHistory()
    builder.launch()
    builder.load()
    builder.disk(.createDirectory, "/queue")
    builder.disk(.append, WireHistory.journal, bytes: JournalBytes.head)
    builder.wait(.seconds(5))
    builder.disk(.append, WireHistory.journal, bytes: message(1))
    expectFinding("INV-28 the folder is not kept out of backups", at: builder.last, builder)
  }

  @Test("a folder made anew is excluded anew")
  func backupAgain() {
    let builder = start()
    builder.disk(.remove, "")
    builder.disk(.createDirectory, "/queue")
    builder.disk(.append, WireHistory.journal, bytes: JournalBytes.head)
    builder.disk(.excludeFromBackup, "")
    builder.wait(.seconds(5))
    builder.disk(.append, WireHistory.journal, bytes: message(1))
    expectHealthy(builder, antecedent: "INV-28")
  }

  @Test("an install record that was not replaced at once")
  func tornInstall() {
    let builder = start()
    builder.disk(
      .write, "/install.json", bytes: Array(INV28Tests.install.dropLast()), outcome: .died)
    builder.end(.crash)
    builder.launch()
    let launch = builder.history.records.lastIndex { $0.fact.kind == .launched }!
    expectFinding("INV-28 a file is neither old nor new at a launch", at: launch, builder)
  }

  @Test("a torn tail that was not cut before the next append")
  func tornTail() {
    let builder = start()
    builder.disk(
      .append, WireHistory.journal, bytes: Array(message(1).prefix(40)), outcome: .died)
    builder.end(.crash)
    builder.launch()
    builder.disk(.append, WireHistory.journal, bytes: message(2))
    builder.end()
    builder.launch()
    let launch = builder.history.records.lastIndex { $0.fact.kind == .launched }!
    expectFinding("INV-28 a file is neither old nor new at a launch", at: launch, builder)
  }

  @Test("what the world damaged is excused")
  func damaged() {
    let builder = start()
    replaceInstall(builder)
    builder.disk(.append, WireHistory.journal, bytes: message(1), outcome: .inputOutput)
    let path = builder.history.store(WireHistory.folder + "/install.json")
    builder.add(.fileDamaged(path: path, .garbled), process: -1)
    builder.add(
      .fileContent(path: path, bytes: builder.history.store([9, 9] as [UInt8])), process: -1)
    builder.end()
    builder.launch()
    expectHealthy(builder, antecedent: "INV-28")
  }
}
