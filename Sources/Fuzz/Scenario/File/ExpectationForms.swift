import FuzzHistory
import SimKernel

extension Form where Value == Expectation {
  private static let words = [
    "stored", "stored_in_all", "lost", "requests", "attempts", "order", "quiet",
  ]
  private static var times: Form<Int> { .int(in: 0...1_000_000_000) }

  /// An assertion in one line.
  static let expectation = Form(
    write: { expectation in
      var writer = FieldWriter()
      switch expectation {
      case .stored(let selection, let count, let by):
        write(selection, &writer)
        writer.add("times", times, count)
        writer.add("by", .sinceStart, ifPresent: by)
      case .lost(let reason, let count):
        writer.add("expect", .text, "lost")
        writer.add("reason", .text, reason)
        writer.add("times", times, count)
      case .requests(let traffic):
        writer.add("expect", .text, "requests")
        write(traffic, &writer)
      case .attempts(let traffic):
        writer.add("expect", .text, "attempts")
        write(traffic, &writer)
      case .order(let names):
        writer.add("expect", .text, "order")
        writer.add("names", Form<String>.text.list, names)
      case .quiet: writer.add("expect", .text, "quiet")
      }
      return writer.value
    },
    read: { (json, place) throws(ScenarioFileError) in
      var reader = try FieldReader(json, place, "an expectation")
      let expectation = try read(&reader)
      try reader.finish()
      return expectation
    })

  private static func write(_ selection: Expectation.Selection, _ writer: inout FieldWriter) {
    if selection == .all { return writer.add("expect", .text, "stored_in_all") }
    writer.add("expect", .text, "stored")
    switch selection {
    case .all: break
    case .named(let name): writer.add("name", .text, name)
    case .containing(let text): writer.add("containing", .text, text)
    }
  }

  private static func write(_ traffic: Expectation.Traffic, _ writer: inout FieldWriter) {
    writer.add("host", .word, traffic.host)
    writer.add("at_least", times, traffic.atLeast, unless: 0)
    writer.add("at_most", times, traffic.atMost, unless: .max)
    writer.add("from", .sinceStart, ifPresent: traffic.from)
    writer.add("until", .sinceStart, ifPresent: traffic.until)
  }

  private static func read(
    _ reader: inout FieldReader
  ) throws(ScenarioFileError) -> Expectation {
    let word = try reader.required("expect", .text)
    switch word {
    case "stored", "stored_in_all":
      let selection = word == "stored" ? try selection(&reader) : .all
      return .stored(
        selection, times: try reader.required("times", times),
        by: try reader.optional("by", .sinceStart))
    case "lost":
      return .lost(
        reason: try reader.required("reason", .text), times: try reader.required("times", times))
    case "requests": return .requests(try traffic(&reader))
    case "attempts": return .attempts(try traffic(&reader))
    case "order": return .order(names: try reader.required("names", Form<String>.text.list))
    case "quiet": return .quiet
    default:
      throw Place.key(reader.place, "expect").error(
        "\(Quoted.text(word)) cannot be expected", Quoted.mend(word, words))
    }
  }

  private static func selection(
    _ reader: inout FieldReader
  ) throws(ScenarioFileError) -> Expectation.Selection {
    guard let text = try reader.optional("containing", .text) else {
      return .named(try reader.required("name", .text))
    }
    if reader.has("name") {
      throw reader.place.error("it selects twice", "keep either \"name\" or \"containing\"")
    }
    return .containing(text)
  }

  private static func traffic(
    _ reader: inout FieldReader
  ) throws(ScenarioFileError) -> Expectation.Traffic {
    Expectation.Traffic(
      try reader.required("host", .word), atLeast: try reader.value("at_least", times, else: 0),
      atMost: try reader.value("at_most", times, else: .max),
      from: try reader.optional("from", .sinceStart),
      until: try reader.optional("until", .sinceStart))
  }
}
