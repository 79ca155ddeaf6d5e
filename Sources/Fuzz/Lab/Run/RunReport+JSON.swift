import SimKernel

extension RunReport {
  /// The report as one JSON object on one line, keys in the documented order.
  public var json: String {
    var json = JSONText()
    write(to: &json)
    return json.text
  }

  /// Writes the report as an object.
  public func write(to json: inout JSONText) {
    json.object { json in
      json.member("seed", seed)
      json.member("profile", profile)
      json.member("name", name)
      json.member("verdict", verdict.rawValue)
      json.member("trace_hash", traceHash)
      json.member("events", events)
      json.member("simulated_seconds", number: RunReport.seconds(simulatedSeconds, atLeast: false))
      json.member("cpu_milliseconds", number: Figures.decimal(cpuMilliseconds, 2))
      json.member("launches", launches)
      json.member("api_calls", apiCalls)
      json.member("faults", faults)
      json.member(
        "messages",
        object: { json in
          json.member("accepted", messages.accepted)
          json.member("delivered", messages.delivered)
          json.member("queued", messages.queued)
          json.member("dropped", messages.dropped)
        })
      json.member(
        "replay",
        object: { json in
          json.member("segments", replay.segments)
          json.member("frames", replay.frames)
          json.member("bytes", replay.bytes)
          json.member("max_bytes_per_minute", replay.maxBytesPerMinute)
        })
      json.member(
        "findings", array: { json in for finding in findings { finding.write(to: &json) } })
      json.member("marks", marks)
      json.member("antecedents", antecedents)
    }
  }

  static func seconds(_ value: Double, atLeast three: Bool) -> String {
    let span = TimeSpan(nanoseconds: Int64((value * 1e9).rounded()))
    return three ? Figures.seconds(span) : Figures.shortSeconds(span)
  }
}

extension RunReport.ReportedFinding {
  /// Writes the finding as an object.
  public func write(to json: inout JSONText) {
    json.object { json in
      json.member("invariant", invariant)
      json.member("requirements", requirements)
      json.member("at_seconds", number: RunReport.seconds(atSeconds, atLeast: true))
      json.member("process", process)
      json.member("message", message)
      json.member("signature", signature)
    }
  }
}
