import SimKernel
import Testing

/// What a power loss may take, and what it may not, over many draws.
@Suite struct DiskPowerLossTests {
  private static let draws: ClosedRange<UInt64> = 1...200

  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  private func append(_ disk: inout Disk, _ path: String, _ text: String) {
    _ = disk.put(path, offset: nil, bytes: bytes(text), replacing: false, strike: nil)
  }

  private func text(_ disk: Disk, _ path: String) -> String? {
    disk.index(of: path).map { String(decoding: disk.files[$0].bytes, as: UTF8.self) }
  }

  /// A folder and a file in it, all durable.
  private func disk() -> Disk {
    var disk = Disk()
    _ = disk.createDirectory("a", strike: nil)
    append(&disk, "a/x", "old")
    disk.synchronizeAll()
    return disk
  }

  /// The states that a file is found in after a power loss, sorted; `-` is none.
  private func outcomes(_ path: String, _ change: (inout Disk) -> Void) -> [String] {
    var found: [String] = []
    for draw in DiskPowerLossTests.draws {
      var disk = disk()
      change(&disk)
      _ = disk.losePower(Randomness(seed: 7), key: draw)
      let state = text(disk, path) ?? "-"
      if !found.contains(state) { found.append(state) }
    }
    return found.sorted()
  }

