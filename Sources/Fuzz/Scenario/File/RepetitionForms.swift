import FuzzHistory
import SimKernel

extension Form where Value == Int {
  /// How often steps may be repeated.
  static let repetitions = int(in: 1...1_000_000)
}

extension Form where Value == Repetition.Step {
  /// A step in one line: how long is waited for it, and what it does.
  static let step = Form(
    write: { step in
      var writer = FieldWriter()
      writer.add("wait", .delays(of: 1_000), step.waitMicroseconds, unless: 0...0)
      ActionWords.write(step.kind, &writer)
      return writer.value
    },
    read: { (json, place) throws(ScenarioFileError) in
      var reader = try FieldReader(json, place, "a step")
      let wait = try reader.value("wait", .delays(of: 1_000), else: 0...0)
      let kind = try ActionWords.read(&reader)
      try reader.finish()
      if case .repeated = kind {
        throw Place.key(place, "do").error(
          "a repetition has none inside", "write its steps into this list")
      }
      return Repetition.Step(waitMicroseconds: wait, kind: kind)
    })
}
