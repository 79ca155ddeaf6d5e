import FuzzHistory
import SimKernel

/// A history with every kind of fact, every kind of host call and every kind of value.
enum SampleHistory {
  static func header() -> HistoryHeader {
    var header = HistoryHeader()
    header.seed = .max
    header.profile = "default"
    header.name = "a name"
    header.build = "abc zlib 1.3 Swift 6.3"
    header.trueEpoch = -1
    header.device.appName = "Café"
    header.device.appNamespace = "a.b"
    header.device.deviceType = "tablet"
    header.device.deviceManufacturer = "Other"
    header.device.deviceModel = "iPad1,1"
    header.device.systemName = "iPadOS"
    header.device.systemVersion = "18"
    header.device.screenWidth = 1
    header.device.screenHeight = 2
    header.isCalm = true
    header.hasFixedDelays = true
    header.longestHandOff = 7
    header.hasSharedGroup = true
    header.device.advertisingId = "ad"
    header.device.vendorId = "vendor"
    header.distribution = .simulator
    var collector = CollectorSettings()
    collector.destinations = [.meta, .tiktok]
    collector.conversions = ["paid"]
    collector.deliveryMilliseconds = 5
    header.collector = collector
    header.networkAddress = "192.0.2.1"
    header.hasEarlierReporter = true
    header.canaries = Canary.Kind.allCases.map { Canary(kind: $0, text: "\u{13A0}\($0)") }
    header.storageDirectory = "elsewhere"
    return header
  }

  static let values: [PropertyEntry] = [
    PropertyEntry("z", .null), PropertyEntry("a", .bool(true)), PropertyEntry("", .int(.min)),
    PropertyEntry("u", .unsigned(.max)), PropertyEntry("small", .unsigned(1)),
    PropertyEntry("d", .double(bits: (0.1).bitPattern)),
    PropertyEntry("whole", .double(bits: (5.0).bitPattern)),
    PropertyEntry("negative zero", .double(bits: (-0.0).bitPattern)),
    PropertyEntry("nan", .double(bits: Double.nan.bitPattern | 3)),
    PropertyEntry("infinity", .boxedDouble(bits: (-Double.infinity).bitPattern)),
    PropertyEntry("s", .string("line\nfeed \u{1}é😀")),
    PropertyEntry("date", .date(milliseconds: -5)),
    PropertyEntry("url", .url("https://x/?q")), PropertyEntry("data", .data([0, 255, 1, 2])),
    PropertyEntry("array", .array([.int(1), .array([]), .object([])])),
    PropertyEntry(
      "object", .object([PropertyEntry("b", .int(1)), PropertyEntry("a", .optional(.bool(false)))])),
    PropertyEntry("boxedBool", .boxedBool(false)), PropertyEntry("boxedInt", .boxedInt(.max)),
    PropertyEntry("boxedDouble", .boxedDouble(bits: (2.5).bitPattern)),
    PropertyEntry("none", .optional(nil)), PropertyEntry("opaque", .opaque),
    PropertyEntry("numberKeyed", .numberKeyed), PropertyEntry("nested", .nested(depth: 100_000)),
  ]

  static func options() -> HostOptions {
    var options = HostOptions()
    options.host = "https://h"
    options.consent = .notRequired
    options.debug = true
    options.flushAt = -3
    options.flushIntervalBits = Double.nan.bitPattern
    options.maxQueueSize = 9
    options.sessionTimeoutMinutesBits = (30.5).bitPattern
    options.trackLifecycle = false
    options.trackScreens = true
    options.captureCrashes = false
    options.captureHangs = true
    options.collectAppleSearchAds = false
    options.collectAdvertisingId = false
    options.remoteConfig = false
    return options
  }

  static func calls() -> [HostCall] {
    [
      .load(writeKey: "k", options: options()), .load(writeKey: "", options: HostOptions()),
      .track(event: "e", properties: values, messageId: nil),
      .track(event: "e", properties: [], messageId: ""),
      .screen(name: "s", properties: values), .identify(userId: nil, traits: values),
      .identify(userId: "u", traits: []), .group(groupId: "g", traits: values),
      .alias(userId: "u", previousId: nil), .alias(userId: "u", previousId: "p"), .reset,
      .consent(analytics: true, marketing: nil), .consent(analytics: nil, marketing: false), .flush,
      .getAnonymousId, .getContext,
    ]
  }

