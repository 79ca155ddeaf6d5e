import Testing

@testable import SDK

@Suite("Checksums, hashes and ids from names")
struct ChecksumTests {
  private func crc(_ text: String) -> UInt32 {
    Array(text.utf8).withUnsafeBytes { crc32($0) }
  }

  @Test("CRC-32 of published vectors")
  func crcVectors() {
    #expect(crc("") == 0)
    #expect(crc("a") == 0xE8B7_BE43)
    #expect(crc("123456789") == 0xCBF4_3926)
    #expect(crc("The quick brown fox jumps over the lazy dog") == 0x414F_A339)
    #expect([UInt8](repeating: 0, count: 32).withUnsafeBytes { crc32($0) } == 0x190A_55AD)
    #expect([UInt8](repeating: 0xFF, count: 32).withUnsafeBytes { crc32($0) } == 0xFF6C_AB0B)
  }

  @Test("FNV-1a 64 of published vectors")
  func fnvVectors() {
    #expect(fnv1a64("".utf8) == 0xCBF2_9CE4_8422_2325)
    #expect(fnv1a64("a".utf8) == 0xAF63_DC4C_8601_EC8C)
    #expect(fnv1a64("foobar".utf8) == 0x8594_4171_F739_67E8)
  }

  private func sha(_ bytes: [UInt8]) -> String {
    String(
      decoding: SHA256.digest(bytes).flatMap { [hexDigit($0 >> 4), hexDigit($0 & 0xF)] },
      as: UTF8.self)
  }

  @Test("SHA-256 of published vectors")
  func shaVectors() {
    #expect(
      sha([]) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(
      sha(Array("abc".utf8))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      sha(Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8))
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    #expect(
      sha([UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000))
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test("lengths around a block's end differ", arguments: [55, 56, 57, 63, 64, 65, 119, 120])
  func padding(_ count: Int) {
    let one = sha([UInt8](repeating: 1, count: count))
    #expect(one != sha([UInt8](repeating: 1, count: count + 1)))
    #expect(one.utf8.count == 64)
  }

  @Test("a name-based id of version 8, as in RFC 9562")
  func nameBased() {
    // The namespace of names in DNS.
    let namespace = (high: UInt64(0x6ba7_b810_9dad_11d1), low: UInt64(0x80b4_00c0_4fd4_30c8))
    #expect(
      Identifier.nameBased(namespace: namespace, name: Array("www.example.com".utf8))
        == "5c146b14-3c52-8afd-938a-375d0df1fbf6")
  }

  @Test(
    "base64 of the vectors in RFC 4648",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
      ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ])
  func base64(_ text: String, _ expected: String) {
    var bytes: [UInt8] = []
    Base64.append(Array(text.utf8), to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == expected)
  }
}
