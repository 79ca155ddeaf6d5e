import FuzzHistory
import SimKernel

@testable import FuzzInvariants

/// Screen views in a history built by hand.
extension StoryBuilder {
  /// `$pageleave` as of now; times in milliseconds.
  func leave(
    _ view: String, path: String, active: Int64, total: Int64, isFinal: Bool = true
  ) -> Message {
    event(
      "$pageleave",
      "{\"active_ms\":\(active),\"final\":\(isFinal),\"pageview_id\":\"\(view)\","
        + "\"path\":\"\(path)\",\"total_ms\":\(total)}")
  }

  func appear(_ controller: ViewController) {
    record(
      .controllerAppeared(
        controller: history.store(controller.json.canonicalText()), action: 1,
        continuous: continuous))
  }

  /// A controller of the app's own.
  static func controller(
    _ name: String, title: String? = nil, parents: [[ControllerClass]] = []
  ) -> ViewController {
    ViewController(
      title: title,
      classes: [ControllerClass(name), ControllerClass("UIViewController", isFromApple: true)],
      parents: parents)
  }

  static let navigation = ViewController(
    classes: [ControllerClass("UINavigationController", isFromApple: true)])

  /// Two screens, the first of them through an absence of 10 s, all of it as it has to be.
  /// - Returns: the messages in order: screen, leave for the background, last leave, screen.
  func twoScreens() -> [Message] {
    let view = drawId()
    var messages = [screen("A", view: view)]
    pass(.seconds(5))
    leave()
    messages.append(leave(view, path: "/A", active: 5_000, total: 5_000, isFinal: false))
    pass(.seconds(10))
    comeBack()
    pass(.seconds(2))
    messages.append(leave(view, path: "/A", active: 7_000, total: 17_000))
    messages.append(screen("B"))
    return messages
  }
}
