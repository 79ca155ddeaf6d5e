import FuzzHistory
import SimKernel

/// What the collector does with messages that it accepted: a model of the service, as far as the
/// document tells of it.
struct CollectorDeeds {
  /// Something done with one message.
  struct Deed {
    var kind: CollectorDeed
    var bytes: [UInt8]
  }

  /// A conversion that waits for its delivery.
  struct Conversion {
    var exchange: UInt32
    var place: UInt16
    var messageId: String
    /// Address and user agent, encrypted.
    var sealed: [UInt8]
  }

  let settings: CollectorSettings
  let address: String
  /// By the number of their delivery.
  private(set) var conversions: [Conversion?] = []
  private var known = Lookup<UInt64, Bool>()

  init(_ settings: CollectorSettings, address: String) {
    self.settings = settings
    self.address = address
  }

  /// Contact data, which no event keeps (ID-07).
  private static let contactKeys = [
    "email", "phone", "firstName", "lastName", "name", "address",
  ]
  /// The contact's word on each channel (ID-08).
  private static let channelKeys = ["email_opt_in", "sms_opt_in"]

  /// Takes a message that was not taken before.
  /// - Returns: what is done with it at once, in order; and the number of a delivery to come.
  mutating func take(
    _ bytes: UnsafeRawBufferPointer, userAgent: String, exchange: UInt32, place: UInt16
  ) -> (deeds: [Deed], delivery: Int?) {
    guard let head = Head(bytes), let id = head.id, isNew(id) else { return ([], nil) }
    let consent = head.member("consent")
    let hasAnalytics = consent?["analytics"]?.bool ?? false
    var deeds: [Deed] = []
    // What nothing is taken from is kept as it came.
    let event =
      hasAnalytics && head.type != "identify" && head.event != "$crash"
      ? Array(bytes) : stored(bytes, isCounted: !hasAnalytics, &deeds)
    deeds.append(Deed(kind: hasAnalytics ? .stored : .counted, bytes: event))
    if head.event == "$first_open", let install = head.member("install") {
      deeds.append(Deed(kind: .touchSet, bytes: install.canonicalBytes()))
    }
    guard consent?["marketing"]?.bool == true, isConversion(head) else { return (deeds, nil) }
    let sealed = CollectorDeeds.seal(Array((address + " " + userAgent).utf8), key: id)
    deeds.append(Deed(kind: .vaultFilled, bytes: sealed))
    conversions.append(
      Conversion(exchange: exchange, place: place, messageId: id, sealed: sealed))
    return (deeds, conversions.count - 1)
  }

  /// Delivers a conversion, and forgets where it came from.
  mutating func deliver(_ number: Int) -> (conversion: Conversion, deeds: [Deed])? {
    guard number < conversions.count, let conversion = conversions[number] else { return nil }
    conversions[number] = nil
    let origin = String(
      decoding: CollectorDeeds.seal(conversion.sealed, key: conversion.messageId), as: UTF8.self)
    let body = JSONValue.object([
      JSONEntry("event_id", .string(conversion.messageId)), JSONEntry("origin", .string(origin)),
    ]).canonicalBytes()
    var deeds = settings.destinations.map { platform in
      Deed(kind: platform == .meta ? .sentToMeta : .sentToTikTok, bytes: body)
    }
    deeds.append(Deed(kind: .vaultErased, bytes: []))
    return (conversion, deeds)
  }

  private mutating func isNew(_ id: String) -> Bool {
    var hash = TraceHash()
    var id = id
    id.withUTF8 { hash.combine(bytes: UnsafeRawBufferPointer($0)) }
    if known[hash.value] != nil { return false }
    known[hash.value] = true
    return true
  }

  private func isConversion(_ head: Head) -> Bool {
    guard !settings.destinations.isEmpty, let event = head.event else { return false }
    return settings.conversions.contains(event)
  }

  /// What a message is, without a reading of all that it holds.
  private struct Head {
    var id: String?
    var type: String?
    var event: String?
    private var context: UnsafeRawBufferPointer?