  static func history() -> History {
    let history = History(header: header())
    func text(_ text: String) -> ByteSlice { history.store(text) }
    let raw = history.store([0xFF, 0, 0xC2] as [UInt8])
    var facts: [Fact] = [
      .launched(kind: .prewarmed, boot: .max, install: 3, version: text("1"), build: text("2")),
      .ended(.memoryKill), .phase(.resumed), .wallClockSet(before: -1, after: .max),
      .linkChanged(.captive), .localeChanged(locale: text("tr"), zone: text("Europe/Istanbul")),
      .faultTookEffect(fault: 255, detail: .max), .fileDamaged(path: text("p"), .garbled),
      .fileContent(path: text("p"), bytes: raw), .callReturned(call: 0, hasValue: true, value: raw),
      .callReturned(call: 1, hasValue: false, value: .empty),
      .callReturned(call: 2, hasValue: true, value: .empty),
      .portEnteredInCall(call: 0, port: .mainQueue), .firstQueueJobEnded,
      .attributionTokenAsked, .attributionTokenTold(token: text("TOKEN==")),
      .identityAsked(.advertisingId),
      .collected(.vaultFilled, exchange: 3, place: 2, bytes: text("sealed")),
      .trackingChanged(.authorized), .screenResized(ScreenSize(width: 1, height: .max)),
      .deviceChanged(
        model: text("iPhone17,1"), systemVersion: text("18.0"), advertisingId: text("id")),
      .disk(
        .rename, outcome: .noSpace, queue: 4, step: 5, path: text("a"), target: text("b"),
        offset: 6, bytes: text("\"bytes\"\u{0}")),
      .requestStarted(
        exchange: 1, host: .collector, attempt: 2, isPost: true, url: text("u"),
        headers: text("A: b\nC: d"), body: raw, idleTimeoutMilliseconds: 20_000,
        totalTimeoutMilliseconds: 120_000, wall: 5, continuous: -5),
      .requestArrived(exchange: 1, copy: 1),
      .answered(exchange: 1, copy: 0, status: 200, headers: text("h: i"), body: text("{}")),
      .exchangeEnded(exchange: 1, end: .timedOut, status: 9, headers: .empty, body: text("x")),
      .exchangeCancelled(exchange: 1), .backgroundTaskBegan(task: 1),
      .backgroundTaskEnded(task: 2), .backgroundTaskExpired(task: 3),
      .logged(code: 1, needsAttention: true, text: text("t")), .calmBegan,
      .calmEnded(pending: text("queue")), .lockChanged(isLocked: true),
      .protectedDataAvailable(false), .rebooted(boot: .max), .powerLost,
      .fileLost(path: text("p")), .installed(.restore), .storageLock(.takenByExtension),
      .controllerAppeared(controller: text("{}"), action: 7, continuous: -1), .appearancesHooked,
      .crashed(
        kind: .trap, thread: 3, threadName: text("t"), name: text("n"), reason: text("r"),
        frames: text("f"), isStackOverflow: true, continuous: -2),
      .crashHandlerRan(.later, isSignal: true), .crashHandlersInstalled,
      .portEnteredInHandler(.context),
      .mainThread(isBlocked: true, stack: text("0   Kiosk  0x1 main + 4")),
      .mainThread(isBlocked: false, stack: .empty), .debugger(isAttached: true), .stackSampled,
    ]
    for call in calls() { _ = history.add(call) }
    // Every second call is made, the others stand in the history without a record.
    for index in stride(from: 0, to: UInt32(calls().count), by: 2) {
      facts.append(
        .callBegan(call: index, action: index, thread: 1, wall: .min, continuous: .max))
    }
    for (index, fact) in facts.enumerated() {
      history.append(fact, at: Instant(nanoseconds: Int64(index)), process: Int32(index % 3) - 1)
    }
    return history
  }
}
