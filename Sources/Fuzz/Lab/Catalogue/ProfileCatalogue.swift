/// The swarm distributions that seeds are drawn from.
public enum ProfileCatalogue {
  public struct Entry: Hashable, Sendable {
    public var id: String
    public var description: String
  }

  public static let entries: [Entry] = [
    Entry(id: "calm", description: "No faults: must pass, and proves the reference model."),
    Entry(id: "default", description: "The whole mix."),
    Entry(id: "offline", description: "Little network."),
    Entry(id: "server", description: "Odd answers."),
    Entry(id: "disk", description: "Full, failing and damaged disks."),
  ]

  public static let names: [String] = entries.map(\.id)
}
