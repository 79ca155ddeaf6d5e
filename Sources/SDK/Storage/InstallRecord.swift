/// The version of an app and its build.
struct AppVersion: Hashable, Sendable {
  var version: String
  var build: String
}

/// `$first_open` while it waits to be queued, as stored: whatever happens to the process, it goes
/// once, under this id (LIF-12, S-114).
struct PendingFirstOpen: Hashable, Sendable {
  var messageId: String
  var sessionId: String
  /// Anchored time of the launch in milliseconds since the Unix epoch.
  var time: Int64
}

/// What the install has behind it, beside its ids.
struct InstallMarks: Hashable, Sendable {
  /// The app whose arrival needs no `$app_updated` any more.
  var app: AppVersion?
  var firstOpen: PendingFirstOpen?
  /// `$first_open` was queued, or waived. While `firstOpen` stands beside it, that message
  /// was queued and may not have been tried yet.
  var isOpened = false

  /// These marks, made by a process that could not read those on disk: what lies there is older and
  /// stands. An update is left to the next launch, which will know of it.
  func merged(into stored: InstallMarks) -> InstallMarks {
    var marks = stored
    marks.app = stored.app ?? app
    marks.isOpened = stored.isOpened || isOpened
    marks.firstOpen = stored.firstOpen ?? (stored.isOpened ? nil : firstOpen)
    return marks
  }
}

/// The ids of an install and its lifecycle marks as stored (docs/disk.md: `install.json`).
struct InstallRecord: Hashable, Sendable {
  static let version = "1"
  static let mostBytes = 65_536

  var anonymousId: String
  var userId: String?
  var marks = InstallMarks()

  func encode() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(ascii: "{\"anonymousId\":")
    bytes.append(jsonString: anonymousId)
    if let app = marks.app {
      bytes.append(ascii: ",\"app\":{\"build\":")
      bytes.append(jsonString: app.build)
      bytes.append(ascii: ",\"version\":")
      bytes.append(jsonString: app.version)
      bytes.append(0x7D)
    }
    if let firstOpen = marks.firstOpen {
      bytes.append(ascii: ",\"firstOpen\":{\"messageId\":")
      bytes.append(jsonString: firstOpen.messageId)
      bytes.append(ascii: ",\"sessionId\":")
      bytes.append(jsonString: firstOpen.sessionId)
      bytes.append(ascii: ",\"time\":")
      bytes.append(decimal: firstOpen.time)
      bytes.append(0x7D)
    }
    if marks.isOpened { bytes.append(ascii: ",\"opened\":true") }
    if let userId {
      bytes.append(ascii: ",\"userId\":")
      bytes.append(jsonString: userId)
    }
    bytes.append(ascii: ",\"version\":")
    bytes.append(contentsOf: Self.version.utf8)
    bytes.append(0x7D)
    return bytes
  }

  /// Reads a record; nil if it is damaged or of another version (S-38).
  static func parse(_ bytes: [UInt8]) -> InstallRecord? {
    guard bytes.count <= mostBytes, let root = JSONParser.parse(bytes),
      root["version"] == .number(version),
      let anonymousId = root["anonymousId"]?.string, Identifier.isUUID(anonymousId),
      let marks = parseMarks(root)
    else { return nil }
    guard let user = root["userId"] else {
      return InstallRecord(anonymousId: anonymousId, marks: marks)
    }
    guard let userId = user.string, !userId.isEmpty else { return nil }
    return InstallRecord(anonymousId: anonymousId, userId: userId, marks: marks)
  }

  private static func parseMarks(_ root: JSONValue) -> InstallMarks? {
    var marks = InstallMarks()
    if let app = root["app"] {
      guard let version = app["version"]?.string, let build = app["build"]?.string else {
        return nil
      }
      marks.app = AppVersion(version: version, build: build)
    }
    if let firstOpen = root["firstOpen"] {
      guard let messageId = firstOpen["messageId"]?.string, Identifier.isUUID(messageId),
        let sessionId = firstOpen["sessionId"]?.string, Identifier.isUUID(sessionId),
        case .number(let digits)? = firstOpen["time"], let time = Int64(digits)
      else { return nil }
      marks.firstOpen = PendingFirstOpen(messageId: messageId, sessionId: sessionId, time: time)
    }
    if let opened = root["opened"] {
      guard let isOpened = opened.bool else { return nil }
      marks.isOpened = isOpened
    }
    return marks
  }
}
