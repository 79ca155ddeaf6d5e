/// The first line of a history file.
enum HeaderCoding {
  static func entries(_ header: HistoryHeader) -> [JSONEntry] {
    var entries = [
      JSONEntry("format", .string(HistoryFile.format)),
      JSONEntry("version", .int(Int64(header.version))),
    ]
    if let seed = header.seed { entries.append(JSONEntry("seed", .of(seed))) }
    entries += [
      JSONEntry("profile", .string(header.profile)),
      JSONEntry("name", .string(header.name)),
      JSONEntry("build", .string(header.build)),
      JSONEntry("trueEpoch", .int(header.trueEpoch)),
      JSONEntry("device", .object(deviceEntries(header.device))),
      JSONEntry("isCalm", .bool(header.isCalm)),
      JSONEntry("hasFixedDelays", .bool(header.hasFixedDelays)),
      JSONEntry("longestHandOff", .int(header.longestHandOff)),
      JSONEntry("canaries", .array(header.canaries.map(value))),
      JSONEntry("storageDirectory", .string(header.storageDirectory)),
    ]
    if header.distribution != .appStore {
      entries.append(JSONEntry("distribution", .string(header.distribution.rawValue)))
    }
    if let collector = header.collector {
      entries.append(JSONEntry("collector", value(collector)))
      entries.append(JSONEntry("networkAddress", .string(header.networkAddress)))
    }
    if header.hasSharedGroup { entries.append(JSONEntry("hasSharedGroup", .bool(true))) }
    if header.hasEarlierReporter {
      entries.append(JSONEntry("hasEarlierReporter", .bool(true)))
    }
    return entries
  }

  static func header(_ fields: Fields) throws(HistoryFileError) -> HistoryHeader {
    var header = HistoryHeader()
    header.version = Int(try fields.int64("version"))
    if fields.has("seed") { header.seed = try fields.unsigned("seed") }
    header.profile = try fields.string("profile")
    header.name = try fields.string("name")
    header.build = try fields.string("build")
    header.trueEpoch = try fields.int64("trueEpoch")
    guard let device = fields.value["device"] else { throw fields.wrong("device") }
    header.device = try self.device(Fields(device, line: fields.line))
    header.isCalm = try fields.bool("isCalm")
    header.hasFixedDelays = try fields.bool("hasFixedDelays")
    header.longestHandOff = try fields.int64("longestHandOff")
    guard let canaries = fields.value["canaries"]?.array else { throw fields.wrong("canaries") }
    header.canaries = []
    for canary in canaries {
      guard let kind = canary["kind"]?.string.flatMap(Canary.Kind.init(rawValue:)),
        let text = canary["text"]?.string
      else { throw fields.wrong("canaries") }
      header.canaries.append(Canary(kind: kind, text: text))
    }
    header.storageDirectory = try fields.string("storageDirectory")
    if fields.has("hasEarlierReporter") {
      header.hasEarlierReporter = try fields.bool("hasEarlierReporter")
    }
    if let collector = fields.value["collector"] {
      header.collector = try self.collector(collector, fields)
      header.networkAddress = try fields.string("networkAddress")
    }
    if fields.has("distribution") {
      guard let kind = DistributionKind(rawValue: try fields.string("distribution")) else {
        throw fields.wrong("distribution")
      }
      header.distribution = kind
    }
    if fields.has("hasSharedGroup") { header.hasSharedGroup = try fields.bool("hasSharedGroup") }
    return header
  }

  private static func value(_ collector: CollectorSettings) -> JSONValue {
    .object([
      JSONEntry("destinations", .array(collector.destinations.map { .string($0.rawValue) })),
      JSONEntry("conversions", .array(collector.conversions.map { .string($0) })),
      JSONEntry("deliveryMilliseconds", .int(collector.deliveryMilliseconds)),
    ])
  }

  private static func collector(
    _ value: JSONValue, _ fields: Fields
  ) throws(HistoryFileError) -> CollectorSettings {
    guard let destinations = value["destinations"]?.array,
      let conversions = value["conversions"]?.array,
      let delivery = value["deliveryMilliseconds"]?.integer
    else { throw fields.wrong("collector") }
    var settings = CollectorSettings()
    settings.destinations = destinations.compactMap {
      $0.string.flatMap { AdPlatform(rawValue: $0) }
    }
    settings.conversions = conversions.compactMap(\.string)
    settings.deliveryMilliseconds = delivery
    return settings
  }

  private static func value(_ canary: Canary) -> JSONValue {
    .object([
      JSONEntry("kind", .string(canary.kind.rawValue)), JSONEntry("text", .string(canary.text)),
    ])
  }

  private static func deviceEntries(_ device: DeviceDescription) -> [JSONEntry] {
    [
      JSONEntry("appName", .string(device.appName)),
      JSONEntry("appNamespace", .string(device.appNamespace)),
      JSONEntry("deviceType", .string(device.deviceType)),
      JSONEntry("deviceManufacturer", .string(device.deviceManufacturer)),
      JSONEntry("deviceModel", .string(device.deviceModel)),
      JSONEntry("systemName", .string(device.systemName)),
      JSONEntry("systemVersion", .string(device.systemVersion)),
      JSONEntry("screenWidth", .int(Int64(device.screenWidth))),
      JSONEntry("screenHeight", .int(Int64(device.screenHeight))),
      JSONEntry("advertisingId", .string(device.advertisingId)),
      JSONEntry("vendorId", .string(device.vendorId)),
    ]
  }

  private static func device(_ fields: Fields) throws(HistoryFileError) -> DeviceDescription {
    var device = DeviceDescription()
    device.appName = try fields.string("appName")
    device.appNamespace = try fields.string("appNamespace")
    device.deviceType = try fields.string("deviceType")
    device.deviceManufacturer = try fields.string("deviceManufacturer")
    device.deviceModel = try fields.string("deviceModel")
    device.systemName = try fields.string("systemName")
    device.systemVersion = try fields.string("systemVersion")
    device.screenWidth = Int(try fields.int64("screenWidth"))
    device.screenHeight = Int(try fields.int64("screenHeight"))
    device.advertisingId = try fields.string("advertisingId")
    device.vendorId = try fields.string("vendorId")
    return device
  }
}
