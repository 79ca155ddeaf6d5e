import Testing

@testable import SDK

@Suite("The store of a client")
struct StoreTests {
  let storage = MemoryStorage()
  private let first = InstallRecord(anonymousId: "01234567-89ab-4def-bedc-ba9876543210")
  private let second = InstallRecord(
    anonymousId: "11234567-89ab-4def-bedc-ba9876543210", userId: "u\"1\"")

  private func makeStore() -> Store { Store(storage: storage, directory: "app/store") }

  /// The files that consent governs.
  private var governed: [String] {
    storage.files.keys.sorted().filter { !$0.hasPrefix("app/store/consent.") }
  }

  private func keep(_ record: InstallRecord, _ store: Store) -> StorageError? {
    var queue = MessageQueue()
    store.keep(record)
    return store.commit(&queue, isStoring: true)
  }

  @Test("ids come back, byte for byte as documented")
  func install() {
    #expect(keep(second, makeStore()) == nil)
    #expect(
      String(decoding: storage.files["app/store/install.json"] ?? [], as: UTF8.self)
        == #"{"anonymousId":"11234567-89ab-4def-bedc-ba9876543210","userId":"u\"1\"","version":1}"#)
    let store = makeStore()
    #expect(store.loadInstall() == nil)
    #expect(store.install == .known(second))
    #expect(storage.excluded == ["app/store"])
  }

