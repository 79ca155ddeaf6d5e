import FuzzHistory

/// The public calls of the SDK by their words.
enum CallWords {
  static let all = [
    "load", "track", "screen", "identify", "group", "alias", "reset", "consent", "flush",
    "get_anonymous_id", "get_context",
  ]

  static func write(_ call: HostCall, _ writer: inout FieldWriter) {
    writer.add("do", .text, word(call))
    switch call {
    case .load(let writeKey, let options):
      writer.add("write_key", .text, writeKey)
      writer.add("options", .options, options, unless: HostOptions())
    case .track(let event, let properties, let messageId):
      writer.add("event", .text, event)
      writer.add("properties", .properties, properties, unless: [])
      writer.add("message_id", .text, ifPresent: messageId)
    case .screen(let name, let properties):
      writer.add("name", .text, name)
      writer.add("properties", .properties, properties, unless: [])
    case .identify(let userId, let traits):
      writer.add("user_id", .text, ifPresent: userId)
      writer.add("traits", .properties, traits, unless: [])
    case .group(let groupId, let traits):
      writer.add("group_id", .text, groupId)
      writer.add("traits", .properties, traits, unless: [])
    case .alias(let userId, let previousId):
      writer.add("user_id", .text, userId)
      writer.add("previous_id", .text, ifPresent: previousId)
    case .consent(let analytics, let marketing):
      writer.add("analytics", .flag, ifPresent: analytics)
      writer.add("marketing", .flag, ifPresent: marketing)
    case .reset, .flush, .getAnonymousId, .getContext: break
    }
  }

  static func word(_ call: HostCall) -> String {
    switch call {
    case .load: return "load"
    case .track: return "track"
    case .screen: return "screen"
    case .identify: return "identify"
    case .group: return "group"
    case .alias: return "alias"
    case .reset: return "reset"
    case .consent: return "consent"
    case .flush: return "flush"
    case .getAnonymousId: return "get_anonymous_id"
    case .getContext: return "get_context"
    }
  }

  /// - Returns: nothing where the word is none of a call.
  static func read(
    _ word: String, _ reader: inout FieldReader
  ) throws(ScenarioFileError) -> HostCall? {
    switch word {
    case "load":
      return .load(
        writeKey: try reader.required("write_key", .text),
        options: try reader.value("options", .options, else: HostOptions()))
    case "track":
      return .track(
        event: try reader.required("event", .text), properties: try entries("properties", &reader),
        messageId: try reader.optional("message_id", .text))
    case "screen":
      return .screen(
        name: try reader.required("name", .text), properties: try entries("properties", &reader))
    case "identify":
      return .identify(
        userId: try reader.optional("user_id", .text), traits: try entries("traits", &reader))
    case "group":
      return .group(
        groupId: try reader.required("group_id", .text), traits: try entries("traits", &reader))
    case "alias":
      return .alias(
        userId: try reader.required("user_id", .text),
        previousId: try reader.optional("previous_id", .text))
    case "consent":
      return .consent(
        analytics: try reader.optional("analytics", .flag),
        marketing: try reader.optional("marketing", .flag))
    case "reset": return .reset
    case "flush": return .flush
    case "get_anonymous_id": return .getAnonymousId
    case "get_context": return .getContext
    default: return nil
    }
  }

  private static func entries(
    _ key: String, _ reader: inout FieldReader
  ) throws(ScenarioFileError) -> [PropertyEntry] {
    try reader.value(key, .properties, else: [])
  }
}
