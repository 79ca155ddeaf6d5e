/// How the SDK names itself.
enum Library {
  static let name = "postlip-metrics-swift"
  static let version = "0.1.0"
  /// Names nothing of app and device (PRV-07).
  static let userAgent = name + "/" + version
}