  @Test("the folder is kept out of backups before there is a file in it")
  func excludedFirst() {
    _ = keep(first, makeStore())
    let order = storage.steps.map { $0.operation }
    #expect(
      order == [
        "createDirectory", "excludeFromBackup", "size", "write", "barrier", "createDirectory",
        "write", "barrier", "rename",
      ])
    #expect(storage.files["app/store/consent.spare"]?.count == ConsentRecord.byteCount)
  }

  @Test("nothing is written twice")
  func unchanged() {
    let store = makeStore()
    _ = keep(first, store)
    let count = storage.steps.count
    #expect(keep(first, store) == nil)
    #expect(storage.steps.count == count)
  }

  @Test("a death at any step leaves the old ids or the new ones")
  func killPoints() {
    for step in 0..<12 {
      for part in [0, 1, 40, 83] {
        let test = StoreTests()
        _ = test.keep(test.first, test.makeStore())
        let store = test.makeStore()
        _ = store.loadInstall()
        test.storage.dieAtStep = test.storage.steps.count + step
        test.storage.bytesOfLastStep = part
        _ = test.keep(test.second, store)
        test.storage.dieAtStep = nil
        let later = test.makeStore()
        #expect(later.loadInstall() == nil)
        #expect(
          later.install == .known(test.first) || later.install == .known(test.second),
          "step \(step), \(part) bytes")
        #expect(test.keep(test.first, later) == nil)
      }
    }
  }

  @Test(
    "a damaged record, or one of another version, counts as none",
    arguments: [
      "", "{}", "null", "[]", "{\"anonymousId\":\"x\",\"version\":1}",
      "{\"anonymousId\":\"01234567-89ab-4def-bedc-ba9876543210\",\"version\":2}",
      "{\"anonymousId\":\"01234567-89ab-4def-bedc-ba9876543210\"}",
      "{\"anonymousId\":\"01234567-89ab-4def-bedc-ba9876543210\",\"userId\":\"\",\"version\":1}",
      "{\"anonymousId\":\"01234567-89ab-4def-bedc-ba9876543210\",\"userId\":7,\"version\":1}",
      "{\"anonymousId\":\"01234567-89ab-4def-bedc-ba9876543210\",\"version\":1",
    ])
  func damaged(_ text: String) {
    storage.files["app/store/install.json"] = Array(text.utf8)
    let store = makeStore()
    #expect(store.loadInstall() == nil)
    #expect(store.install == .absent)
  }

  @Test("ids that could not be read are not replaced by others (B01)")
  func unreadable() {
    _ = keep(second, makeStore())
    storage.failure = { $0.operation == "read" ? .notPermitted : nil }
    let store = makeStore()
    #expect(store.loadInstall() == .notPermitted)
    #expect(store.install == .unreadable)
    #expect(keep(first, store) == .notPermitted)
    storage.failure = nil
    // Once they can be read, the stored visitor stays, and only the user changes.
    var queue = MessageQueue()
    #expect(store.commit(&queue, isStoring: true) == nil)
    let later = makeStore()
    _ = later.loadInstall()
    #expect(later.install == .known(InstallRecord(anonymousId: second.anonymousId)))
  }

  @Test("the stored visitor stays also where the first write after that fails, and later ones come")
  func unreadableThenFull() {
    _ = keep(second, makeStore())
    storage.failure = { $0.operation == "read" ? .notPermitted : nil }
    let store = makeStore()
    _ = store.loadInstall()
    storage.failure = { $0.operation == "write" ? .noSpace : nil }
    #expect(keep(first, store) == .noSpace)
    storage.failure = nil
    var queue = MessageQueue()
    #expect(store.commit(&queue, isStoring: true) == nil)
    #expect(store.install == .known(InstallRecord(anonymousId: second.anonymousId)))
    let named = InstallRecord(anonymousId: first.anonymousId, userId: "u")
    #expect(keep(named, store) == nil)
    #expect(store.install == .known(InstallRecord(anonymousId: second.anonymousId, userId: "u")))
    let reset = InstallRecord(anonymousId: "21234567-89ab-4def-bedc-ba9876543210")
    #expect(keep(reset, store) == nil && store.install == .known(reset))
  }

  @Test("an id too long for any message is not stored, the visitor is")
  func longUser() {
    var record = first
    record.userId = String(repeating: "x", count: 100_000)
    _ = keep(record, makeStore())
    let store = makeStore()
    _ = store.loadInstall()
    #expect(store.install == .known(first))
  }

  @Test("a wipe leaves nothing, also of a process that died, and is not done twice")
  func wipe() {
    let store = makeStore()
    var queue = MessageQueue()
    try? storage.createDirectory("app/store")
    storage.files["app/store/session.json.new"] = [1]
    store.wipe()
    #expect(store.commit(&queue, isStoring: false) == nil)
    #expect(governed.isEmpty)
    let steps = storage.steps.count
    store.wipe()
    #expect(store.commit(&queue, isStoring: false) == nil)
    #expect(storage.steps.count == steps)
    _ = keep(second, store)
    storage.files["app/store/install.json.new"] = [1]
    storage.files["app/store/queue/0000000000000001.journal"] = JournalFormat.head
    store.wipe()
    #expect(store.commit(&queue, isStoring: false) == nil)
    #expect(governed.isEmpty)
    #expect(!store.isWipePending)
  }

  @Test("a wipe that fails is finished later; a file that is denied saves no other")
  func stubbornWipe() {
    let store = makeStore()
    var queue = MessageQueue()
    _ = keep(second, store)
    for number in 1...3 {
      storage.files["app/store/queue/000000000000000\(number).journal"] = JournalFormat.head
    }
    let denied = "app/store/queue/0000000000000002.journal"
    storage.failure = { step in
      step.operation == "remove" && (step.path == denied || step.path == "app/store/queue")
        ? .notPermitted : nil
    }
    store.wipe()
    #expect(store.commit(&queue, isStoring: false) == .notPermitted)
    #expect(governed == [denied])
    #expect(store.isWipePending)
    // Storing goes on beside it.
    #expect(keep(first, store) == .notPermitted)
    #expect(storage.files["app/store/install.json"] != nil)
    storage.failure = nil
    #expect(store.commit(&queue, isStoring: true) == nil)
    #expect(governed == ["app/store/install.json"])
    #expect(!store.isWipePending)
  }

  @Test("after a wipe the folders are made anew")
  func wipeThenStore() {
    let store = makeStore()
    var queue = MessageQueue()
    _ = keep(second, store)
    store.wipe()
    _ = store.commit(&queue, isStoring: false)
    #expect(keep(first, store) == nil)
    let later = makeStore()
    _ = later.loadInstall()
    #expect(later.install == .known(first))
  }
}
