import SimKernel
import Testing

@Suite struct DiskTests {
  private func disk() -> Disk {
    var disk = Disk()
    _ = disk.createDirectory("a/b", strike: nil)
    return disk
  }

  private func put(_ disk: inout Disk, _ path: String, _ text: String) -> DiskResult {
    disk.put(path, offset: nil, bytes: Array(text.utf8), replacing: false, strike: nil)
  }

  private func text(_ disk: Disk, _ path: String) -> String? {
    disk.index(of: path).map { String(decoding: disk.files[$0].bytes, as: UTF8.self) }
  }

  @Test func appendsAddUpAndAWriteReplaces() {
    var disk = disk()
    #expect(put(&disk, "a/x", "one").outcome == .done)
    #expect(put(&disk, "a/x", "two").offset == 3)
    #expect(text(disk, "a/x") == "onetwo")
    _ = disk.put("a/x", offset: nil, bytes: [0x7a], replacing: true, strike: nil)
    #expect(text(disk, "a/x") == "z")
    _ = put(&disk, "a/x", "12345")
    _ = disk.put("a/x", offset: 2, bytes: [0x2d, 0x2d], replacing: false, strike: nil)
    #expect(text(disk, "a/x") == "z1--45")
  }

  @Test func aFileNeedsItsDirectory() {
    var disk = disk()
    #expect(put(&disk, "c/x", "one").outcome == .notFound)
    #expect(disk.names(in: "c") == nil)
    #expect(disk.names(in: "a") == ["b"])
  }

  @Test func aFullDiskKeepsThePartThatFits() {
    var disk = disk()
    disk.roomBytes = 4
    let result = put(&disk, "a/x", "123456")
    #expect(result.outcome == .noSpace)
    #expect(result.writtenCount == 4)
    #expect(text(disk, "a/x") == "1234")
    _ = disk.remove("a/x", strike: nil)
    #expect(disk.roomBytes == 4)
  }

  @Test func overwritingNeedsNoRoom() {
    var disk = disk()
    _ = put(&disk, "a/x", "123456")
    disk.roomBytes = 0
    let result = disk.put("a/x", offset: 1, bytes: [0x2d], replacing: false, strike: nil)
    #expect(result.outcome == .done)
    #expect(text(disk, "a/x") == "1-3456")
  }

  @Test func aDeathLeavesAnyPartOfAWriteButARenameIsWholeOrNot() {
    var disk = disk()
    let torn = disk.put(
      "a/x", offset: nil, bytes: Array("123456".utf8), replacing: false,
      strike: .death(afterBytes: 2, atomicStepDone: false))
    #expect(torn.outcome == .died)
    #expect(text(disk, "a/x") == "12")
    _ = disk.rename(
      "a/x", to: "a/y", strike: .death(afterBytes: 0, atomicStepDone: false))
    #expect(text(disk, "a/x") == "12")
    let done = disk.rename("a/x", to: "a/y", strike: .death(afterBytes: 0, atomicStepDone: true))
    #expect(done.outcome == .diedAfter)
    #expect(text(disk, "a/x") == nil)
    #expect(text(disk, "a/y") == "12")
  }

  @Test func aDeniedFileIsThereAndRefusesEverything() throws {
    var disk = disk()
    _ = put(&disk, "a/b/x", "one")
    disk.setDenied(true, at: try #require(disk.index(of: "a/b/x")))
    #expect(put(&disk, "a/b/x", "two").outcome == .notPermitted)
    #expect(disk.remove("a/b/x", strike: nil).outcome == .notPermitted)
    #expect(disk.remove("a/b", strike: nil).outcome == .notPermitted)
    #expect(disk.rename("a/b/x", to: "a/y", strike: nil).outcome == .notPermitted)
    #expect(disk.names(in: "a/b") == ["x"])
    disk.allowEverything()
    #expect(put(&disk, "a/b/x", "two").outcome == .done)
  }

  @Test func removingADirectoryTakesWhatIsInIt() {
    var disk = disk()
    _ = put(&disk, "a/b/x", "one")
    _ = put(&disk, "a/z", "two")
    _ = disk.excludeFromBackup("a/b", strike: nil)
    #expect(disk.remove("a/b", strike: nil).outcome == .done)
    #expect(disk.files.map(\.path) == ["a/z"])
    #expect(disk.excludedFromBackup == [])
    #expect(disk.remove("a/b", strike: nil).outcome == .notFound)
  }

  @Test func aRenameOverAFileReplacesIt() {
    var disk = disk()
    _ = put(&disk, "a/x", "old")
    _ = put(&disk, "a/x.new", "new")
    #expect(disk.rename("a/x.new", to: "a/x", strike: nil).outcome == .done)
    #expect(text(disk, "a/x") == "new")
    #expect(disk.files.count == 1)
  }

  @Test func truncatingCutsAndAFailureChangesNothing() {
    var disk = disk()
    _ = put(&disk, "a/x", "123456")
    let failed = disk.truncate("a/x", to: 2, strike: .failure(.inputOutput, afterBytes: 0))
    #expect(failed.outcome == .inputOutput)
    #expect(text(disk, "a/x") == "123456")
    _ = disk.truncate("a/x", to: 2, strike: nil)
    #expect(text(disk, "a/x") == "12")
  }
}
