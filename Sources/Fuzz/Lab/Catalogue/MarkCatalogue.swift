import FuzzWorld

/// Rare places that campaigns must reach, declared before anything runs so that what was never
/// reached can be told.
public enum MarkCatalogue {
  /// One mark.
  public struct Entry: Hashable, Sendable {
    public var id: String
    public var description: String
  }

  public static let entries: [Entry] = Mark.allCases.map {
    Entry(id: $0.name, description: $0.description)
  }
}
