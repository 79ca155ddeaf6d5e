import Testing

@testable import SDK

@Suite("Ids")
struct IdentifierTests {
  @Test("random ids have version and variant of RFC 9562 and nothing else changed")
  func uuid() {
    #expect(
      Identifier.uuid((0x0123_4567_89AB_CDEF, 0xFEDC_BA98_7654_3210))
        == "01234567-89ab-4def-bedc-ba9876543210")
    #expect(Identifier.uuid((0, 0)) == "00000000-0000-4000-8000-000000000000")
    #expect(Identifier.uuid((.max, .max)) == "ffffffff-ffff-4fff-bfff-ffffffffffff")
  }

  @Test(
    "message ids that are taken",
    arguments: ["a", "!", "~", "purchase:AJ-1001", String(repeating: "x", count: 100), "\"\\"])
  func valid(_ id: String) {
    #expect(Identifier.isValidMessageIdentifier(id))
  }

  @Test(
    "message ids that are not",
    arguments: [
      "", " ", "a b", String(repeating: "x", count: 101), "é", "a\n", "\u{7F}", "\u{1F}", "🚲",
      "\u{0}",
    ])
  func invalid(_ id: String) {
    #expect(!Identifier.isValidMessageIdentifier(id))
  }

  @Test("stored ids must be lowercase UUIDs")
  func stored() {
    #expect(Identifier.isUUID("01234567-89ab-4def-bedc-ba9876543210"))
    #expect(!Identifier.isUUID("01234567-89AB-4def-bedc-ba9876543210"))
    #expect(!Identifier.isUUID("01234567-89ab-4def-bedc-ba987654321"))
    #expect(!Identifier.isUUID("01234567-89ab-4def-bedc-ba98765432100"))
    #expect(!Identifier.isUUID("01234567089ab-4def-bedc-ba9876543210"))
    #expect(!Identifier.isUUID(""))
  }

  @Test(
    "user ids shaped like an address or a number are noticed",
    arguments: [
      "ayse@example.com", "a@b.c", "+90 532 123 45 67", "+905321234567", "(0532) 123-4567",
      "05321234567", "+1234567",
    ])
  func personal(_ id: String) {
    #expect(Identifier.looksPersonal(id))
  }

  @Test(
    "opaque user ids are not",
    arguments: [
      "", "usr_7c1e", "1234567", "user@home", "@x.y", "a@b@c.d", "a@.b", "01234567-89ab-4def",
      "1234567890123456", "+12", "12+34567890", "ayse", "a@b.",
    ])
  func opaque(_ id: String) {
    #expect(!Identifier.looksPersonal(id))
  }
}
