/// Which controllers that appear are screens, and by what name (SCR-10 to SCR-13, C-22).
enum AutomaticScreen {
  private static let containers = [
    "UINavigationController", "UITabBarController", "UIPageViewController",
    "UISplitViewController",
  ]

  /// The name of the screen; nil if the controller is none.
  static func name(_ controller: ViewControllerFacts) -> String? {
    guard let own = controller.classes.first, !isApples(controller.classes),
      !isContainer(controller.classes)
    else { return nil }
    if let parent = controller.parents.first, !isApples(parent), !isContainer(parent) {
      // A part of a screen that the app has put together itself.
      return nil
    }
    if let title = controller.title, !title.isEmpty { return title }
    let name = withoutModules(own.name)
    return name.isEmpty ? nil : name
  }

  /// Also what the app has derived from a container.
  private static func isContainer(_ classes: [ViewControllerClass]) -> Bool {
    classes.contains { type in type.isFromApple && containers.contains(type.name) }
  }

  /// Also what the app has derived from a hosting controller: what it shows is SwiftUI's.
  private static func isApples(_ classes: [ViewControllerClass]) -> Bool {
    guard let own = classes.first else { return false }
    return own.isFromApple || classes.contains(where: isHost)
  }

  private static func isHost(_ type: ViewControllerClass) -> Bool {
    guard type.isFromApple else { return false }
    let name = withoutModules(type.name)
    return name == "UIHostingController" || name.hasPrefix("UIHostingController<")
  }

  /// A name without the module of any of its parts: `Shop.Box<Shop.Cart>` is `Box<Cart>`, and
  /// `Shop.Cart.Controller` is `Cart.Controller`. What names a private place in a file, such as
  /// `(unknown context at $1f)`, is left out: it differs from build to build.
  static func withoutModules(_ name: String) -> String {
    var result: [UInt8] = []
    var part: [UInt8] = []
    var isFirst = true
    var depth = 0
    func isWord(_ byte: UInt8) -> Bool {
      byte == 0x5F || byte >= 0x80 || (0x30...0x39).contains(byte)
        || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
    let bytes = Array(name.utf8)
    for (place, byte) in bytes.enumerated() {
      let isPrivate = byte == 0x28 && place > 0 && bytes[place - 1] == 0x2E
      if depth > 0 || isPrivate {
        // Up to the closing parenthesis, with the dot that follows it.
        depth += byte == 0x28 ? 1 : byte == 0x29 ? -1 : 0
        continue
      }
      if isWord(byte) {
        part.append(byte)
      } else if byte == 0x2E {
        // Before the first dot of a name stands its module.
        if !isFirst && !part.isEmpty { result += part + [byte] }
        isFirst = false
        part = []
      } else {
        result += part + [byte]
        part = []
        isFirst = true
      }
    }
    return String(decoding: result + part, as: UTF8.self)
  }
}
