import FuzzHistory
import SimKernel

/// One field of a structure, the same way for reading and writing.
struct RecordField<Root: Sendable>: Sendable {
  let write: @Sendable (Root, inout FieldWriter) -> Void
  let read: @Sendable (inout Root, inout FieldReader) throws(ScenarioFileError) -> Void

  /// A field that is left out while it has its default.
  static func field<Value: Equatable & Sendable>(
    _ key: String, _ path: WritableKeyPath<Root, Value> & Sendable, _ form: Form<Value>,
    of fresh: Root
  ) -> RecordField {
    let fallback = fresh[keyPath: path]
    return RecordField(
      write: { root, writer in writer.add(key, form, root[keyPath: path], unless: fallback) },
      read: { (root, reader) throws(ScenarioFileError) in
        root[keyPath: path] = try reader.value(key, form, else: fallback)
      })
  }

  /// A field that may be missing.
  static func field<Value: Sendable>(
    _ key: String, _ path: WritableKeyPath<Root, Value?> & Sendable, _ form: Form<Value>
  ) -> RecordField {
    RecordField(
      write: { root, writer in writer.add(key, form, ifPresent: root[keyPath: path]) },
      read: { (root, reader) throws(ScenarioFileError) in
        root[keyPath: path] = try reader.optional(key, form)
      })
  }
}

extension Form where Value: Sendable {
  /// A structure whose fields all have defaults.
  static func record(
    _ what: String, _ fresh: Value, _ fields: [RecordField<Value>]
  ) -> Form {
    Form(
      write: { value in
        var writer = FieldWriter()
        for field in fields { field.write(value, &writer) }
        return writer.value
      },
      read: { (json, place) throws(ScenarioFileError) in
        var reader = try FieldReader(json, place, what)
        var value = fresh
        for field in fields { try field.read(&value, &reader) }
        try reader.finish()
        return value
      })
  }
}

extension Form where Value == DeviceDescription {
  static let device: Form = {
    let fresh = DeviceDescription()
    return record(
      "a device", fresh,
      [
        .field("app_name", \.appName, .text, of: fresh),
        .field("app_namespace", \.appNamespace, .text, of: fresh),
        .field("type", \.deviceType, .text, of: fresh),
        .field("manufacturer", \.deviceManufacturer, .text, of: fresh),
        .field("model", \.deviceModel, .text, of: fresh),
        .field("system_name", \.systemName, .text, of: fresh),
        .field("system_version", \.systemVersion, .text, of: fresh),
        .field("screen_width", \.screenWidth, .int(in: 1...100_000), of: fresh),
        .field("screen_height", \.screenHeight, .int(in: 1...100_000), of: fresh),
        .field("advertising_id", \.advertisingId, .text, of: fresh),
        .field("vendor_id", \.vendorId, .text, of: fresh),
      ])
  }()
}

extension Form where Value == Timing {
  static let timing: Form = {
    let fresh = Timing()
    return record(
      "timing", fresh,
      [
        .field("hand_off", \.handOffMicroseconds, .delays(of: 1_000), of: fresh),
        .field("disk_step", \.diskStepMicroseconds, .delays(of: 1_000), of: fresh),
        .field("network", \.networkMilliseconds, .delays(of: 1_000_000), of: fresh),
        .field("server", \.serverMilliseconds, .delays(of: 1_000_000), of: fresh),
      ])
  }()
}

extension Form where Value == ConfigAnswer {
  static let config = record(
    "a config answer", ConfigAnswer(),
    [
      .field("consent_mode", \.consentMode, .text),
      .field("session_timeout_minutes", \.sessionTimeoutMinutes, .int(in: -1_000_000...1_000_000)),
      .field("test", \.test, .flag),
      .field("pageviews", \.pageviews, .flag),
      .field("pageleave", \.pageleave, .flag),
      .field("errors", \.errors, .flag),
    ])
}

