/// What one chance of a fault is drawn for.
public enum FaultOccasion: String, Hashable, Sendable, CaseIterable {
  /// A request to any server.
  case request
  /// A request that reached the collector.
  case batchRequest = "batch_request"
  /// A request that reached the config service.
  case configRequest = "config_request"
  /// A request that reached Apple's attribution API.
  case attributionRequest = "attribution_request"
  /// One operation on a file.
  case fileOperation = "file_operation"
  /// A job given to a serial queue.
  case job
  /// A launch of the process.
  case launch
  /// The app goes to the background.
  case background
  /// The app is suspended.
  case suspension
  /// A notification of the app's life.
  case notification
  /// Nothing is drawn: it happens by an action or in the course of events.
  case event
}

/// What the amount of a fault counts.
public enum FaultUnit: String, Hashable, Sendable, CaseIterable {
  case none
  case milliseconds
  case seconds
  case bytes
  case messages
  case fields
  case partsPerMillion = "parts_per_million"
}

/// All that is known of one kind of fault.
public struct FaultEntry: Hashable, Sendable {
  public let kind: FaultKind
  /// `family.what`, as scenarios and reports name it.
  public let name: String
  public let occasion: FaultOccasion
  public let unit: FaultUnit
  public let defaultAmount: Int64
  public let range: ClosedRange<Int64>
  /// Where it comes from on a real device, in one sentence.
  public let cause: String

  /// The part of the name before the point.
  public let family: String

  init(
    _ kind: FaultKind, _ name: String, _ occasion: FaultOccasion, _ unit: FaultUnit = .none,
    _ defaultAmount: Int64 = 0, in range: ClosedRange<Int64> = 0...0, cause: String
  ) {
    self.kind = kind
    self.name = name
    family = String(name.prefix { $0 != "." })
    self.occasion = occasion
    self.unit = unit
    self.defaultAmount = defaultAmount
    self.range = range
    self.cause = cause
  }
}

/// Every kind of fault with its name, unit, default, range and real cause.
public enum FaultCatalogue {
  /// In the order of `FaultKind.allCases`.
  public static let entries: [FaultEntry] =
    networkEntries + serverEntries + configEntries + attributionEntries
    + deviceEntries + powerEntries + installEntries

  /// The families in the order of the catalogue.
  public static let families: [String] = entries.reduce(into: []) { families, entry in
    if families.last != entry.family { families.append(entry.family) }
  }

  /// The place of each kind in `entries`, by raw value.
  private static let places: [UInt8] = {
    var places = [UInt8](repeating: .max, count: 256)
    for (place, entry) in entries.enumerated() { places[Int(entry.kind.rawValue)] = UInt8(place) }
    return places
  }()

  /// The entry of a kind.
  public static func entry(_ kind: FaultKind) -> FaultEntry {
    entries[Int(places[Int(kind.rawValue)])]
  }

  /// The entry of a name such as `network.reset_after`.
  /// - Returns: nothing where no fault has that name.
  public static func entry(named name: String) -> FaultEntry? {
    entries.first { $0.name == name }
  }
}

extension FaultKind {
  /// `family.what`, as scenarios and reports name it.
  public var name: String { FaultCatalogue.entry(self).name }
  /// The part of the name before the point.
  public var family: String { FaultCatalogue.entry(self).family }
}

