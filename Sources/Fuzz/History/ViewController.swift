/// A class of the app or of the system, as the run-time names it.
public struct ControllerClass: Hashable, Sendable {
  /// With its module, if it has one.
  public var name: String
  public var isFromApple: Bool

  public init(_ name: String, isFromApple: Bool = false) {
    self.name = name
    self.isFromApple = isFromApple
  }

  private static let mark = "apple/"

  /// As it stands in files: `Kiosk.HomeController`, `apple/UIViewController`.
  public var text: String { (isFromApple ? ControllerClass.mark : "") + name }

  /// Reads what `text` writes.
  public init(text: String) {
    // By bytes: a name that begins with a combining mark would swallow the end of ours.
    let isFromApple = text.utf8.starts(with: ControllerClass.mark.utf8)
    let name = text.utf8.dropFirst(isFromApple ? ControllerClass.mark.utf8.count : 0)
    self.init(String(decoding: name, as: UTF8.self), isFromApple: isFromApple)
  }
}

/// A view controller that appears, neutral of any SDK.
public struct ViewController: Hashable, Sendable {
  public var title: String?
  /// Its own class first, then each superclass.
  public var classes: [ControllerClass]
  /// Its parent with its classes first, then the parent's parent, up to the root.
  public var parents: [[ControllerClass]]

  public init(
    title: String? = nil, classes: [ControllerClass], parents: [[ControllerClass]] = []
  ) {
    self.title = title
    self.classes = classes
    self.parents = parents
  }

  /// The controller as an object; what it has not is left out.
  public var json: JSONValue {
    func list(_ classes: [ControllerClass]) -> JSONValue {
      .array(classes.map { .string($0.text) })
    }
    var entries = [JSONEntry("classes", list(classes))]
    if !parents.isEmpty { entries.append(JSONEntry("parents", .array(parents.map(list)))) }
    if let title { entries.append(JSONEntry("title", .string(title))) }
    return .object(entries)
  }

  /// Reads what `json` writes; nil if it is nothing of the kind.
  public init?(_ json: JSONValue) {
    func list(_ json: JSONValue) -> [ControllerClass]? {
      guard case .array(let values) = json else { return nil }
      let names = values.compactMap(\.string)
      return names.count == values.count ? names.map { ControllerClass(text: $0) } : nil
    }
    guard let classes = json["classes"].flatMap(list) else { return nil }
    var parents: [[ControllerClass]] = []
    if let field = json["parents"] {
      guard case .array(let values) = field else { return nil }
      parents = values.compactMap(list)
      if parents.count != values.count { return nil }
    }
    self.init(title: json["title"]?.string, classes: classes, parents: parents)
  }
}
