import FuzzInvariants
import FuzzProperty
import Testing

@testable import SDK

@Suite("Redaction of crash texts")
struct RedactionTests {
  @Test(
    "what may name a person goes, and nothing else (CRA-08 to CRA-11, S-61)",
    arguments: [
      ("Payment state 240 of AJ-1001", "Payment state 240 of AJ-1001"),
      ("no user ayse.yilmaz@example.com here", "no user [redacted] here"),
      ("<ayse@example.co.uk>, code 4711.", "<[redacted]>, code 4711."),
      ("mailto:a%40b.example", "mailto:[redacted]"),
      ("\"ayse y\"@example.com!", "[redacted]!"),
      ("ayşe@posta.örnek.com", "[redacted]"),
      ("root@[192.168.7.1] and icon@2x", "[redacted] and icon@2x"),
      ("123456 stays, 1234567 goes", "123456 stays, [redacted] goes"),
      ("card 4111111111111111, +90 532 123 45 67", "card [redacted], +90 532 123 45 67"),
      ("٠١٢٣٤٥٦ and ４１１１１１１", "[redacted] and [redacted]"),
      (
        "GET https://a.example/v1/pay?card=41&to=me#top failed",
        "GET https://a.example/v1/pay failed"
      ),
      ("/v1/pay?card=41 \"/x?y\" really? yes", "/v1/pay \"/x\" really? yes"),
      ("open(/Users/ayse/Documents/a.txt)", "open(~/Documents/a.txt)"),
      ("file:///Users/ayse/a and /home/ayse", "file://~/a and ~/"),
      (
        "/private/var/mobile/Containers/Data/Application/0F1E2D3C-AAAA/Library/x.db",
        "~/Library/x.db"
      ),
      ("/var/containers/Bundle/Application/0F1E/Kiosk.app/Kiosk", "~/Kiosk.app/Kiosk"),
      ("/var/mobile/Media/x /var/mobiles/y", "~/Media/x /var/mobiles/y"),
      ("https://a.example/Users/ayse/orders", "https://a.example/Users/ayse/orders"),
      ("/Users/ayse?x/1@b.example", "~/"),
    ])
  func examples(_ text: String, _ expected: String) {
    #expect(Redaction.redact(text) == expected)
    #expect(RedactionReference().redact(text) == expected)
  }

  @Test("a message is cut only after it was redacted (CRA-07)")
  func cutLast() {
    let text = String(repeating: "x", count: 995) + " 5321234567"
    #expect(Redaction.message(text) == String(repeating: "x", count: 995) + " [red")
  }

  @Test("text beyond any message is not looked at")
  func veryLong() {
    let text = String(repeating: "9", count: 70_000)
    #expect(Redaction.redact(text) == "[redacted]")
  }

  /// Texts made of what the rules are about, in any order.
  private static let texts: Generator<String> = {
    let pieces: [String] = [
      "/", "?", "@", "%40", ".", "-", "_", "~", ":", "[", "]", "(", ")", "\"", "<", ">", " ", "\n",
      "\u{85}", "\u{3000}", "a", "Z", "é", "ş", "字", "7", "12", "123456", "1234567", "٣", "９", "½",
      "x=1", "Users", "home", "/Users/ayse", "/home/ayse/", "/Users", "/home", "/var/mobile/",
      "/private", "/Containers",
      "/var/containers/Bundle/Application", "ayse", "example.com", ".co", "https://", "file://",
      "ayse@example.com", "\u{301}", "🎉", "'", "+", "=", "&", "#", "[redacted]",
    ]
    // Beyond the basic plane the two libraries know different versions of Unicode.
    let words = Generator<String>.text(0...3).filter {
      $0.unicodeScalars.allSatisfy { $0.value < 0x1_0000 }
    }
    return Generator<String>.oneOf(.element(of: pieces), words).array(0...14)
      .map { $0.joined() }
  }()

  @Test("the same as the rules written as patterns")
  func reference() throws {
    let reference = RedactionReference()
    try check("equal to the reference", runs: 6_000, Self.texts) {
      Redaction.redact($0).unicodeScalars.elementsEqual(reference.redact($0).unicodeScalars)
    }
  }

  @Test("done twice it changes nothing, and nothing private is left")
  func idempotent() throws {
    let reference = RedactionReference()
    try check("idempotent and clean", seed: 1, runs: 3_000, Self.texts) {
      let once = Redaction.redact($0)
      return Redaction.redact(once) == once && reference.isClean(once)
    }
  }

  @Test("an address with a valid local part never survives")
  func addresses() throws {
    let atoms = Array("abcXYZ019!#$%&'*+-/=?^_`{|}~.").map { String($0) }
    let local = Generator<String>.element(of: atoms).array(1...12).map { $0.joined() }
    let labels = Generator<String>.element(of: ["a", "mail", "x-y", "9"]).array(1...3)
      .map { $0.joined(separator: ".") }
    try check("gone", runs: 2_000, zip(local, labels)) { local, labels in
      let address = "\(local)@\(labels).example"
      return !Redaction.redact("to \(address) now").contains("@")
    }
  }
}