    /// - Returns: nil for bytes that are no object.
    init?(_ bytes: UnsafeRawBufferPointer) {
      do throws(JSONError) {
        var cursor = try JSONObjectCursor(bytes)
        while let field = try cursor.next() {
          let key = field.key.range
          let value = UnsafeRawBufferPointer(rebasing: bytes[field.value])
          if JSONBytes.matches(bytes, key, "messageId") {
            id = try JSONValue.parse(value).string
          } else if JSONBytes.matches(bytes, key, "type") {
            type = try JSONValue.parse(value).string
          } else if JSONBytes.matches(bytes, key, "event") {
            event = try JSONValue.parse(value).string
          } else if JSONBytes.matches(bytes, key, "context") {
            context = value
          }
        }
      } catch {
        return nil
      }
    }

    /// A member of the context.
    func member(_ key: StaticString) -> JSONValue? {
      guard let context, let range = (try? JSONBytes.value(of: key, in: context)) ?? nil else {
        return nil
      }
      return try? JSONValue.parse(UnsafeRawBufferPointer(rebasing: context[range]))
    }
  }

  /// The form in which an event is stored: without contact data, scrubbed, and without ids where it
  /// is only counted (CON-03, ID-07, CRA-12). Neither address nor user agent are in it (PRV-08).
  private func stored(
    _ bytes: UnsafeRawBufferPointer, isCounted: Bool, _ deeds: inout [Deed]
  ) -> [UInt8] {
    guard let message = try? JSONValue.parse(bytes), var entries = message.object else {
      return Array(bytes)
    }
    if isCounted { entries.removeAll { ["anonymousId", "userId", "traits"].contains($0.key) } }
    if message["type"]?.string == "identify", let traits = message["traits"]?.object {
      keepContact(traits, &deeds)
      let rest = traits.filter { !CollectorDeeds.contactKeys.contains($0.key) }
      entries = entries.map {
        $0.key == "traits" ? JSONEntry("traits", .object(rest)) : $0
      }
    }
    if message["event"]?.string == "$crash" {
      entries = entries.map {
        $0.key == "properties" ? JSONEntry("properties", CollectorDeeds.scrubbed($0.value)) : $0
      }
    }
    return JSONValue.object(entries).canonicalBytes()
  }

  private func keepContact(_ traits: [JSONEntry], _ deeds: inout [Deed]) {
    let contact = traits.filter { CollectorDeeds.contactKeys.contains($0.key) }
    if !contact.isEmpty {
      let bytes = JSONValue.object(contact).canonicalBytes()
      deeds.append(Deed(kind: .contactStored, bytes: CollectorDeeds.seal(bytes, key: "contact")))
    }
    for entry in traits where CollectorDeeds.channelKeys.contains(entry.key) {
      guard let isGiven = entry.value.bool else { continue }
      let proof = JSONValue.object([
        JSONEntry("channel", .string(entry.key)), JSONEntry("given", .bool(isGiven)),
        JSONEntry("proof", .string("identify")),
      ])
      deeds.append(Deed(kind: .channelConsentStored, bytes: proof.canonicalBytes()))
    }
  }

  private static func scrubbed(_ properties: JSONValue) -> JSONValue {
    guard let entries = properties.object else { return properties }
    return .object(
      entries.map { entry in
        guard ["message", "stack"].contains(entry.key), let text = entry.value.string else {
          return entry
        }
        return JSONEntry(entry.key, .string(ServerScrub.scrub(text)))
      })
  }

  /// Encrypts, and decrypts what was encrypted.
  private static func seal(_ bytes: [UInt8], key: String) -> [UInt8] {
    var hash = TraceHash()
    var key = key
    key.withUTF8 { hash.combine(bytes: UnsafeRawBufferPointer($0)) }
    let seed = hash.value
    return bytes.indices.map { index in
      bytes[index] ^ UInt8(truncatingIfNeeded: mixBits(seed &+ UInt64(index)) | 0x80)
    }
  }
}
