/// Reads host calls, their options and values from JSON.
struct HostCallReader {
  let line: Int

  private func wrong(_ what: String) -> HistoryFileError {
    .damaged(line: line, what: "its host call has a wrong \(what)")
  }

  func call(_ json: JSONValue) throws(HistoryFileError) -> HostCall {
    guard let entry = json.object?.first, case .object = entry.value else { throw wrong("shape") }
    let arguments = entry.value
    switch entry.key {
    case "load":
      return .load(
        writeKey: try text("writeKey", arguments), options: try options(arguments["options"]))
    case "track":
      return .track(
        event: try text("event", arguments), properties: try entries("properties", arguments),
        messageId: try optionalText("messageId", arguments))
    case "screen":
      return .screen(
        name: try text("name", arguments), properties: try entries("properties", arguments))
    case "identify":
      return .identify(
        userId: try optionalText("userId", arguments), traits: try entries("traits", arguments))
    case "group":
      return .group(
        groupId: try text("groupId", arguments), traits: try entries("traits", arguments))
    case "alias":
      return .alias(
        userId: try text("userId", arguments),
        previousId: try optionalText("previousId", arguments))
    case "reset": return .reset
    case "consent":
      return .consent(
        analytics: try optionalFlag("analytics", arguments),
        marketing: try optionalFlag("marketing", arguments))
    case "flush": return .flush
    case "getAnonymousId": return .getAnonymousId
    case "getContext": return .getContext
    default: throw wrong("name `\(entry.key)`")
    }
  }

  // MARK: Arguments

  private func text(_ key: String, _ json: JSONValue) throws(HistoryFileError) -> String {
    guard let text = json[key]?.string else { throw wrong("`\(key)`") }
    return text
  }

  private func optionalText(
    _ key: String, _ json: JSONValue
  ) throws(HistoryFileError) -> String? {
    json[key] == nil ? nil : try text(key, json)
  }

  private func optionalFlag(_ key: String, _ json: JSONValue) throws(HistoryFileError) -> Bool? {
    guard let value = json[key] else { return nil }
    guard let flag = value.bool else { throw wrong("`\(key)`") }
    return flag
  }

  private func optionalNumber(_ key: String, _ json: JSONValue) throws(HistoryFileError) -> Int? {
    guard let value = json[key] else { return nil }
    guard let number = value.integer.flatMap(Int.init(exactly:)) else { throw wrong("`\(key)`") }
    return number
  }

  private func optionalBits(
    _ key: String, _ json: JSONValue
  ) throws(HistoryFileError) -> UInt64? {
    guard let value = json[key] else { return nil }
    guard let bits = value.doubleBits else { throw wrong("`\(key)`") }
    return bits
  }

  private func options(_ json: JSONValue?) throws(HistoryFileError) -> HostOptions {
    guard let json, case .object = json else { throw wrong("`options`") }
    var options = HostOptions()
    options.host = try optionalText("host", json)
    if let mode = try optionalText("consent", json) {
      guard let mode = HostOptions.ConsentMode(rawValue: mode) else { throw wrong("`consent`") }
      options.consent = mode
    }
    options.debug = try optionalFlag("debug", json)
    options.flushAt = try optionalNumber("flushAt", json)
    options.flushIntervalBits = try optionalBits("flushInterval", json)
    options.maxQueueSize = try optionalNumber("maxQueueSize", json)
    options.sessionTimeoutMinutesBits = try optionalBits("sessionTimeoutMinutes", json)
    options.trackLifecycle = try optionalFlag("trackLifecycle", json)
    options.trackScreens = try optionalFlag("trackScreens", json)
    options.captureCrashes = try optionalFlag("captureCrashes", json)
    options.captureHangs = try optionalFlag("captureHangs", json)
    options.collectAppleSearchAds = try optionalFlag("collectAppleSearchAds", json)
    options.collectAdvertisingId = try optionalFlag("collectAdvertisingId", json)
    options.remoteConfig = try optionalFlag("remoteConfig", json)
    return options
  }

  // MARK: Values

  private func entries(
    _ key: String, _ json: JSONValue
  ) throws(HistoryFileError) -> [PropertyEntry] {
    guard let entries = json[key]?.object else { throw wrong("`\(key)`") }
    return try self.entries(entries)
  }

  private func entries(_ entries: [JSONEntry]) throws(HistoryFileError) -> [PropertyEntry] {
    var result: [PropertyEntry] = []
    for entry in entries { result.append(PropertyEntry(entry.key, try value(entry.value))) }
    return result
  }

  func value(_ json: JSONValue) throws(HistoryFileError) -> PropertyValue {
    switch json {
    case .null: return .null
    case .bool(let flag): return .bool(flag)
    case .int(let number): return .int(number)
    case .string(let text): return .string(text)
    case .array(let elements):
      var values: [PropertyValue] = []
      for element in elements { values.append(try value(element)) }
      return .array(values)
    case .object(let entries):
      guard entries.count == 1 else { throw wrong("value: a tag stands alone") }
      return try tagged(entries[0].key, entries[0].value)
    case .unsigned, .double: throw wrong("value: such a number needs a tag")
    }
  }

  private func tagged(_ tag: String, _ json: JSONValue) throws(HistoryFileError) -> PropertyValue {
    switch (tag, json) {
    case ("object", .object(let entries)): return .object(try self.entries(entries))
    case ("some", let json): return .optional(try value(json))
    case ("none", _): return .optional(nil)
    case ("opaque", _): return .opaque
    case ("numberKeyed", _): return .numberKeyed
    case ("date", .int(let milliseconds)): return .date(milliseconds: milliseconds)
    case ("url", .string(let text)): return .url(text)
    case ("boxedBool", .bool(let flag)): return .boxedBool(flag)
    case ("boxedInt", .int(let number)): return .boxedInt(number)
    case ("nested", .int(let depth)):
      guard let depth = Int(exactly: depth) else { throw wrong("`nested`") }
      return .nested(depth: depth)
    case ("data", .string(let text)):
      guard let bytes = Base64.decode(text.utf8) else { throw wrong("`data`") }
      return .data(bytes)
    case ("unsigned", let json):
      guard let number = json.unsignedNumber else { throw wrong("`unsigned`") }
      return .unsigned(number)
    case ("double", let json):
      guard let bits = json.doubleBits else { throw wrong("`double`") }
      return .double(bits: bits)
    case ("boxedDouble", let json):
      guard let bits = json.doubleBits else { throw wrong("`boxedDouble`") }
      return .boxedDouble(bits: bits)
    default: throw wrong("value with the tag `\(tag)`")
    }
  }
}
