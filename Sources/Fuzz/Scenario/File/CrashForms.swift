import FuzzHistory
import SimKernel

/// How a crash stands in a scenario file.
enum CrashForms {
  private static let bytes = Form<Int>.int(in: 0...1_000_000)

  static func write(_ plan: CrashPlan, _ writer: inout FieldWriter) {
    writer.add("kind", .word, plan.kind)
    writer.add("thread", .thread, plan.thread, unless: 0)
    writer.add("thread_name", .text, plan.threadName, unless: "")
    writer.add("name", .text, plan.name, unless: "")
    writer.add("reason", .text, plan.reason, unless: "")
    writer.add("frames", Form<CrashPlan.Frame>.frame.list, plan.frames, unless: [])
    writer.add("stack_overflow", .flag, plan.isStackOverflow, unless: false)
    writer.add("crashes_again", .flag, plan.crashesAgain, unless: false)
    writer.add("killed_after_bytes", bytes, ifPresent: plan.killedAfterBytes)
  }

  static func read(_ reader: inout FieldReader) throws(ScenarioFileError) -> CrashPlan {
    var plan = CrashPlan(try reader.required("kind", .word))
    plan.thread = try reader.value("thread", .thread, else: 0)
    plan.threadName = try reader.value("thread_name", .text, else: "")
    plan.name = try reader.value("name", .text, else: "")
    plan.reason = try reader.value("reason", .text, else: "")
    plan.frames = try reader.value("frames", Form<CrashPlan.Frame>.frame.list, else: [])
    plan.isStackOverflow = try reader.value("stack_overflow", .flag, else: false)
    plan.crashesAgain = try reader.value("crashes_again", .flag, else: false)
    plan.killedAfterBytes = try reader.optional("killed_after_bytes", bytes)
    return plan
  }
}

extension Form where Value == CrashPlan.Frame {
  /// A frame in one line: image, symbol, offset.
  static let frame = Form(
    write: { frame in
      var writer = FieldWriter()
      writer.add("image", .text, frame.image)
      writer.add("symbol", .text, frame.symbol)
      writer.add("offset", .int(in: 0...1_000_000), frame.offset, unless: 0)
      return writer.value
    },
    read: { (json, place) throws(ScenarioFileError) in
      var reader = try FieldReader(json, place, "a frame")
      let frame = CrashPlan.Frame(
        try reader.required("image", .text), try reader.required("symbol", .text),
        offset: try reader.value("offset", .int(in: 0...1_000_000), else: 0))
      try reader.finish()
      return frame
    })
}
