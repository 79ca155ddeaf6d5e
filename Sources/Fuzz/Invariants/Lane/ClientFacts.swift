import FuzzHistory
import SimKernel

/// What the host app asked of the client in the running process, and when the client had started:
/// from the first `load` of the process and the end of its config request.
public struct ClientFacts {
  public private(set) var writeKey = ""
  public private(set) var host = ""
  public private(set) var loadInstant: Instant?
  /// The client runs: its config was read or given up (S-06).
  public private(set) var startInstant: Instant?
  /// The largest number of messages in a request (OPT-08, S-23).
  public private(set) var flushAt = 20
  public private(set) var flushInterval = TimeSpan.seconds(30)

  /// Whether the app leaves the panel a say (OPT-18).
  public private(set) var asksForConfig = true

  static let defaultHost = "https://e.postlip.com"

  mutating func take(_ record: Record, _ context: JudgeContext) {
    switch record.fact {
    case .launched: self = ClientFacts()
    case .callBegan(let call, _, _, _, _):
      guard loadInstant == nil else { return }
      if case .load(let writeKey, let options) = context.history.calls[Int(call)] {
        load(writeKey, options, at: record.instant)
      }
    case .exchangeEnded(let number, _, _, _, _):
      guard startInstant == nil else { return }
      let exchange = context.ledger[number]
      if exchange.host == .config, exchange.process == record.process {
        startInstant = record.instant
      }
    default: break
    }
  }

  private mutating func load(_ key: String, _ options: HostOptions, at instant: Instant) {
    writeKey = key
    host = options.host ?? ClientFacts.defaultHost
    while host.hasSuffix("/") { host.removeLast() }
    loadInstant = instant
    flushAt = ClientFacts.limit(options.flushAt)
    if let bits = options.flushIntervalBits {
      flushInterval = ClientFacts.interval(Double(bitPattern: bits))
    }
    asksForConfig = options.remoteConfig ?? true
    if !asksForConfig { startInstant = instant }
  }

  /// 1 to 20; a negative number is no number (S-23).
  private static func limit(_ flushAt: Int?) -> Int {
    guard let flushAt, flushAt >= 0 else { return 20 }
    return min(20, max(1, flushAt))
  }

  private static func interval(_ seconds: Double) -> TimeSpan {
    guard !seconds.isNaN, seconds >= 0 else { return .seconds(30) }
    return TimeSpan(nanoseconds: Int64(min(3_600, max(1, seconds)) * 1e9))
  }
}
