import FuzzHistory
import SimKernel

extension Form where Value == Expectation {
  private static let words = [
    "stored", "stored_in_all", "distinct", "lost", "requests", "attempts", "disk_changes", "order",
    "quiet",
  ]
  private static var times: Form<Int> { .int(in: 0...1_000_000_000) }

  /// An assertion in one line.
  static let expectation = Form(
    write: { expectation in
      var writer = FieldWriter()
      switch expectation {
      case .stored(let selection, let count, let by):
        writer.add("expect", .text, selection == .all ? "stored_in_all" : "stored")
        write(selection, &writer)
        writer.add("times", times, count)
        writer.add("by", .sinceStart, ifPresent: by)
      case .distinct(let member, let selection, let values):
        writer.add("expect", .text, "distinct")
        writer.add("member", .text, member)
        write(selection, &writer)
        writer.add("values", times, values)
      case .lost(let reason, let count):
        writer.add("expect", .text, "lost")
        writer.add("reason", .text, reason)
        writer.add("times", times, count)
      case .requests(let host, let frequency):
        writer.add("expect", .text, "requests")
        writer.add("host", .word, host)
        write(frequency, &writer)
      case .attempts(let host, let frequency):
        writer.add("expect", .text, "attempts")
        writer.add("host", .word, host)
        write(frequency, &writer)
      case .diskChanges(let text, let frequency):
        writer.add("expect", .text, "disk_changes")
        writer.add("containing", .text, text)
        write(frequency, &writer)
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
    switch selection {
    case .all: break
    case .named(let name): writer.add("name", .text, name)
    case .containing(let text): writer.add("containing", .text, text)
    }
  }

  private static func write(_ frequency: Expectation.Frequency, _ writer: inout FieldWriter) {
    writer.add("at_least", times, frequency.atLeast, unless: 0)
    writer.add("at_most", times, frequency.atMost, unless: .max)
    writer.add("from", .sinceStart, ifPresent: frequency.from)
    writer.add("until", .sinceStart, ifPresent: frequency.until)
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
    case "distinct":
      return .distinct(
        member: try reader.required("member", .text),
        reader.has("name") || reader.has("containing") ? try selection(&reader) : .all,
        values: try reader.required("values", times))
    case "lost":
      return .lost(
        reason: try reader.required("reason", .text), times: try reader.required("times", times))
    case "requests":
      return .requests(try reader.required("host", .word), try frequency(&reader))
    case "attempts":
      return .attempts(try reader.required("host", .word), try frequency(&reader))
    case "disk_changes":
      return .diskChanges(
        containing: try reader.required("containing", .text), try frequency(&reader))
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

  private static func frequency(
    _ reader: inout FieldReader
  ) throws(ScenarioFileError) -> Expectation.Frequency {
    Expectation.Frequency(
      atLeast: try reader.value("at_least", times, else: 0),
      atMost: try reader.value("at_most", times, else: .max),
      from: try reader.optional("from", .sinceStart),
      until: try reader.optional("until", .sinceStart))
  }
}
