import FuzzHistory

extension RunReport {
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
    launches = json.count("launches")
    apiCalls = json.count("api_calls")
    faults = Tally(json: json["faults"])
    if let part = json["messages"] {
      messages = Messages(
        accepted: part.count("accepted"), delivered: part.count("delivered"),
        queued: part.count("queued"), dropped: Tally(json: part["dropped"]))
    }
    if let part = json["replay"] {
      replay = Replay(
        segments: part.count("segments"), frames: part.count("frames"), bytes: part.count("bytes"),
        maxBytesPerMinute: part.count("max_bytes_per_minute"))
    }
    findings = (json["findings"]?.array ?? []).compactMap { ReportedFinding(json: $0) }
    marks = Tally(json: json["marks"])
    antecedents = Tally(json: json["antecedents"])
  }
}

extension RunReport.ReportedFinding {
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

extension Tally {
  init(json: JSONValue?) {
    self.init()
    for entry in json?.object ?? [] { add(entry.key, Int(entry.value.integer ?? 0)) }
  }
}

extension JSONValue {
  /// A number of any form.
  var real: Double? {
    switch self {
    case .int(let number): return Double(number)
    case .unsigned(let number): return Double(number)
    case .double(let number): return number
    default: return nil
    }
  }

  /// The whole number under a key; 0 when it is absent.
  func count(_ key: String) -> Int { Int(self[key]?.integer ?? 0) }
}
