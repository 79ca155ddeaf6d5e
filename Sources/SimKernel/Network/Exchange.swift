/// What will become of a request if nothing else interferes.
public enum ExchangeFate: Hashable, Sendable {
  case normal
  case dnsFailure
  case refused
  case tlsFailure
  /// The connection breaks before the server has the request.
  case resetBefore
  /// The server acts, then the connection breaks.
  case resetAfter
  /// The request reaches the server twice; the app hears the first answer.
  case duplicateArrival(gap: TimeSpan)
  /// Nothing comes back, and nothing arrived.
  case blackHole
  /// The server acts, but its answer is cut off.
  case truncatedBody
  /// A box on the way answers in place of the server.
  case intercepted
  /// No network at all.
  case offline
}

/// The times and the fate of one request, drawn when it starts.
public struct ExchangePlan: Hashable, Sendable {
  public var fate: ExchangeFate = .normal
  /// From the device to the server.
  public var up: TimeSpan
  /// From arrival until the server answers.
  public var server: TimeSpan
  /// From the server to the device.
  public var down: TimeSpan

  public init(fate: ExchangeFate = .normal, up: TimeSpan, server: TimeSpan, down: TimeSpan) {
    self.fate = fate
    self.up = up
    self.server = server
    self.down = down
  }
}

/// Hears what happens to requests.
public protocol NetworkOwner: AnyObject {
  /// The request has reached its server.
  func exchangeArrived(_ exchange: UInt32, copy: UInt8)
  /// The server acts and answers now.
  func exchangeAnswered(_ exchange: UInt32, copy: UInt8)
  /// The box on the way answers now.
  func exchangeIntercepted(_ exchange: UInt32)
  /// The request is over for the app; called only while the app can hear of it.
  func exchangeEnded(_ exchange: UInt32, _ end: ExchangeEnd)
  /// Suspension or a change of the link took hold of a request in flight.
  func exchangeDisturbed(_ exchange: UInt32, by fault: FaultKind)
}

/// One request on its way.
struct Exchange {
  enum Phase: UInt8 {
    /// On the way to the server, or to its failure.
    case travelling
    case atServer
    case returning
    /// Over, but the app is suspended and has not heard.
    case held
    case over
  }

  var id: UInt32
  /// A stable identity: what the request is for, process and attempt.
  var key: UInt64
  var plan: ExchangePlan
  var phase: Phase = .travelling
  var step: EventHandle = .none
  var timeout: EventHandle = .none
  var second: EventHandle = .none
  var idleSpan: TimeSpan
  var idleDeadline: Instant
  var totalDeadline: Instant
  var heldEnd: ExchangeEnd?
  /// The connection is gone; the app hears of it at resume.
  var isTorn = false
  /// The process that asked is dead or gave up: only the server still matters.
  var isOrphan = false
}