  @Test func anyPrefixOfAnAdditionMayBeLeft() {
    #expect(
      outcomes("a/x") { append(&$0, "a/x", "123") } == ["old", "old1", "old12", "old123"])
  }

  @Test func aBarrierCoversWhatCameBeforeIt() {
    #expect(
      outcomes("a/x") {
        append(&$0, "a/x", "12")
        _ = $0.barrier("a/x", strike: nil)
        append(&$0, "a/x", "3")
      } == ["old12", "old123"])
  }

  @Test func aBarrierThatFailsCoversNothing() {
    #expect(
      outcomes("a/x") {
        append(&$0, "a/x", "1")
        _ = $0.barrier("a/x", strike: .failure(.inputOutput, afterBytes: 0))
      } == ["old", "old1"])
  }

  @Test func aReplacedFileMayBeOldEmptyOrAnyPartOfTheNew() {
    #expect(
      outcomes("a/x") {
        _ = $0.put("a/x", offset: nil, bytes: bytes("NW"), replacing: true, strike: nil)
      } == ["", "N", "NW", "old"])
  }

  @Test func aCutMayBeUndoneAndAnOverwriteBeHalfDone() {
    #expect(outcomes("a/x") { _ = $0.truncate("a/x", to: 1, strike: nil) } == ["o", "old"])
    #expect(
      outcomes("a/x") {
        _ = $0.put("a/x", offset: 0, bytes: bytes("NE"), replacing: false, strike: nil)
      } == ["NEd", "Nld", "old"])
  }

  @Test func aRenameIsWholeOrUndoneButItsContentIsOnItsOwn() {
    #expect(
      outcomes("a/x") {
        append(&$0, "a/x.new", "N")
        _ = $0.rename("a/x.new", to: "a/x", strike: nil)
      } == ["", "N", "old"])
    #expect(
      outcomes("a/x") {
        append(&$0, "a/x.new", "N")
        _ = $0.barrier("a/x.new", strike: nil)
        _ = $0.rename("a/x.new", to: "a/x", strike: nil)
      } == ["N", "old"])
    #expect(
      outcomes("a/x") {
        append(&$0, "a/x.new", "N")
        _ = $0.rename("a/x.new", to: "a/x", strike: nil)
        _ = $0.barrier("a/x", strike: nil)
      } == ["N"])
  }

  @Test func aRemovalMayBeUndoneUntilTheDirectoryIsDurable() {
    #expect(outcomes("a/x") { _ = $0.remove("a/x", strike: nil) } == ["-", "old"])
    #expect(
      outcomes("a/x") {
        _ = $0.remove("a/x", strike: nil)
        _ = $0.barrier("a", strike: nil)
      } == ["-"])
  }

  @Test func aBarrierOnAFileMakesItsFoldersDurableToo() {
    #expect(
      outcomes("b/c/y") {
        _ = $0.createDirectory("b/c", strike: nil)
        append(&$0, "b/c/y", "1")
        _ = $0.barrier("b/c/y", strike: nil)
      } == ["1"])
  }

  @Test func whatLayInAFolderThatWentForGoodWentToo() {
    #expect(
      outcomes("b/y") {
        _ = $0.createDirectory("b", strike: nil)
        append(&$0, "b/y", "1")
        _ = $0.barrier("b/y", strike: nil)
        _ = $0.remove("b/y", strike: nil)
        _ = $0.remove("b", strike: nil)
        _ = $0.barrier("", strike: nil)
        _ = $0.createDirectory("b", strike: nil)
        _ = $0.barrier("b", strike: nil)
      } == ["-"])
  }

  @Test func noFileIsLeftWithoutItsFolder() {
    for draw in DiskPowerLossTests.draws {
      var disk = disk()
      _ = disk.createDirectory("b", strike: nil)
      append(&disk, "b/y", "1")
      _ = disk.barrier("b/y", strike: nil)
      _ = disk.remove("b/y", strike: nil)
      append(&disk, "b/z", "2")
      _ = disk.remove("b", strike: nil)
      _ = disk.losePower(Randomness(seed: 3), key: draw)
      let orphans = disk.files.filter { $0.path.hasPrefix("b/") && !disk.contains(directory: "b") }
      #expect(orphans.isEmpty, "draw \(draw)")
    }
  }

  @Test func theLossesTellWhatIsNotAsItWas() {
    var disk = disk()
    append(&disk, "a/y", "new")
    let losses = disk.losePower(Randomness(seed: 1), key: 4)
    for loss in losses { #expect(loss.path == "a/y") }
    #expect(losses.isEmpty == (text(disk, "a/y") == "new"))
    // What is left is durable.
    #expect(disk.losePower(Randomness(seed: 1), key: 5).isEmpty)
  }

  @Test func oneMomentLosesTheSameEachTimeAndAnotherSomethingElse() {
    func lost(_ key: UInt64) -> [String] {
      var disk = disk()
      for name in ["p", "q", "r", "s"] { append(&disk, "a/" + name, "12345678") }
      return disk.losePower(Randomness(seed: 1), key: key).map { "\($0.path) \($0.byteCount)" }
    }
    #expect(lost(1) == lost(1))
    #expect((2...9).contains { lost($0) != lost(1) })
  }

  @Test func roomIsGivenBackForWhatIsLost() {
    var disk = disk()
    disk.roomBytes = 100
    append(&disk, "a/y", "12345")
    _ = disk.losePower(Randomness(seed: 2), key: 9)
    #expect(disk.roomBytes == 100 - (text(disk, "a/y")?.utf8.count ?? 0))
  }

  @Test func aProtectedDiskRefusesEveryChange() {
    var disk = disk()
    disk.isProtected = true
    #expect(
      disk.put("a/y", offset: nil, bytes: [1], replacing: false, strike: nil).outcome
        == .notPermitted)
    #expect(disk.remove("a/x", strike: nil).outcome == .notPermitted)
    #expect(disk.rename("a/x", to: "a/y", strike: nil).outcome == .notPermitted)
    #expect(disk.truncate("a/x", to: 0, strike: nil).outcome == .notPermitted)
    #expect(disk.barrier("a/x", strike: nil).outcome == .notPermitted)
    #expect(disk.createDirectory("c", strike: nil).outcome == .notPermitted)
    #expect(disk.excludeFromBackup("a", strike: nil).outcome == .notPermitted)
    #expect(disk.files.map(\.path) == ["a/x"])
  }

  @Test func aBackupHasNothingOfAnExcludedFolder() {
    var disk = disk()
    _ = disk.createDirectory("b", strike: nil)
    append(&disk, "b/y", "1")
    _ = disk.excludeFromBackup("a", strike: nil)
    disk.restoreFromBackup()
    #expect(disk.files.map(\.path) == ["b/y"])
    #expect(disk.directories == ["b"])
    #expect(disk.excludedFromBackup.isEmpty)
    disk.removeEverything()
    #expect(disk.files.isEmpty)
  }
}
