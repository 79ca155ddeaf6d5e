import FuzzHistory
import SimKernel

/// `$pageleave` as a view must be told of.
struct ExpectedLeave {
  /// The view, as an index of `ReferenceModel.pageviews`.
  var pageview: Int32
  var path: String
  var activeMilliseconds: Int64
  var totalMilliseconds: Int64
  var isFinal: Bool
  /// The session that it belongs to, where that is not the present one any more; -1 where it is.
  var session: Int32 = -1
  var isFromForeground: Bool
}

/// The screen views of one process by the requirements (SCR).
struct ScreenModel {
  /// A view that is timed.
  struct View {
    var pageview: Int32
    var path: String
    /// The clock that runs in sleep, at its screen.
    var start: Int64
  }

  var view: View?
  /// The automatic screen on display, as an index of `ReferenceModel.automaticNames`; -1 if the
  /// newest screen is the app's own.
  var automatic: Int32 = -1
  /// The session when the app last went to the background, and when that was; -1 before.
  var backgroundSession: Int32 = -1
  var backgroundEntry: Int64?
  /// All stays in the foreground, on the clock that runs in sleep; the last may go on.
  private(set) var stays: [(from: Int64, until: Int64)] = []

  var isForeground: Bool { stays.last.map { $0.until == .max } ?? false }

  mutating func enter(at continuous: Int64) {
    if !isForeground { stays.append((continuous, .max)) }
  }

  mutating func leave(at continuous: Int64) {
    if isForeground { stays[stays.count - 1].until = continuous }
  }

  /// The time in the foreground between two instants.
  func foregroundTime(from start: Int64, to end: Int64) -> Int64 {
    stays.reversed().prefix { $0.until > start }.reduce(0) { sum, stay in
      sum + max(0, min(stay.until, end) - max(stay.from, start))
    }
  }
}

/// Which controllers are screens, and how these are named, by the requirements (SCR-10 to SCR-13).
public enum ControllerRules {
  private static let containers = [
    "UINavigationController", "UITabBarController", "UIPageViewController",
    "UISplitViewController",
  ]

  /// The name of the screen that a controller is by itself; nil if it is none.
  public static func screen(_ controller: ViewController) -> String? {
    if isSystems(controller.classes) || isContainer(controller.classes) { return nil }
    if let parent = controller.parents.first, !isSystems(parent), !isContainer(parent) {
      return nil
    }
    return names(controller).first
  }

  /// The title, if there is one, and the name of the class: what a screen of it may be called.
  public static func names(_ controller: ViewController) -> [String] {
    var names: [String] = []
    if let title = controller.title, !title.isEmpty { names.append(title) }
    if let own = controller.classes.first {
      let name = plain(own.name)
      if !name.isEmpty { names.append(name) }
    }
    return names
  }

  private static func isContainer(_ classes: [ControllerClass]) -> Bool {
    classes.contains { containers.contains($0.name) && $0.isFromApple }
  }

  private static func isSystems(_ classes: [ControllerClass]) -> Bool {
    guard let own = classes.first else { return true }
    if own.isFromApple { return true }
    return classes.contains {
      $0.isFromApple && plain($0.name).split(separator: "<").first == "UIHostingController"
    }
  }

  /// A name of the run-time as people would write it: no modules, and nothing of private scopes.
  static func plain(_ name: String) -> String {
    var text = name
    // `.(unknown context at $1f)` stands where a private scope has no name.
    while text.utf8.contains(UInt8(ascii: "(")), let open = text.range(of: ".("),
      let close = text[open.upperBound...].firstIndex(of: ")")
    {
      text.replaceSubrange(open.lowerBound...close, with: "")
    }
    var result = ""
    var word = ""
    func close() {
      let parts = word.split(separator: ".", omittingEmptySubsequences: false)
      result += parts.count > 1 ? parts.dropFirst().joined(separator: ".") : word
      word = ""
    }
    for scalar in text.unicodeScalars {
      let isWord =
        scalar == "." || scalar == "_" || scalar.value >= 0x80 || ("0"..."9").contains(scalar)
        || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
      if isWord {
        word.unicodeScalars.append(scalar)
      } else {
        close()
        result.unicodeScalars.append(scalar)
      }
    }
    close()
    return result
  }
}

/// A controller that appeared while the SDK was loaded.
struct Appearance {
  var process: Int32
  /// By the anchored clock.
  var milliseconds: Int64
  /// What a screen of it may be called.
  var names: [String]
}
