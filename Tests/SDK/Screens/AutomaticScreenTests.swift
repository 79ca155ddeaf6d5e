import Testing

@testable import SDK

@Suite("Screens of controllers")
struct AutomaticScreenTests {
  private static let root = ViewControllerClass(name: "UIViewController", isFromApple: true)

  private func own(_ name: String) -> [ViewControllerClass] {
    [ViewControllerClass(name: name, isFromApple: false), Self.root]
  }

  private func apples(_ name: String, as own: String? = nil) -> [ViewControllerClass] {
    let classes = [ViewControllerClass(name: name, isFromApple: true), Self.root]
    return own.map { [ViewControllerClass(name: $0, isFromApple: false)] + classes } ?? classes
  }

  private func name(
    _ classes: [ViewControllerClass], title: String? = nil,
    parents: [[ViewControllerClass]] = []
  ) -> String? {
    AutomaticScreen.name(ViewControllerFacts(title: title, classes: classes, parents: parents))
  }

  @Test("the title, else the class without its module (SCR-10)")
  func names() {
    #expect(name(own("Kiosk.Home"), title: "Start") == "Start")
    #expect(name(own("Kiosk.Home"), title: "") == "Home")
    #expect(name(own("Kiosk.Home")) == "Home")
    #expect(name(own("LegacyController")) == "LegacyController")
    #expect(name([], title: "Nobody") == nil)
  }

  @Test(
    "modules go, wherever they stand",
    arguments: [
      ("A.B", "B"), ("B", "B"), ("A.B.C", "B.C"), ("A.B<C.D>", "B<D>"),
      ("A.B<C.D, Swift.Array<E.F>>", "B<D, Array<F>>"), ("A.(unknown context at $1f).B", "B"),
      ("A.B.(unknown context at $1f).C<D.(x).E>", "B.C<E>"), ("茶.館", "館"), ("", ""), ("A.", ""),
    ])
  func modules(name: String, plain: String) {
    #expect(AutomaticScreen.withoutModules(name) == plain)
  }

  @Test("containers, also derived ones, are no screens (SCR-11)")
  func containers() {
    for container in [
      "UINavigationController", "UITabBarController", "UIPageViewController",
      "UISplitViewController",
    ] {
      #expect(name(apples(container), title: "T") == nil)
      #expect(name(apples(container, as: "Kiosk.Flow"), title: "T") == nil)
      #expect(name(own("Kiosk.Home"), parents: [apples(container)]) == "Home")
      #expect(name(own("Kiosk.Home"), parents: [apples(container, as: "Kiosk.Flow")]) == "Home")
      // A class of the app that only has the name.
      #expect(name(own(container)) == container)
    }
  }

  @Test("the system's own, hosts of SwiftUI among them, are no screens (SCR-12)")
  func systems() {
    #expect(name(apples("UIAlertController"), title: "Delete?") == nil)
    let host = "SwiftUI.UIHostingController<Kiosk.Content>"
    #expect(name(apples(host)) == nil)
    #expect(name(apples(host, as: "Kiosk.Host")) == nil)
    #expect(name(own("Kiosk.Home"), parents: [apples(host)]) == "Home")
  }

  @Test("a child of the app's own parent is no screen (SCR-13)")
  func children() {
    #expect(name(own("Kiosk.Part"), title: "T", parents: [own("Kiosk.Drawer")]) == nil)
    let within = [apples("UINavigationController"), own("Kiosk.Drawer")]
    #expect(name(own("Kiosk.Home"), parents: within) == "Home")
  }
}