extension FaultCatalogue {
  private static let networkEntries: [FaultEntry] = [
    FaultEntry(
      .networkDnsFailure, "network.dns_failure", .request,
      cause:
        "The resolver of a hotel or train network does not answer, or a filter blocks the name."),
    FaultEntry(
      .networkRefused, "network.refused", .request,
      cause: "A firewall or a server that is being restarted answers the connection with a reset."),
    FaultEntry(
      .networkTlsFailure, "network.tls_failure", .request,
      cause:
        "A captive portal or an inspecting proxy presents a certificate that the device refuses."),
    FaultEntry(
      .networkResetBefore, "network.reset_before", .request,
      cause: "The connection breaks while the request is on its way, before the server read it."),
    FaultEntry(
      .networkResetAfter, "network.reset_after", .request,
      cause: "The connection breaks after the server acted, so that the answer is lost."),
    FaultEntry(
      .networkDuplicateArrival, "network.duplicate_arrival", .request, .milliseconds, 40,
      in: 0...60_000,
      cause:
        "A proxy, or the system's retry on a reused connection, sends the request twice."),
    FaultEntry(
      .networkBlackHole, "network.black_hole", .request,
      cause: "A tunnel or a lift swallows every packet: nothing comes back until the timeout."),
    FaultEntry(
      .networkTruncatedBody, "network.truncated_body", .request, .bytes, 5, in: 0...65_536,
      cause:
        "The connection ends in the middle of the answer, with only so many bytes of its body read."
    ),
    FaultEntry(
      .networkSlow, "network.slow", .request, .milliseconds, 4_000, in: 1...120_000,
      cause: "A weak cell or a full access point delays both ways."),
    FaultEntry(
      .networkOffline, "network.offline", .request,
      cause: "Flight mode or no reception: the system refuses the request at once."),
    FaultEntry(
      .networkInterfaceChange, "network.interface_change", .request,
      cause: "The device walks out of Wi-Fi reach and the connection dies with its interface."),
    FaultEntry(
      .networkCaptiveHtml, "network.captive_html", .request,
      cause: "A trusted proxy answers in the server's place with a sign-in page and status 200."),
    FaultEntry(
      .networkCaptiveBadRequest, "network.captive_bad_request", .request,
      cause: "A trusted middlebox answers what it does not understand with an empty 400."),
  ]

  private static let serverEntries: [FaultEntry] = [
    FaultEntry(
      .serverBadRequest, "server.bad_request", .batchRequest,
      cause: "A release of the collector refuses a body that others take."),
    FaultEntry(
      .serverUnauthorized, "server.unauthorized", .batchRequest,
      cause: "The write key was rotated, or the key store of the collector is down."),
    FaultEntry(
      .serverForbidden, "server.forbidden", .batchRequest,
      cause: "The source was switched off in the panel."),
    FaultEntry(
      .serverNotFound, "server.not_found", .batchRequest,
      cause: "A gateway lost its route to the collector during a deployment."),
    FaultEntry(
      .serverRequestTimeout, "server.request_timeout", .batchRequest,
      cause: "The gateway gave up waiting for a slow upload."),
    FaultEntry(
      .serverTooLarge, "server.too_large", .batchRequest, .bytes, 16_384, in: 1...512_000,
      cause: "A gateway in front of the collector takes only bodies up to so many bytes."),
    FaultEntry(
      .serverTooEarly, "server.too_early", .batchRequest,
      cause: "The edge refuses a request that came in early data of a resumed connection."),
    FaultEntry(
      .serverTooManyRequests, "server.too_many_requests", .batchRequest, .seconds, 30,
      in: 0...100_000,
      cause: "The collector's rate limit is reached and it asks for a pause of so many seconds."),
    FaultEntry(
      .serverError, "server.error", .batchRequest,
      cause: "The collector failed while it handled the batch."),
    FaultEntry(
      .serverUnavailable, "server.unavailable", .batchRequest,
      cause: "The collector is overloaded or being deployed."),
    FaultEntry(
      .serverOtherSuccess, "server.other_success", .batchRequest,
      cause: "A gateway takes the batch into its own queue and answers 202 or 204."),
    FaultEntry(
      .serverRedirect, "server.redirect", .batchRequest,
      cause: "The service moved, or a portal redirects to its sign-in page."),
    FaultEntry(
      .serverMalformedAnswer, "server.malformed_answer", .batchRequest,
      cause: "A broken proxy rewrites the body of a good answer."),
    FaultEntry(
      .serverRejects, "server.rejects", .batchRequest, .messages, 1, in: 1...20,
      cause: "The collector takes the batch but finds so many of its messages invalid."),
    FaultEntry(
      .serverWarns, "server.warns", .batchRequest,
      cause: "The collector takes the batch and complains about some properties."),
    FaultEntry(
      .serverLateAnswer, "server.late_answer", .batchRequest, .milliseconds, 9_000,
      in: 1...120_000,
      cause: "The collector's storage is slow: the answer comes late or after the timeout."),
    FaultEntry(
      .serverSkewedClock, "server.skewed_clock", .batchRequest, .seconds, 5_400,
      in: -31_536_000...31_536_000,
      cause: "The server's own clock is off, which shows in its Date header."),
  ]

