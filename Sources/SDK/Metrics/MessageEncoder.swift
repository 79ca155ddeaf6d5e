/// The bytes of a message with its gaps empty, and what fills the gap of its traits.
struct EncodedMessage {
  var bytes: [UInt8]
  /// `"traits":{…},` or empty.
  var traits: [UInt8]
  /// Where the traits go in `bytes`; `MessageRecord.noGap` without traits.
  var traitsGap: UInt32
  /// The same for the advertising id.
  var advertisingIdGap = MessageRecord.noGap
}

/// Writes messages, each once, with sorted keys (formats: events lane).
///
/// What is the same in many messages is kept as bytes: most of a message is copied.
struct MessageEncoder {
  /// The most bytes of a message as sent (S-08).
  static let mostBytes = 32_768

  private let app: [UInt8]
  private let deviceToLocale: [UInt8]
  /// Where in `deviceToLocale` the members of the device begin.
  private let deviceStart: Int
  /// How many bytes of `deviceToLocale` stand from the library on.
  private let libraryCount: Int
  private let osToHeight: [UInt8]
  private let isTest: Bool

  private var generation: UInt64 = 0
  /// From the opening brace to the locale.
  private var head: [UInt8] = []
  /// The system, the screen and the session's id.
  private var middle: [UInt8] = []

  /// The size of the screen in `middle`.
  private var width = 0
  private var height = 0
  private var localeText = ""
  private var locale: [UInt8] = []
  private var zoneText = ""
  private var zone: [UInt8] = []

  init(_ fixed: FixedContext, isTest: Bool) {
    self.isTest = isTest
    app = Self.appPart(fixed)
    let device = Self.devicePart(fixed)
    let library = Self.libraryPart()
    deviceToLocale = device + library
    deviceStart = Self.deviceHead.utf8CodeUnitCount
    libraryCount = library.count
    osToHeight = Self.systemPart(fixed)
    locale.append(jsonString: localeText)
    zone.append(jsonString: zoneText)
  }

