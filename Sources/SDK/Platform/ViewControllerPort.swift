/// A class as the run-time knows it.
public struct ViewControllerClass: Hashable, Sendable {
  /// With the module, as Swift's own reflection writes it: `Shop.CartController`, `Shop.Box<Int>`;
  /// a class of Objective-C has none.
  public var name: String
  /// Its image is one of the system's.
  public var isFromApple: Bool

  public init(name: String, isFromApple: Bool) {
    self.name = name
    self.isFromApple = isFromApple
  }
}

/// What can be seen of a view controller at the instant at which it has appeared.
public struct ViewControllerFacts: Hashable, Sendable {
  public var title: String?
  /// Its own class first, then each superclass.
  public var classes: [ViewControllerClass]
  /// Its parent with its classes first, then the parent's parent, up to the root.
  public var parents: [[ViewControllerClass]]

  public init(
    title: String?, classes: [ViewControllerClass], parents: [[ViewControllerClass]] = []
  ) {
    self.title = title
    self.classes = classes
    self.parents = parents
  }
}

/// The controllers that appear on the screen.
public protocol ViewControllerPort: AnyObject, Sendable {
  /// Hooks the callback by which every controller of the app hears that it has appeared; each
  /// installation adds a hook, and none is ever taken out.
  /// - Parameter handler: called on the main thread for every controller that appears from now on,
  ///   before anything else of that appearance can follow.
  func hookAppearances(_ handler: @escaping @Sendable (ViewControllerFacts) -> Void)
}

/// A process without a screen.
public final class NoViewControllers: ViewControllerPort {
  public init() {}
  /// Nothing ever appears.
  public func hookAppearances(_ handler: @escaping @Sendable (ViewControllerFacts) -> Void) {}
}
