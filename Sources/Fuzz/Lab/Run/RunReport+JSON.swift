import FuzzHistory
import FuzzInvariants

extension RunReport {
  /// The report as an object, keys in the documented order.
  public var json: JSONValue {
    .object([
      JSONEntry("seed", .seed(seed)),
      JSONEntry("profile", .string(profile)),
      JSONEntry("name", .string(name)),
      JSONEntry("verdict", .string(verdict.rawValue)),
      JSONEntry("trace_hash", .string(traceHash)),
      JSONEntry("events", .int(Int64(events))),
      JSONEntry("simulated_seconds", .rounded(simulatedSeconds, 9)),
      JSONEntry("cpu_milliseconds", .rounded(cpuMilliseconds, 2)),
      JSONEntry("launches", .count(launches)),
      JSONEntry("api_calls", .count(apiCalls)),
      JSONEntry("faults", faults.json),
      JSONEntry("messages", messages.json),
      JSONEntry("replay", replay.json),
      JSONEntry("findings", .array(findings.map(\.json))),
      JSONEntry("marks", marks.json),
      JSONEntry("antecedents", antecedents.json),
      JSONEntry("crash_hashes", .array(crashHashes.map(\.json))),
    ])
  }

  /// Reads a report that `json` wrote; nil when it is none.
  public init?(json: JSONValue) {
    guard let verdict = json["verdict"]?.string.flatMap(Verdict.init(rawValue:)),
      let traceHash = json["trace_hash"]?.string
    else { return nil }
    self.init()
    seed = json["seed"]?.integer.map { UInt64($0) }
    profile = json["profile"]?.string ?? ""
    name = json["name"]?.string ?? ""
    self.verdict = verdict
    self.traceHash = traceHash
    events = UInt64(json["events"]?.integer ?? 0)
    simulatedSeconds = json["simulated_seconds"]?.real ?? 0
    cpuMilliseconds = json["cpu_milliseconds"]?.real ?? 0
    launches = json.count(of: "launches")
    apiCalls = json.count(of: "api_calls")
    faults = Tally(json: json["faults"])
    messages = Messages(json: json["messages"] ?? .null)
    replay = Replay(json: json["replay"] ?? .null)
    findings = (json["findings"]?.array ?? []).compactMap { ReportedFinding(json: $0) }
    marks = Tally(json: json["marks"])
    antecedents = Tally(json: json["antecedents"])
    crashHashes = (json["crash_hashes"]?.array ?? []).compactMap { CrashHash(json: $0) }
  }
}

extension RunReport.Messages {
  var json: JSONValue {
    .object([
      JSONEntry("accepted", .count(accepted)),
      JSONEntry("delivered", .count(delivered)),
      JSONEntry("queued", .count(queued)),
      JSONEntry("dropped", dropped.json),
    ])
  }

  init(json: JSONValue) {
    self.init(
      accepted: json.count(of: "accepted"), delivered: json.count(of: "delivered"),
      queued: json.count(of: "queued"), dropped: Tally(json: json["dropped"]))
  }
}

extension RunReport.Replay {
  var json: JSONValue {
    .object([
      JSONEntry("segments", .count(segments)),
      JSONEntry("frames", .count(frames)),
      JSONEntry("bytes", .count(bytes)),
      JSONEntry("max_bytes_per_minute", .count(maxBytesPerMinute)),
    ])
  }

  init(json: JSONValue) {
    self.init(
      segments: json.count(of: "segments"), frames: json.count(of: "frames"),
      bytes: json.count(of: "bytes"), maxBytesPerMinute: json.count(of: "max_bytes_per_minute"))
  }
}

extension CrashHash {
  /// The crash and its hash as an object.
  var json: JSONValue {
    .object([
      JSONEntry("crash", .string(Figures.hash(crash))),
      JSONEntry("stack_hash", .string(stackHash)),
      JSONEntry("process", .count(Int(process))),
    ])
  }

  /// Reads what `json` wrote; nil when it is none.
  init?(json: JSONValue) {
    guard let crash = json["crash"]?.string.flatMap({ UInt64($0, radix: 16) }),
      let stackHash = json["stack_hash"]?.string
    else { return nil }
    self.init(
      crash: crash, stackHash: stackHash,
      process: Int32(truncatingIfNeeded: json["process"]?.integer ?? -1))
  }
}

extension RunReport.ReportedFinding {
  /// The finding as an object.
  public var json: JSONValue {
    .object([
      JSONEntry("invariant", .string(invariant)),
      JSONEntry("requirements", .texts(requirements)),
      JSONEntry("at_seconds", .rounded(atSeconds, 9)),
      JSONEntry("process", .count(process)),
      JSONEntry("message", .string(message)),
      JSONEntry("signature", .string(signature)),
    ])
  }

  /// Reads what `json` wrote; nil when it is no finding.
  init?(json: JSONValue) {
    guard let invariant = json["invariant"]?.string, let signature = json["signature"]?.string
    else { return nil }
    self.init(
      invariant: invariant,
      requirements: (json["requirements"]?.array ?? []).compactMap(\.string),
      atSeconds: json["at_seconds"]?.real ?? 0,
      process: Int(json["process"]?.integer ?? -1),
      message: json["message"]?.string ?? "", signature: signature)
  }
}
