import Foundation
import FuzzProperty
import Testing

@testable import SDK

/// The User-Agent of every request, whatever app and device call themselves (PRV-07, TRN-06, A-22).
@Suite("The User-Agent")
struct UserAgentTests {
  /// What app and device call themselves.
  private struct Words: CustomStringConvertible {
    var app: [String]
    var device: [String]
    var system: String
    var all: [String] { app + device + [system] }
    var description: String { "\(app) \(device) \(system.debugDescription)" }

    var context: FixedContext {
      FixedContext(
        appName: app[0], appVersion: app[1], appBuild: app[2], appNamespace: app[3],
        deviceType: device[0], deviceManufacturer: device[1], deviceModel: device[2],
        systemName: device[3], systemVersion: system)
    }
  }

  private static let words: Generator<Words> = {
    let parts = [
      "postlip", "metrics", "swift", "postlip-metrics-swift", "0.1.0",
      "postlip-metrics-swift/0.1.0",
      "/", " ", "\r\n", "\r", "\n", "\t", "\u{0}", ":", ";", ",", "(", ")", "(iPhone15,2)", "\"",
      "Kiosk", "com.example.kiosk", "iPhone15,2", "Mozilla/5.0", "CFNetwork/1494", "Darwin/23.5.0",
      "User-Agent: x", "\r\nX-Evil: 1", "é", "字", "🏴", "\u{202E}", "%0D%0A",
    ]
    let word = Generator<String>.oneOf(.element(of: parts), .text(0...12)).array(0...4)
      .map { $0.joined() }
    let system = Generator<String>.oneOf(.element(of: ["17.5.1", "14.3", "26.0"]), word)
    return zip(word.array(4...4), word.array(4...4), system)
      .map { Words(app: $0, device: $1, system: $2) }
  }()

  /// The parts of a `product` as RFC 9110 has it (10.1.5, 5.6.2): two tokens around a slash; nil
  /// for anything else.
  private static func product(_ text: String) -> (name: String, version: String)? {
    let marks = Set("!#$%&'*+-.^_`|~".unicodeScalars)
    func isToken(_ part: some StringProtocol) -> Bool {
      !part.isEmpty
        && part.unicodeScalars.allSatisfy { scalar in
          switch scalar {
          case "a"..."z", "A"..."Z", "0"..."9": return true
          default: return marks.contains(scalar)
          }
        }
    }
    let parts = text.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
      .map { String($0) }
    guard parts.count == 2, parts.allSatisfy({ isToken($0) }) else { return nil }
    return (parts[0], parts[1])
  }

  @Test(
    "the reference knows a product from anything else",
    arguments: [
      ("a/1", true), ("postlip-metrics-swift/0.1.0", true), ("a", false), ("/1", false),
      ("a/", false), ("a/1/2", false), ("a b/1", false), ("a/1 (x)", false), ("a/1\r\nb: c", false),
      ("é/1", false), ("a/1,2", false), ("", false), ("!#$%&'*+-.^_`|~/1", true),
    ])
  func grammar(_ text: String, _ isProduct: Bool) {
    #expect((Self.product(text) != nil) == isProduct)
  }

  /// Lives through a launch in which every lane is used.
  private func requests(_ words: Words) -> [HTTPRequest] {
    let machine = ManualPlatform.healthy()
    machine.fixedContext = words.context
    // A batch that is refused once goes again.
    var isFirst = true
    machine.responder = { request in
      guard request.purpose == "batch", isFirst else { return .success(.status(200)) }
      isFirst = false
      return .success(.status(503))
    }
    let client = machine.start(
      .init(consent: .notRequired, trackLifecycle: true, remoteConfig: true))
    client.screen("Basket")
    machine.advance(seconds: 1)
    machine.tellToken("TOKEN")
    machine.advance(seconds: 120)
    return machine.exchanges.map { $0.request }
  }

  @Test("every request of every lane names the SDK and its version, and nothing else")
  func everyRequest() throws {
    var lanes: [String: Int] = [:]
    try check("the SDK alone", runs: 400, Self.words) { words in
      let requests = requests(words)
      for request in requests {
        lanes[request.purpose, default: 0] += 1
        let agents = request.headers.filter { $0.name.lowercased() == "user-agent" }
        guard agents.count == 1, let product = Self.product(agents[0].value) else { return false }
        guard product == ("postlip-metrics-swift", "0.1.0") else { return false }
        // What is none of the SDK's own words stands in no header at all.
        let own = "postlip-metrics-swift/0.1.0"
        for word in words.all where !word.isEmpty && !own.contains(word) {
          if agents[0].value.contains(word) { return false }
        }
        let control = request.headers.contains { header in
          (header.name + header.value).unicodeScalars.contains { $0.value < 0x20 }
        }
        if control { return false }
      }
      return requests.contains { $0.purpose == "batch" }
    }
    // Which lanes a run uses hangs on the system's version for one of them only.
    #expect(lanes.keys.sorted() == ["attribution", "batch", "config"])
    #expect(lanes["config"] == 400 && lanes["attribution"] ?? 0 > 100)
    #expect(lanes["batch"] ?? 0 >= 800)
  }

  @Test("messages name the same library in the same version")
  func library() throws {
    let machine = ManualPlatform.healthy()
    let client = machine.start()
    client.track("tapped")
    machine.advance(seconds: 60)
    let message = try #require(machine.sentMessages.first)
    let name = machine.field(message, "context", "library", "name") as? String
    let version = machine.field(message, "context", "library", "version") as? String
    let agent = machine.batchRequests[0].headers.first { $0.name == "User-Agent" }?.value
    #expect(agent == "\(name ?? "")/\(version ?? "")")
  }
}
