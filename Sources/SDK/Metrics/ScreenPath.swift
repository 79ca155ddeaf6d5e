/// The path of a screen (API-18, API-19).
enum ScreenPath {
  /// The property `path` if it is a string with a leading `/`, else `/` and the screen's name.
  static func derive(_ name: String, properties: [String: Any]) -> String {
    if let path = properties["path"] as? String, path.utf8.first == 0x2F { return path }
    return derive(name)
  }

  /// `/` and the screen's name.
  static func derive(_ name: String) -> String { "/" + name }
}
