import Testing

@testable import SDK

@Suite("The record of an install")
struct InstallRecordTests {
  private static let id = "0b5b9b1e-93a4-4c1e-8f7c-1d2e3f405162"

  private static let records: [InstallRecord] = {
    let app = AppVersion(version: "1.4.0 \"β\"", build: "140")
    let times: [Int64] = [1_780_000_000_123, 0, -1, .max, .min]
    return [InstallRecord(anonymousId: id)]
      + times.map { time in
        InstallRecord(
          anonymousId: id, userId: "user",
          marks: InstallMarks(
            app: app, firstOpen: PendingFirstOpen(messageId: id, sessionId: id, time: time)))
      }
      + [InstallRecord(anonymousId: id, marks: InstallMarks(app: app, isOpened: true))]
  }()

  @Test("every field comes back as it was written (B21)", arguments: records)
  func roundTrip(_ record: InstallRecord) {
    #expect(InstallRecord.parse(record.encode()) == record)
  }

  @Test(
    "a damaged mark makes it a damaged record (S-38)",
    arguments: [
      #""app":{"version":"1"}"#, #""app":"1""#, #""firstOpen":{}"#, #""opened":1"#,
      #""firstOpen":{"messageId":"x","sessionId":"x","time":1}"#,
    ])
  func damaged(_ member: String) {
    let text = "{\"anonymousId\":\"\(Self.id)\",\(member),\"version\":1}"
    #expect(InstallRecord.parse(Array(text.utf8)) == nil)
  }

  @Test("marks that were on disk stand over those of a process that could not read them")
  func merged() {
    let old = AppVersion(version: "1", build: "1")
    let new = AppVersion(version: "2", build: "2")
    let pending = PendingFirstOpen(messageId: Self.id, sessionId: Self.id, time: 1)
    let later = PendingFirstOpen(messageId: Self.id, sessionId: Self.id, time: 2)
    let own = InstallMarks(app: new, firstOpen: later)
    #expect(
      own.merged(into: InstallMarks(app: old, isOpened: true))
        == InstallMarks(app: old, isOpened: true))
    #expect(
      own.merged(into: InstallMarks(app: old, firstOpen: pending))
        == InstallMarks(app: old, firstOpen: pending))
    #expect(own.merged(into: InstallMarks()) == own)
  }
}