  private static let configEntries: [FaultEntry] = [
    FaultEntry(
      .configFailure, "config.failure", .configRequest,
      cause: "The config service is down and answers 500."),
    FaultEntry(
      .configGarbage, "config.garbage", .configRequest,
      cause: "A proxy replaces the config by a page, or a cache holds half of it."),
    FaultEntry(
      .configTooLarge, "config.too_large", .configRequest, .bytes, 70_000, in: 65_537...1_000_000,
      cause: "A mistake in the panel blows the config up beyond what the SDK reads."),
    FaultEntry(
      .configUnknownMode, "config.unknown_mode", .configRequest,
      cause: "The panel knows a consent mode that this version of the SDK does not."),
    FaultEntry(
      .configStrayFields, "config.stray_fields", .configRequest, .fields, 4, in: 1...100,
      cause: "A newer panel sends fields that this version of the SDK does not know."),
    FaultEntry(
      .configSlow, "config.slow", .configRequest, .milliseconds, 3_500, in: 1...60_000,
      cause: "The config service is far away or cold, so that the SDK stops waiting."),
  ]

  private static let attributionEntries: [FaultEntry] = [
    FaultEntry(
      .attributionNotFound, "attribution.not_found", .attributionRequest,
      cause: "Apple's service does not know the token yet: it asks for another try after 5 s."),
    FaultEntry(
      .attributionFailure, "attribution.failure", .attributionRequest,
      cause: "Apple's service is down, or takes the token for invalid."),
    FaultEntry(
      .attributionGarbage, "attribution.garbage", .attributionRequest,
      cause: "A proxy on the way replaces the answer by a page of its own."),
    FaultEntry(
      .attributionSlow, "attribution.slow", .attributionRequest, .milliseconds, 21_000,
      in: 1...120_000,
      cause: "Apple's service answers later than the opening may wait."),
  ]

  private static let deviceEntries: [FaultEntry] = [
    FaultEntry(
      .diskNoSpace, "disk.no_space", .fileOperation, .bytes, 16, in: 0...65_536,
      cause: "Photos and downloads filled the disk: only so many bytes of a write still fit."),
    FaultEntry(
      .diskInputOutput, "disk.input_output", .fileOperation, .bytes, 0, in: 0...65_536,
      cause: "Worn flash fails once; so many bytes of a write have reached the file."),
    FaultEntry(
      .diskDenied, "disk.denied", .fileOperation,
      cause: "File protection denies access for a moment, as around a lock or a restore."),
    FaultEntry(
      .diskVanished, "disk.vanished", .fileOperation,
      cause: "A cleaning tool or a failed restore removed the file behind the app's back."),
    FaultEntry(
      .diskGarbled, "disk.garbled", .fileOperation, .bytes, 8, in: 1...4_096,
      cause: "So many bytes of the file were damaged at rest."),
    FaultEntry(
      .diskSlow, "disk.slow", .fileOperation, .milliseconds, 400, in: 1...10_000,
      cause: "The flash is busy with another app's writes or with its own upkeep."),
    FaultEntry(
      .processMemoryKill, "process.memory_kill", .suspension,
      cause: "The system needs memory and ends the app, mostly while it is suspended."),
    FaultEntry(
      .processUserSwipe, "process.user_swipe", .background,
      cause: "The user removes the app from the switcher."),
    FaultEntry(
      .processCrash, "process.crash", .event,
      cause: "An uncaught exception or a fatal signal in the host app."),
    FaultEntry(
      .processExit, "process.exit", .event,
      cause: "The host app calls exit, as some do after a language change."),
    FaultEntry(
      .processBackgroundOverrun, "process.background_overrun", .event,
      cause: "The app did not end its background task before its time was up."),
    FaultEntry(
      .processSuspendedInFlight, "process.suspended_in_flight", .event,
      cause: "The app is frozen while a request runs, and hears of its end only at resume."),
    FaultEntry(
      .processLockHeld, "process.lock_held", .event,
      cause:
        "The app was suspended while it held a file lock in a container that it shares with an"
        + " extension, and the system ends it for that."),
    FaultEntry(
      .processWatchdog, "process.watchdog", .event,
      cause: "The app let a step of its life wait for its main thread, and was ended for it."),
    FaultEntry(
      .clockStep, "clock.step", .event, .seconds, 3_600, in: -3_153_600_000...3_153_600_000,
      cause: "The user or the network sets the wall clock."),
    FaultEntry(
      .clockAtEpoch, "clock.at_epoch", .event,
      cause: "After an empty battery the wall clock starts in 1970 until the network sets it."),
    FaultEntry(
      .clockDrift, "clock.drift", .event, .partsPerMillion, 40, in: -500...500,
      cause: "The quartz of the device runs fast or slow with its temperature."),
    FaultEntry(
      .queueSlow, "queue.slow", .job, .milliseconds, 250, in: 1...10_000,
      cause: "The system gives a queue of low priority no time while the device is busy."),
    FaultEntry(
      .mainThreadBlocked, "main.blocked", .event, .milliseconds, 6_000, in: 1...3_600_000,
      cause: "The app reads a large file, waits for a lock or calls a server on its main thread."),
    FaultEntry(
      .mainThreadBusy, "main.busy", .event, .milliseconds, 6_000, in: 1...3_600_000,
      cause: "An animation or a long list keeps the main run loop turning without a pause."),
    FaultEntry(
      .mainThreadDebugged, "main.debugged", .event,
      cause: "A developer runs the app under a debugger and stops it at a breakpoint."),
  ]
}

