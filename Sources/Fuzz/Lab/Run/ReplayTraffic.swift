import FuzzHistory
import SimKernel

/// What replay put on the wire, counted from the requests themselves.
enum ReplayTraffic {
  private static let path = Array("/v1/attachments".utf8)

  /// Segments, bytes and the busiest fixed minute of a history.
  static func counts(in history: History) -> RunReport.Replay {
    var replay = RunReport.Replay()
    var minute: Int64 = -1
    var bytesInMinute = 0
    for record in history.records {
      guard case .requestStarted(_, _, _, true, let url, _, let body, _, _, _, _) = record.fact,
        history.bytes(url).suffix(path.count).elementsEqual(path)
      else { continue }
      let thisMinute = record.instant.nanoseconds / TimeSpan.minutes(1).nanoseconds
      if thisMinute != minute { bytesInMinute = 0 }
      minute = thisMinute
      bytesInMinute += Int(body.count)
      replay.segments += 1
      replay.bytes += Int(body.count)
      replay.maxBytesPerMinute = max(replay.maxBytesPerMinute, bytesInMinute)
    }
    return replay
  }
}
