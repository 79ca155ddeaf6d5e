/// What is known of how the app came onto the device (ATT-01).
public struct InstallFacts: Hashable, Sendable {
  /// `app_store` or `testflight`; nil where there is no such thing.
  public var installer: String?

  public init(installer: String? = nil) {
    self.installer = installer
  }
}

/// The machine's knowledge of the install, which may take its time.
public protocol InstallFactsPort: AnyObject, Sendable {
  /// Finds out what is known and tells it on a queue, at most once; it may take long, or never come
  /// to an end.
  func resolve(
    on queue: any SerialQueuePort, _ completion: @escaping @Sendable (InstallFacts) -> Void)
}
