/// What the collector says of a batch (formats: batch).
struct BatchAnswer: Equatable, Sendable {
  /// The ids of messages that it will never take; they are not sent again (TRN-14).
  var rejected: [String] = []
  var warningCount = 0

  /// Reads the body of an answer with a status of 2xx.
  /// - Returns: nil if it is neither empty nor a JSON object: then it is not the collector's
  ///
  static func parse(_ body: [UInt8]) -> BatchAnswer? {
    if body.isEmpty || body == [0x7B, 0x7D] { return BatchAnswer() }
    guard let root = JSONParser.parse(body), case .object = root else { return nil }
    var answer = BatchAnswer()
    answer.rejected = (root["rejected"]?.array ?? []).compactMap { $0["messageId"]?.string }
    answer.warningCount = root["warnings"]?.array?.count ?? 0
    return answer
  }
}