extension FaultCatalogue {
  private static let powerEntries: [FaultEntry] = [
    FaultEntry(
      .deviceLocked, "device.locked", .event, .seconds, 10, in: 10...10,
      cause:
        "The user locks the device: so long after it files of the class complete can not be read."),
    FaultEntry(
      .deviceBeforeFirstUnlock, "device.before_first_unlock", .event,
      cause:
        "A push or a fetch starts the app after a reboot before anybody typed the passcode: the keys"
        + " of its files are not in memory."),
    FaultEntry(
      .deviceReboot, "device.reboot", .event, .seconds, 40, in: 1...31_536_000,
      cause: "The user or a system update at night restarts the device, off for so long."),
    FaultEntry(
      .devicePowerLoss, "device.power_loss", .event, .seconds, 120, in: 1...31_536_000,
      cause: "An empty battery, a drop or a kernel panic ends everything at once, for so long."),
    FaultEntry(
      .deviceUnsyncedLoss, "device.unsynced_loss", .event, .bytes, 0, in: 0...1_000_000_000,
      cause:
        "The flash had so many bytes, or the change of a name, in its own cache when the power went."
    ),
    FaultEntry(
      .deviceStorageLockTaken, "device.storage_lock_taken", .event, .seconds, 20, in: 1...86_400,
      cause: "An extension of the app runs so long and holds the lock of the shared container."),
    FaultEntry(
      .deviceTrackingChanged, "device.tracking_changed", .event,
      cause:
        "The user changes in the settings whether the app may track: the system ends the app."),
    FaultEntry(
      .deviceSystemUpdate, "device.system_update", .event, .seconds, 600, in: 1...31_536_000,
      cause: "A system update at night restarts the device, off for so long."),
  ]

  private static let installEntries: [FaultEntry] = [
    FaultEntry(
      .installDowngrade, "install.downgrade", .event,
      cause: "A tester goes back from a beta to the version of the store, over the same data."),
    FaultEntry(
      .installReinstall, "install.reinstall", .event,
      cause: "The user deletes the app with its data and fetches it again."),
    FaultEntry(
      .installOffload, "install.offload", .event,
      cause: "The system puts an app away that was not used for long, and keeps its data."),
    FaultEntry(
      .installRestore, "install.restore", .event,
      cause: "A new device is set up from a backup, without the folders that stayed out of it."),
    FaultEntry(
      .appRepeatedNotification, "app.repeated_notification", .notification,
      cause: "A framework or a second scene posts a notification of the app's life once more."),
    FaultEntry(
      .appSecondScene, "app.second_scene", .event,
      cause: "The user has two windows of the app open, of which only one goes away."),
  ]
}
