extension HostCall {
  /// The call as JSON: its name over its arguments.
  public var json: JSONValue {
    switch self {
    case .load(let writeKey, let options):
      return named(
        "load", [JSONEntry("writeKey", .string(writeKey)), JSONEntry("options", options.json)])
    case .track(let event, let properties, let messageId):
      return named(
        "track",
        [JSONEntry("event", .string(event)), JSONEntry("properties", object(properties))]
          + optional("messageId", messageId))
    case .screen(let name, let properties):
      return named(
        "screen", [JSONEntry("name", .string(name)), JSONEntry("properties", object(properties))])
    case .identify(let userId, let traits):
      return named("identify", optional("userId", userId) + [JSONEntry("traits", object(traits))])
    case .group(let groupId, let traits):
      return named(
        "group", [JSONEntry("groupId", .string(groupId)), JSONEntry("traits", object(traits))])
    case .alias(let userId, let previousId):
      return named(
        "alias", [JSONEntry("userId", .string(userId))] + optional("previousId", previousId))
    case .reset: return named("reset", [])
    case .consent(let analytics, let marketing):
      return named("consent", optional("analytics", analytics) + optional("marketing", marketing))
    case .flush: return named("flush", [])
    case .getAnonymousId: return named("getAnonymousId", [])
    case .getContext: return named("getContext", [])
    }
  }

  private func named(_ name: String, _ arguments: [JSONEntry]) -> JSONValue {
    .object([JSONEntry(name, .object(arguments))])
  }

  private func object(_ entries: [PropertyEntry]) -> JSONValue {
    .object(entries.map { JSONEntry($0.key, $0.value.json) })
  }
}

private func optional(_ key: String, _ text: String?) -> [JSONEntry] {
  text.map { [JSONEntry(key, .string($0))] } ?? []
}

private func optional(_ key: String, _ flag: Bool?) -> [JSONEntry] {
  flag.map { [JSONEntry(key, .bool($0))] } ?? []
}

private func optional(_ key: String, _ number: Int?) -> [JSONEntry] {
  number.map { [JSONEntry(key, .int(Int64($0)))] } ?? []
}

private func optional(_ key: String, bits: UInt64?) -> [JSONEntry] {
  bits.map { [JSONEntry(key, .double(bits: $0))] } ?? []
}

extension HostOptions {
  /// The options that are set.
  public var json: JSONValue {
    .object(
      optional("host", host) + optional("consent", consent?.rawValue) + optional("debug", debug)
        + optional("flushAt", flushAt) + optional("flushInterval", bits: flushIntervalBits)
        + optional("maxQueueSize", maxQueueSize)
        + optional("sessionTimeoutMinutes", bits: sessionTimeoutMinutesBits)
        + optional("trackLifecycle", trackLifecycle) + optional("trackScreens", trackScreens)
        + optional("captureCrashes", captureCrashes) + optional("captureHangs", captureHangs)
        + optional("collectAppleSearchAds", collectAppleSearchAds)
        + optional("collectAdvertisingId", collectAdvertisingId)
        + optional("remoteConfig", remoteConfig))
  }
}

extension PropertyValue {
  /// The value as JSON: the plain kinds as themselves, every other under its tag.
  public var json: JSONValue {
    switch self {
    case .null: return .null
    case .bool(let flag): return .bool(flag)
    case .int(let number): return .int(number)
    case .string(let text): return .string(text)
    case .array(let elements): return .array(elements.map(\.json))
    case .object(let entries):
      return tag("object", .object(entries.map { JSONEntry($0.key, $0.value.json) }))
    case .unsigned(let number): return tag("unsigned", .of(number))
    case .double(let bits): return tag("double", .double(bits: bits))
    case .date(let milliseconds): return tag("date", .int(milliseconds))
    case .url(let text): return tag("url", .string(text))
    case .data(let bytes): return tag("data", .string(Base64.text(bytes)))
    case .boxedBool(let flag): return tag("boxedBool", .bool(flag))
    case .boxedInt(let number): return tag("boxedInt", .int(number))
    case .boxedDouble(let bits): return tag("boxedDouble", .double(bits: bits))
    case .optional(let value?): return tag("some", value.json)
    case .optional(nil): return tag("none", .bool(true))
    case .opaque: return tag("opaque", .bool(true))
    case .numberKeyed: return tag("numberKeyed", .bool(true))
    case .nested(let depth): return tag("nested", .int(Int64(depth)))
    }
  }

  private func tag(_ name: String, _ value: JSONValue) -> JSONValue {
    .object([JSONEntry(name, value)])
  }
}

extension JSONValue {
  /// A double by its bits: a number where JSON has it, else the bits as hexadecimal text.
  static func double(bits: UInt64) -> JSONValue {
    let number = Double(bitPattern: bits)
    return number.isFinite ? .double(number) : .string("0x" + String(bits, radix: 16))
  }

  /// Undoes `double(bits:)`; whole numbers written by hand count as well.
  var doubleBits: UInt64? {
    switch self {
    case .double(let number): return number.bitPattern
    case .int(let number): return Double(exactly: number)?.bitPattern
    case .string(let text):
      return text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : nil
    default: return nil
    }
  }
}
