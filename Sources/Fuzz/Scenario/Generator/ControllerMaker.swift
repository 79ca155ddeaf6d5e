import FuzzHistory
import SimKernel

/// Makes controllers as apps have them: screens, containers, the system's own, and parts of others.
enum ControllerMaker {
  private static let root = [
    ControllerClass("UIViewController", isFromApple: true),
    ControllerClass("UIResponder", isFromApple: true),
    ControllerClass("NSObject", isFromApple: true),
  ]
  private static let containers = [
    "UINavigationController", "UITabBarController", "UIPageViewController", "UISplitViewController",
  ]
  private static let titles = ["Home", "Cart", "Détail", "Überblick \"2\"", "/", "Order 17"]
  private static let names = [
    "Kiosk.HomeController", "Kiosk.CartController", "Kiosk.Settings.RootController",
    "Kiosk.ListController<Kiosk.Row>", "Kiosk.Pair<Kiosk.Left, Swift.Array<Kiosk.Right>>",
    "Kiosk.(unknown context at $10a3f).HiddenController", "LegacyController", "茶.館",
  ]

  private static func own(_ name: String) -> [ControllerClass] { [ControllerClass(name)] + root }

  private static func container(_ draw: inout RandomStream) -> [ControllerClass] {
    let classes = [ControllerClass(draw.pick(containers), isFromApple: true)] + root
    // Many apps derive their own.
    return draw.chance(1, in: 3) ? [ControllerClass("Kiosk.Flow")] + classes : classes
  }

  private static func host(_ draw: inout RandomStream) -> [ControllerClass] {
    let classes =
      [ControllerClass("SwiftUI.UIHostingController<Kiosk.ContentView>", isFromApple: true)] + root
    return draw.chance(1, in: 3) ? [ControllerClass("Kiosk.Host")] + classes : classes
  }

  /// A controller that is a screen by itself.
  static func screen(_ draw: inout RandomStream) -> ViewController {
    var controller = ViewController(classes: own(draw.pick(names)))
    if draw.chance(1, in: 4) { controller.classes.insert(ControllerClass("Kiosk.Base"), at: 1) }
    switch draw.below(6) {
    case 0, 1: controller.title = draw.pick(titles)
    case 2: controller.title = ""
    default: break
    }
    switch draw.below(6) {
    case 0: controller.parents = [container(&draw), container(&draw)]
    case 1, 2: controller.parents = [container(&draw)]
    case 3: controller.parents = [host(&draw)]
    case 4: controller.parents = [container(&draw), own("Kiosk.Drawer")]
    default: break
    }
    return controller
  }

  /// A controller that is none.
  static func other(_ draw: inout RandomStream) -> ViewController {
    let title: String? = draw.chance(1, in: 2) ? draw.pick(titles) : nil
    switch draw.below(5) {
    case 0, 1: return ViewController(title: title, classes: container(&draw))
    case 2: return ViewController(title: title, classes: host(&draw))
    case 3:
      let name = draw.pick(["UIAlertController", "SFSafariViewController", "UIInputViewController"])
      return ViewController(
        title: title, classes: [ControllerClass(name, isFromApple: true)] + root)
    default:
      return ViewController(
        title: title, classes: own(draw.pick(names)), parents: [own("Kiosk.Drawer")])
    }
  }

  /// What appears within one turn of the run loop: mostly a screen, with its containers at times.
  static func group(_ draw: inout RandomStream) -> [ViewController] {
    switch draw.below(10) {
    case 0: return [other(&draw)]
    case 1, 2: return [screen(&draw), other(&draw)]
    case 3: return [other(&draw), other(&draw), screen(&draw)]
    case 4:
      return (0..<draw.int(2...8)).map { _ in draw.chance(1, in: 2) ? screen(&draw) : other(&draw) }
    default: return [screen(&draw)]
    }
  }
}
