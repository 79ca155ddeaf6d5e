import FuzzHistory
import SimKernel

/// A typed assertion on a finished run, beside the invariants.
public enum Expectation: Hashable, Sendable {
  /// Which of the stored messages are meant.
  public enum Selection: Hashable, Sendable {
    case all
    /// Those with this event or screen name.
    case named(String)
    /// Those whose bytes as sent contain this text.
    case containing(String)
  }

  /// How often something is expected, and when.
  public struct Frequency: Hashable, Sendable {
    public var atLeast: Int
    public var atMost: Int
    /// Only from this span since the start on.
    public var from: TimeSpan?
    /// Only before this span since the start.
    public var until: TimeSpan?

    public init(
      atLeast: Int = 0, atMost: Int = .max, from: TimeSpan? = nil, until: TimeSpan? = nil
    ) {
      self.atLeast = atLeast
      self.atMost = atMost
      self.from = from
      self.until = until
    }

    /// Whether what happens then counts.
    public func contains(_ instant: Instant) -> Bool {
      let span = instant - .start
      return span >= from ?? .zero && until.map { span < $0 } ?? true
    }
  }

  /// The collector has stored this many distinct messages: at the end, or so long after the start.
  case stored(Selection, times: Int, by: TimeSpan? = nil)
  /// The stored messages have this many different values of a member, named from the message on
  /// with dots between, such as `context.session.id`; one that lacks it counts as a value.
  case distinct(member: String, Selection, values: Int)
  /// This many messages were lost for a reason of A-02.
  case lost(reason: String, times: Int)
  /// So many requests reached a host.
  case requests(HostKind, Frequency)
  /// So many requests to a host were started, whether or not they reached it.
  case attempts(HostKind, Frequency)
  /// The SDK tried so many changes of files and directories whose path contains a text, whether or
  /// not they worked.
  case diskChanges(containing: String, Frequency)
  /// Distinct messages were first received in this order of names.
  case order(names: [String])
  /// The run ends with nothing pending.
  case quiet
}