extension Form where Value == HostOptions {
  static let options = record(
    "options", HostOptions(),
    [
      .field("host", \.host, .text),
      .field("consent", \.consent, .word),
      .field("debug", \.debug, .flag),
      .field("flush_at", \.flushAt, .int(in: .min ... .max)),
      .field("flush_interval_seconds", \.flushIntervalBits, .double),
      .field("max_queue_size", \.maxQueueSize, .int(in: .min ... .max)),
      .field("session_timeout_minutes", \.sessionTimeoutMinutesBits, .double),
      .field("track_lifecycle", \.trackLifecycle, .flag),
      .field("track_screens", \.trackScreens, .flag),
      .field("capture_crashes", \.captureCrashes, .flag),
      .field("capture_hangs", \.captureHangs, .flag),
      .field("collect_apple_search_ads", \.collectAppleSearchAds, .flag),
      .field("collect_advertising_id", \.collectAdvertisingId, .flag),
      .field("remote_config", \.remoteConfig, .flag),
    ])
}

extension Form where Value == AppStart {
  static let start: Form = {
    let fresh = AppStart()
    return record(
      "the start code of the app", fresh,
      [
        .field("write_key", \.writeKey, .text, of: fresh),
        .field("options", \.options, .options, of: fresh),
        .field("after", \.afterMilliseconds, .milliseconds(in: 0...86_400_000), of: fresh),
      ])
  }()
}

extension Form where Value == AppStart? {
  /// Start code, or null for an app that has none.
  static let optionalStart = Form(
    write: { $0.map(Form<AppStart>.start.write) ?? .null },
    read: { (json, place) throws(ScenarioFileError) in
      if case .null = json { return nil }
      return try Form<AppStart>.start.read(json, place)
    })
}

extension Form where Value == Provenance {
  static let provenance = Form(
    write: { value in
      var writer = FieldWriter()
      writer.add("seed", .bits, value.seed)
      writer.add("profile", .text, value.profile)
      writer.add("build", .text, value.build, unless: "")
      return writer.value
    },
    read: { (json, place) throws(ScenarioFileError) in
      var reader = try FieldReader(json, place, "a provenance")
      let seed = try reader.required("seed", .bits)
      let profile = try reader.required("profile", .text)
      let build = try reader.value("build", .text, else: "")
      try reader.finish()
      return Provenance(seed: seed, profile: profile, build: build)
    })
}

extension Form where Value == FaultKind {
  static let fault = word { $0.name }
}

extension Form where Value == FaultSetting {
  static let faultSetting = Form(
    write: { value in
      var writer = FieldWriter()
      writer.add("fault", .fault, value.kind)
      writer.add("chance", .ratio, value.chance)
      writer.add("from", .sinceStart, ifPresent: value.from)
      writer.add("until", .sinceStart, ifPresent: value.until)
      writer.add("amount", .integer(in: .min ... .max), ifPresent: value.amount)
      return writer.value
    },
    read: { (json, place) throws(ScenarioFileError) in
      var reader = try FieldReader(json, place, "a fault")
      let kind = try reader.required("fault", .fault)
      var value = FaultSetting(kind, chance: try reader.required("chance", .ratio))
      value.from = try reader.optional("from", .sinceStart)
      value.until = try reader.optional("until", .sinceStart)
      if let from = value.from, let until = value.until, until < from {
        throw Place.key(place, "until").error("it ends before it begins", "put it after \"from\"")
      }
      value.amount = try amount(of: kind, &reader)
      try reader.finish()
      return value
    })

  private static func amount(
    of kind: FaultKind, _ reader: inout FieldReader
  ) throws(ScenarioFileError) -> Int64? {
    let entry = FaultCatalogue.entry(kind)
    if entry.unit == .none, reader.has("amount") {
      throw Place.key(reader.place, "amount").error(
        "\(entry.name) has no amount", "leave it out")
    }
    return try reader.optional("amount", .integer(in: entry.range))
  }
}
