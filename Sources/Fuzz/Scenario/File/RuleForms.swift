import FuzzHistory
import SimKernel

extension Form where Value == ServerRule {
  /// A scripted answer: to which requests, and what.
  static let rule = Form(
    write: { rule in
      let fresh = ScriptedAnswer()
      var writer = FieldWriter()
      writer.add("host", .word, rule.host)
      writer.add("first", .int(in: 1 ... .max), rule.first, unless: 1)
      writer.add("count", .int(in: 1 ... .max), ifPresent: rule.count)
      switch rule.condition {
      case .always: break
      case .bodyLargerThan(let bytes):
        writer.add("if_larger_than_bytes", .int(in: 0 ... .max), bytes)
      case .bodyContains(let text): writer.add("if_containing", .text, text)
      }
      writer.add("fault", .fault, ifPresent: rule.answer.fault)
      writer.add("status", .status, rule.answer.status, unless: fresh.status)
      writer.add("headers", Form<String>.text.list, rule.answer.headers, unless: fresh.headers)
      writer.add("body", .body, rule.answer.body, unless: fresh.body)
      writer.add("delay", delay, ifPresent: rule.answer.delayMilliseconds)
      return writer.value
    },
    read: { (json, place) throws(ScenarioFileError) in
      var reader = try FieldReader(json, place, "a rule")
      var rule = ServerRule(host: try reader.required("host", .word))
      rule.first = try reader.value("first", .int(in: 1...1_000_000_000), else: 1)
      rule.count = try reader.optional("count", .int(in: 1...1_000_000_000))
      rule.condition = try condition(&reader)
      rule.answer.fault = try reader.optional("fault", .fault)
      rule.answer.status = try reader.value("status", .status, else: rule.answer.status)
      rule.answer.headers = try reader.value("headers", Form<String>.text.list, else: [])
      rule.answer.body = try reader.value("body", .body, else: rule.answer.body)
      rule.answer.delayMilliseconds = try reader.optional("delay", delay)
      try reader.finish()
      return rule
    })

  private static var delay: Form<Int64> { .milliseconds(in: 0...86_400_000) }

  private static func condition(
    _ reader: inout FieldReader
  ) throws(ScenarioFileError) -> ServerRule.Condition {
    let bytes = try reader.optional("if_larger_than_bytes", .int(in: 0...1_000_000_000))
    let text = try reader.optional("if_containing", .text)
    switch (bytes, text) {
    case (nil, nil): return .always
    case (let bytes?, nil): return .bodyLargerThan(bytes: bytes)
    case (nil, let text?): return .bodyContains(text)
    default:
      throw reader.place.error("it has two conditions", "split it into two rules")
    }
  }
}

extension Form where Value == UInt16 {
  /// The status of an answer.
  static let status = Form<Int64>.integer(in: 200...599).map(
    to: { (number, _) in UInt16(number) }, from: { Int64($0) })
}

extension Form where Value == ScriptedAnswer.Body {
  private static let words: [(word: String, body: ScriptedAnswer.Body)] = [
    ("empty", .empty), ("healthy", .healthy), ("warning", .warning), ("html", .html),
    ("garbage", .garbage),
  ]

  static let body = Form(
    write: { body in
      switch body {
      case .rejecting(let count): return .object([JSONEntry("rejecting", .int(Int64(count)))])
      case .text(let text): return .object([JSONEntry("text", .string(text))])
      default: return .string(words.first { $0.body == body }?.word ?? "")
      }
    },
    read: { (json, place) throws(ScenarioFileError) in
      if case .string(let text) = json {
        if let found = words.first(where: { $0.word == text }) { return found.body }
        throw place.error(
          "\(Quoted.text(text)) is no kind of body", Quoted.mend(text, words.map(\.word)))
      }
      var reader = try FieldReader(json, place, "a body")
      let count = try reader.optional("rejecting", .int(in: 0...1_000))
      let text = try reader.optional("text", .text)
      try reader.finish()
      switch (count, text) {
      case (let count?, nil): return .rejecting(count: count)
      case (nil, let text?): return .text(text)
      default:
        throw place.error(
          "a body is one thing", "write { \"rejecting\": 2 } or { \"text\": \"…\" }")
      }
    })
}
