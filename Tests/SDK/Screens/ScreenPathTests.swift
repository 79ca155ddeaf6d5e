import Foundation
import FuzzProperty
import Testing

@testable import SDK

/// The path of a screen against a reference that works on scalars (API-18, API-19, SCR-16).
@Suite("Paths of screens")
struct ScreenPathTests {
  /// What an app may pass as `path`: the text, and the form that it comes in.
  private struct Given: CustomStringConvertible {
    enum Form: CaseIterable {
      case missing, string, optional, twiceOptional, object, mutableObject
      case none, substring, character, characters, bytes, address, number, truth, null, array
      case dictionary
    }

    var form: Form
    var text: String

    var description: String { "\(form) \(text.debugDescription)" }

    /// Whether JSON and Swift alike call it a string.
    var isString: Bool {
      switch form {
      case .string, .optional, .twiceOptional, .object, .mutableObject: return true
      default: return false
      }
    }

    var properties: [String: Any] {
      switch form {
      case .missing: return [:]
      case .string: return ["path": text]
      case .optional: return ["path": Optional(text) as Any]
      case .twiceOptional: return ["path": Optional(Optional(text)) as Any]
      case .object: return ["path": NSString(string: text)]
      case .mutableObject: return ["path": NSMutableString(string: text)]
      case .none: return ["path": String?.none as Any]
      case .substring: return ["path": text[...]]
      case .character: return ["path": Character("/")]
      case .characters: return ["path": Array(text)]
      case .bytes: return ["path": Data(text.utf8)]
      case .address: return ["path": URL(string: "/orders/9") as Any]
      case .number: return ["path": 47]
      case .truth: return ["path": true]
      case .null: return ["path": NSNull()]
      case .array: return ["path": [text]]
      case .dictionary: return ["path": ["path": text]]
      }
    }

    /// The path that a screen of this name has: a string whose first scalar is U+002F, else that
    /// scalar and the name.
    func path(_ name: String) -> [UInt32] {
      let own = text.unicodeScalars.map { $0.value }
      if isString, let first = own.first, first == 47 { return own }
      return [47] + name.unicodeScalars.map { $0.value }
    }
  }

  /// Texts with a slash, without one, and with what only looks like one.
  private static let texts: Generator<String> = {
    let heads = [
      "/", "", "//", "/\u{301}", "/\u{338}", "/\u{FE0F}", "/\u{200D}", "\u{2215}", "\u{2044}",
      "\u{FF0F}", "\u{FEFF}/", " /", "\\", "\u{0}/", "a/", "\u{202E}/", "/🏴\u{200D}", "%2F",
    ]
    return zip(.element(of: heads), .text(0...8)).map { $0 + $1 }
  }()

  private static let names = Generator<String>.oneOf(
    texts, .text(0...12), .element(of: [String(repeating: "ş", count: 5_000)]))

  private static let given: Generator<(name: String, given: Given)> = {
    let form = Generator<Given.Form>.oneOf(
      .element(of: [.string, .object]), .element(of: Given.Form.allCases))
    return zip(names, zip(form, texts).map { Given(form: $0, text: $1) }).map { ($0, $1) }
  }()

  private static func scalars(_ text: String?) -> [UInt32]? {
    text.map { $0.unicodeScalars.map { $0.value } }
  }

  @Test("derived like the reference, scalar for scalar")
  func derived() throws {
    try check("equal", runs: 6_000, Self.given) { name, given in
      Self.scalars(ScreenPath.derive(name, properties: given.properties)) == given.path(name)
    }
    try check("by name alone", runs: 1_000, Self.names) { name in
      Self.scalars(ScreenPath.derive(name)) == Given(form: .missing, text: "").path(name)
    }
  }

  @Test("a very long path is a path")
  func long() {
    let text = "/" + String(repeating: "a\u{301}/", count: 200_000)
    #expect(ScreenPath.derive("Home", properties: ["path": text]).utf8.elementsEqual(text.utf8))
  }

  /// A window in which controllers appear.
  private final class Window: ViewControllerPort, @unchecked Sendable {
    private var hook: (@Sendable (ViewControllerFacts) -> Void)?
    func hookAppearances(_ handler: @escaping @Sendable (ViewControllerFacts) -> Void) {
      hook = handler
    }
    func appear(_ title: String) {
      let shop = ViewControllerClass(name: "Kiosk.Shop", isFromApple: false)
      hook?(ViewControllerFacts(title: title, classes: [shop]))
    }
  }

  /// Shows a screen and leaves it three times over: to the background, to another screen, and by a
  /// crash.
  /// - Returns: the paths of the screen, of both leaves and of the crash, as they were sent.
  private func sent(_ show: (PostlipMetricsClient, Window) -> Void) -> [[UInt32]?] {
    let machine = ManualPlatform.withCrashes()
    machine.responder = { _ in .success(.status(200)) }
    let window = Window()
    var platform = machine.platform
    platform.viewControllers = window
    let client = PostlipMetricsClient(platform: platform)
    client.load(
      "pk",
      options: .init(
        consent: .implied, trackLifecycle: false, trackScreens: true, remoteConfig: false))
    machine.run()
    show(client, window)
    machine.advance(seconds: 1)
    machine.crashes?.strike(
      RawSignal(signal: .trap, thread: 0, uptime: machine.uptimeNanoseconds))
    let crashed = machine.storage.files[CrashedDisk.folder + "/0.crash"] ?? []
    machine.post(.didEnterBackground)
    machine.advance(seconds: 1)
    machine.post(.willEnterForeground)
    client.screen("Last")
    machine.advance(seconds: 60)
    machine.storage.files[CrashedDisk.folder + "/0.crash"] = crashed
    machine.endProcess()
    machine.draws += 1_000
    _ = machine.start()
    machine.advance(seconds: 60)
    let messages = machine.sentMessages
    let paths = messages.filter { ($0["name"] as? String) != "Last" }
      .map { Self.scalars(machine.field($0, "properties", "path") as? String) }
    return paths
  }

  @Test("sent so with the screen, with both of its leaves, and with a crash on it")
  func onTheWire() throws {
    try check("equal", runs: 300, Self.given) { name, given in
      let paths = sent { client, _ in client.screen(name, properties: given.properties) }
      // A screen without a name is none (S-52): the crash is on no screen.
      if name.isEmpty { return paths == [[]] }
      let path = given.path(name)
      return paths == [path, path, path, Array(path.prefix(2_048))]
    }
  }

  @Test("the path of a controller is a slash and its title, whatever that is")
  func automatic() throws {
    try check("equal", runs: 200, Self.names) { title in
      let paths = sent { _, window in window.appear(title) }
      let path = Given(form: .missing, text: "").path(title.isEmpty ? "Shop" : title)
      return paths == [path, path, path, Array(path.prefix(2_048))]
    }
  }
}
