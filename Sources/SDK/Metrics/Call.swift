/// The kinds of messages, with the numbers they have in the journal.
enum MessageType: UInt8, Sendable {
  case track = 1
  case screen
  case identify
  case group
  case alias

  var wireName: StaticString {
    switch self {
    case .track: return "track"
    case .screen: return "screen"
    case .identify: return "identify"
    case .group: return "group"
    case .alias: return "alias"
    }
  }
}

/// A public call as it was made: values converted, and everything read that belongs to its instant.
struct Call: Sendable {
  /// What the call asks for beyond its common parts.
  enum Kind: Sendable {
    case message(MessageType)
    case reset
    case consent(analytics: Bool?, marketing: Bool?)
  }

  /// What a message comes from.
  enum Origin: Sendable {
    case app
    case appOpen
    case appUpdated
    case firstOpen
    case screenLeave
    case automaticScreen
    case crash
    case hang
  }

  var kind: Kind
  var origin = Origin.app
  /// The calls of this client counted from 1: a stable key for random draws.
  var ordinal: UInt64
  /// The clock that runs in sleep, in nanoseconds.
  var uptime: Int64 = 0
  var messageId: String
  /// The event, the screen's name, the user id (empty for a guest) or the group id.
  var name: String
  /// The path of a screen; empty in everything else.
  var path = ""
  /// The id of the view that a screen begins; empty in everything else.
  var pageviewId = ""
  /// The id that an alias replaces, if the app named it.
  var previousId: String?
  /// Properties or traits as a JSON object; empty where there are none.
  var payload: [UInt8] = []
  /// The payload alone exceeds every message; it was let go.
  var isTooLarge: Bool = false
  var current = CurrentContext.unread
  /// The app that the message is about, where that is another one than runs now (S-102).
  var app: AppVersion?
  /// `"install":{…},` for the context; empty in all messages but one.
  var install: [UInt8] = []

  init(_ kind: Kind, ordinal: UInt64, messageId: String = "", name: String = "") {
    self.kind = kind
    self.ordinal = ordinal
    self.messageId = messageId
    self.name = name
  }
}

extension CurrentContext {
  /// Stands where nothing is sent.
  static let unread = CurrentContext(
    locale: "", timeZone: "", network: .none, screenWidth: 0, screenHeight: 0)
}

/// A message with everything fixed: nothing that happens later changes it.
struct SealedMessage: Sendable {
  var call: Call
  var type: MessageType
  /// Counts up with each sealed message of an install while its queue has any on disk.
  var sequence: UInt64
  /// Anchored time of the call in milliseconds since the Unix epoch.
  var time: Int64
  /// The user id that the message names, which for an alias is the new one.
  var userId: String?
  var previousId: String?
  var circumstances: Circumstances
  /// It was made in the foreground, where use of the app moves the session's stamp.
  var isFromForeground: Bool
}

/// What calls hand to the SDK's queue, in the order of the lock.
enum Input: Sendable {
  case message(SealedMessage)
  /// User or visitor changed.
  case identity(Circumstances)
  /// A session began, or the app went to the background: it was in use at this anchored time.
  case session(Circumstances, activity: Int64)
  /// The app passed consent flags, these ones.
  case consent(Circumstances, analytics: Bool?, marketing: Bool?)
  /// Analytics is on, and `load` was called: what a launch has to report is due (S-31).
  case launch(Launch, Circumstances)
  case flush
  /// Something that became known under the lock, where nothing is logged.
  case diagnostic(Diagnostic)
}
