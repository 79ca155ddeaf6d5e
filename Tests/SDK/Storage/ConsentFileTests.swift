import Testing

@testable import SDK

@Suite("The decision on disk")
struct ConsentFileTests {
  let storage = MemoryStorage()
  private static let path = "app/consent.json"
  private static let spare = "app/consent.spare"

  private func make() -> ConsentFile {
    storage.directories.insert("app")
    return ConsentFile(storage: storage, directory: "app")
  }

  private func text(_ path: String = ConsentFileTests.path) -> String? {
    storage.files[path].map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(
    "256 bytes with sorted keys, and only what was passed",
    arguments: [
      (ConsentRecord(), #"{"opened":false,"version":1}"#),
      (ConsentRecord(isOpened: true), #"{"opened":true,"version":1}"#),
      (
        ConsentRecord(analytics: true, marketing: false, isOpened: true),
        #"{"decision":{"analytics":true,"marketing":false},"opened":true,"version":1}"#
      ),
      (
        ConsentRecord(marketing: true),
        #"{"decision":{"marketing":true},"opened":false,"version":1}"#
      ),
    ])
  func encoding(record: ConsentRecord, text: String) {
    let bytes = record.encode()
    #expect(bytes.count == ConsentRecord.byteCount)
    #expect(String(decoding: bytes, as: UTF8.self).drop { $0 != " " }.allSatisfy { $0 == " " })
    #expect(String(decoding: bytes.prefix(text.utf8.count), as: UTF8.self) == text)
    #expect(ConsentRecord.parse(bytes) == record)
  }

  @Test(
    "damaged, or of another version: declined (S-35, S-38)",
    arguments: [
      "", "{}", "null", #"{"opened":true}"#, #"{"opened":true,"version":2}"#,
      #"{"decision":true,"opened":true,"version":1}"#,
      #"{"decision":{"analytics":1},"opened":true,"version":1}"#,
      #"{"decision":{"analytics":true,"opened":true,"version":1}"#,
    ])
  func damaged(text: String) {
    let file = make()
    storage.files[Self.path] = Array(text.utf8)
    #expect(file.load() == nil)
    #expect(file.decision == .declined)
    // A flag that is not passed stays declined.
    file.decide(analytics: nil, marketing: true)
    #expect(file.commit() == nil)
    #expect(
      ConsentRecord.parse(storage.files[Self.path] ?? [])
        == ConsentRecord(analytics: false, marketing: true))
  }

  @Test("flags that were not passed stay as they are stored (CON-23)")
  func merging() {
    let first = make()
    first.decide(analytics: true, marketing: nil)
    first.setOpened(true)
    #expect(first.commit() == nil)
    let second = make()
    #expect(second.load() == nil)
    second.decide(analytics: nil, marketing: false)
    #expect(second.commit() == nil)
    let third = make()
    #expect(third.load() == nil)
    #expect(third.decision == ConsentRecord(analytics: true, marketing: false, isOpened: true))
    let count = storage.steps.count
    third.decide(analytics: true, marketing: nil)
    #expect(!third.hasWork && third.commit() == nil && storage.steps.count == count)
  }

  @Test(
    "a death at any step leaves the old decision or the new one (S-42)", arguments: [true, false])
  func killPoints(hasSpare: Bool) {
    for step in 0..<8 {
      for part in [0, 1, 60, 255] {
        let test = ConsentFileTests()
        let first = test.make()
        first.decide(analytics: true, marketing: true)
        #expect(first.commit() == nil)
        if hasSpare { #expect(first.makeSpare() == nil) }
        test.storage.dieAtStep = test.storage.steps.count + step
        test.storage.bytesOfLastStep = part
        first.decide(analytics: false, marketing: nil)
        _ = first.commit()
        test.storage.dieAtStep = nil
        let later = test.make()
        #expect(later.load() == nil)
        #expect(
          later.decision == ConsentRecord(analytics: true, marketing: true)
            || later.decision == ConsentRecord(analytics: false, marketing: true),
          "step \(step), \(part) bytes")
        later.decide(analytics: false, marketing: nil)
        #expect(later.commit() == nil && later.makeSpare() == nil)
        #expect(test.storage.files[Self.spare]?.count == ConsentRecord.byteCount)
      }
    }
  }

  @Test("a full disk takes a decision where a spare lies, and another where room comes (A-08)")
  func full() {
    let file = make()
    #expect(file.makeSpare() == nil)
    storage.room = 0
    file.decide(analytics: false, marketing: nil)
    #expect(file.commit() == nil)
    #expect(ConsentRecord.parse(storage.files[Self.path] ?? [])?.analytics == false)
    #expect(storage.files[Self.spare] == nil)
    #expect(file.makeSpare() == .noSpace)
    file.decide(analytics: nil, marketing: false)
    #expect(file.commit() == .noSpace)
    #expect(file.hasWork)
    storage.room = nil
    #expect(file.commit() == nil && !file.hasWork)
    #expect(
      ConsentRecord.parse(storage.files[Self.path] ?? [])
        == ConsentRecord(analytics: false, marketing: false))
    #expect(file.makeSpare() == nil)
  }

  @Test("the rename is made durable, again where that failed")
  func durable() {
    let file = make()
    storage.failure = { $0.operation == "barrier" && $0.path == Self.path ? .inputOutput : nil }
    file.decide(analytics: true, marketing: nil)
    #expect(file.commit() == .inputOutput)
    #expect(!file.hasChanges && file.hasWork)
    storage.failure = nil
    #expect(file.commit() == nil && !file.hasWork)
    #expect(storage.steps.last == .init(operation: "barrier", path: Self.path))
  }

  @Test("locked: only withdrawals are written, once the file can be read (A-07)")
  func locked() {
    let before = make()
    before.decide(analytics: true, marketing: true)
    #expect(before.commit() == nil)
    let file = make()
    storage.failure = { _ in .notPermitted }
    #expect(file.load() == .notPermitted)
    #expect(file.isLocked && file.decision == nil)
    file.decide(analytics: true, marketing: nil)
    #expect(!file.hasWork)
    file.decide(analytics: true, marketing: false)
    #expect(file.prepare() == .notPermitted)
    storage.failure = nil
    #expect(file.prepare() == nil && file.commit() == nil)
    #expect(
      ConsentRecord.parse(storage.files[Self.path] ?? [])
        == ConsentRecord(analytics: true, marketing: false))
    // Even after unlocking.
    file.decide(analytics: nil, marketing: true)
    #expect(file.isLocked && !file.hasWork)
  }
}