  private static func appPart(_ fixed: FixedContext) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(ascii: ",\"context\":{\"app\":{\"build\":")
    bytes.append(jsonString: fixed.appBuild)
    bytes.append(ascii: ",\"name\":")
    bytes.append(jsonString: fixed.appName)
    bytes.append(ascii: ",\"namespace\":")
    bytes.append(jsonString: fixed.appNamespace)
    bytes.append(ascii: ",\"version\":")
    bytes.append(jsonString: fixed.appVersion)
    bytes.append(ascii: "},\"consent\":{\"analytics\":")
    return bytes
  }

  private static let deviceHead: StaticString = "\"},\"device\":{"

  private static func devicePart(_ fixed: FixedContext) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(ascii: deviceHead)
    bytes.append(ascii: "\"manufacturer\":")
    bytes.append(jsonString: fixed.deviceManufacturer)
    bytes.append(ascii: ",\"model\":")
    bytes.append(jsonString: fixed.deviceModel)
    bytes.append(ascii: ",\"type\":")
    bytes.append(jsonString: fixed.deviceType)
    bytes.append(ascii: "},")
    return bytes
  }

  private static func libraryPart() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(ascii: "\"library\":{\"name\":")
    bytes.append(jsonString: Library.name)
    bytes.append(ascii: ",\"version\":")
    bytes.append(jsonString: Library.version)
    bytes.append(ascii: "},\"locale\":")
    return bytes
  }

  private static func systemPart(_ fixed: FixedContext) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(ascii: ",\"os\":{\"name\":")
    bytes.append(jsonString: fixed.systemName)
    bytes.append(ascii: ",\"version\":")
    bytes.append(jsonString: fixed.systemVersion)
    bytes.append(ascii: "},\"screen\":{\"height\":")
    return bytes
  }

  /// Writes a message.
  /// - Parameters:
  ///   - startsSession: whether it carries the start flag of its session.
  ///   - hasAdvertisingId: whether it has a gap for the advertising id.
  mutating func encode(
    _ message: SealedMessage, startsSession: Bool, hasAdvertisingId: Bool = false
  ) -> EncodedMessage {
    prepare(message.circumstances, message.call.current)
    let call = message.call
    var bytes: [UInt8] = []
    bytes.reserveCapacity(
      head.count + middle.count + locale.count + zone.count + call.payload.count + 320)
    bytes.append(contentsOf: head)
    if !call.install.isEmpty {
      bytes.insert(contentsOf: call.install, at: bytes.count - libraryCount)
    }
    bytes.append(contentsOf: locale)
    switch call.current.network {
    case .none: bytes.append(ascii: ",\"network\":{}")
    case .wifi: bytes.append(ascii: ",\"network\":{\"cellular\":false,\"wifi\":true}")
    case .cellular: bytes.append(ascii: ",\"network\":{\"cellular\":true,\"wifi\":false}")
    }
    bytes.append(contentsOf: middle)
    if startsSession { bytes.append(ascii: ",\"start\":true") }
    bytes.append(0x7D)
    if isTest { bytes.append(ascii: ",\"test\":true") }
    bytes.append(ascii: ",\"timezone\":")
    bytes.append(contentsOf: zone)
    bytes.append(ascii: "},")
    var encoded = finish(message, bytes)
    if hasAdvertisingId {
      encoded.advertisingIdGap = UInt32(head.count - deviceToLocale.count + deviceStart)
    }
    return encoded
  }

  /// Writes what follows the context.
  private func finish(_ message: SealedMessage, _ start: [UInt8]) -> EncodedMessage {
    var bytes = start
    let call = message.call
    switch message.type {
    case .track:
      bytes.append(ascii: "\"event\":")
      bytes.append(jsonString: call.name)
      bytes.append(0x2C)
    case .group:
      bytes.append(ascii: "\"groupId\":")
      bytes.append(jsonString: call.name)
      bytes.append(0x2C)
    case .screen, .identify, .alias: break
    }
    bytes.append(ascii: "\"messageId\":")
    bytes.append(jsonString: call.messageId)
    if message.type == .screen {
      bytes.append(ascii: ",\"name\":")
      bytes.append(jsonString: call.name)
    }
    if let previousId = message.previousId {
      bytes.append(ascii: ",\"previousId\":")
      bytes.append(jsonString: previousId)
    }
    if message.type == .track || message.type == .screen {
      bytes.append(ascii: ",\"properties\":")
      bytes.append(contentsOf: call.payload)
    }
    bytes.append(ascii: ",\"timestamp\":\"")
    Timestamp.append(milliseconds: message.time, to: &bytes)
    bytes.append(ascii: "\",")
    let gap = UInt32(bytes.count)
    bytes.append(ascii: "\"type\":\"")
    bytes.append(ascii: message.type.wireName)
    bytes.append(0x22)
    if let userId = message.userId {
      bytes.append(ascii: ",\"userId\":")
      bytes.append(jsonString: userId)
    }
    bytes.append(0x7D)
    return EncodedMessage(
      bytes: bytes, traits: traits(message),
      traitsGap: hasTraits(message) ? gap : MessageRecord.noGap)
  }

  private func hasTraits(_ message: SealedMessage) -> Bool {
    (message.type == .identify || message.type == .group) && !message.call.payload.isEmpty
  }

  private func traits(_ message: SealedMessage) -> [UInt8] {
    if !hasTraits(message) { return [] }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(message.call.payload.count + 10)
    bytes.append(ascii: "\"traits\":")
    bytes.append(contentsOf: message.call.payload)
    bytes.append(0x2C)
    return bytes
  }

  /// Brings the kept bytes up to date.
  private mutating func prepare(_ circumstances: Circumstances, _ current: CurrentContext) {
    let isResized = current.screenWidth != width || current.screenHeight != height
    let isChanged = circumstances.generation != generation
    if isChanged || isResized {
      width = current.screenWidth
      height = current.screenHeight
      prepareMiddle(circumstances)
    }
    if isChanged {
      generation = circumstances.generation
      head.removeAll(keepingCapacity: true)
      head.append(ascii: "{\"anonymousId\":")
      head.append(jsonString: circumstances.anonymousId)
      head.append(contentsOf: app)
      head.append(ascii: circumstances.analytics ? "true" : "false")
      head.append(ascii: ",\"marketing\":")
      head.append(ascii: circumstances.marketing ? "true" : "false")
      head.append(ascii: ",\"mode\":\"")
      head.append(ascii: circumstances.mode.wireName)
      head.append(contentsOf: deviceToLocale)
    }
    if current.locale != localeText {
      localeText = current.locale
      locale.removeAll(keepingCapacity: true)
      locale.append(jsonString: localeText)
    }
    if current.timeZone != zoneText {
      zoneText = current.timeZone
      zone.removeAll(keepingCapacity: true)
      zone.append(jsonString: zoneText)
    }
  }

  private mutating func prepareMiddle(_ circumstances: Circumstances) {
    middle.removeAll(keepingCapacity: true)
    middle.append(contentsOf: osToHeight)
    middle.append(decimal: Int64(height))
    middle.append(ascii: ",\"width\":")
    middle.append(decimal: Int64(width))
    middle.append(ascii: "},\"session\":{\"id\":")
    middle.append(jsonString: circumstances.sessionId)
  }
}
