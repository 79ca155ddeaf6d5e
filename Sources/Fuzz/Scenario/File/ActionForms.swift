import FuzzHistory
import SimKernel

extension Form where Value == Action {
  /// An action in one line: its id, when, what it does, and to what.
  static let action = Form(
    write: { action in
      var writer = FieldWriter()
      writer.add("id", .identifier, action.id)
      write(action.moment, &writer)
      ActionWords.write(action.kind, &writer)
      return writer.value
    },
    read: { (json, place) throws(ScenarioFileError) in
      var reader = try FieldReader(json, place, "an action")
      let id = try reader.required("id", .identifier)
      let moment = try moment(&reader)
      let kind = try ActionWords.read(&reader)
      try reader.finish()
      return Action(id: id, moment: moment, kind: kind)
    })

  private static func write(_ moment: Moment, _ writer: inout FieldWriter) {
    switch moment {
    case .at(let span): writer.add("at", .sinceStart, span)
    case .after(let trigger):
      writer.add("after", .word, trigger.event)
      writer.add("occurrence", .int(in: 1 ... .max), trigger.occurrence, unless: 1)
      writer.add("plus", .sinceStart, trigger.plus, unless: .zero)
      writer.add("plus_disk_steps", .int(in: 0...1_000_000), trigger.plusDiskSteps, unless: 0)
    }
  }

  private static func moment(
    _ reader: inout FieldReader
  ) throws(ScenarioFileError) -> Moment {
    let at = try reader.optional("at", .sinceStart)
    guard let event = try reader.optional("after", .word(\.rawValue) as Form<WorldEvent>) else {
      if let at { return .at(at) }
      throw reader.place.error("it says not when", "add \"at\": a span, or \"after\": an event")
    }
    if at != nil {
      throw reader.place.error("it has two moments", "keep either \"at\" or \"after\"")
    }
    return .after(
      Trigger(
        event, occurrence: try reader.value("occurrence", .int(in: 1...1_000_000_000), else: 1),
        plus: try reader.value("plus", .sinceStart, else: .zero),
        plusDiskSteps: try reader.value("plus_disk_steps", .int(in: 0...1_000_000), else: 0)))
  }
}

extension Form where Value == UInt32 {
  static let identifier = Form<Int64>.integer(in: 0...Int64(UInt32.max)).map(
    to: { (number, _) in UInt32(number) }, from: { Int64($0) })
}

extension Form where Value == StackFrame {
  static let frame = Form(
    write: { frame in
      var writer = FieldWriter()
      writer.add("image", .text, frame.image)
      writer.add("symbol", .text, frame.symbol, unless: "")
      return writer.value
    },
    read: { (json, place) throws(ScenarioFileError) in
      var reader = try FieldReader(json, place, "a frame")
      let frame = StackFrame(
        try reader.required("image", .text), try reader.value("symbol", .text, else: ""))
      try reader.finish()
      return frame
    })
}

extension Form where Value == UInt16 {
  static let thread = Form<Int64>.integer(in: 0...Int64(UInt16.max)).map(
    to: { (number, _) in UInt16(number) }, from: { Int64($0) })
}

extension Form where Value == FileSelector {
  /// `newest`, the number of a queue file counted from the oldest, or a path below the SDK's
  /// folder.
  static let file = Form(
    write: { value in
      switch value {
      case .queueFile(let index): return .int(Int64(index))
      case .newestQueueFile: return .string("newest")
      case .path(let path): return .object([JSONEntry("path", .string(path))])
      }
    },
    read: { (json, place) throws(ScenarioFileError) in
      switch json {
      case .int(let number) where number >= 0: return .queueFile(Int(number))
      case .string("newest"): return .newestQueueFile
      case .object:
        var reader = try FieldReader(json, place, "a file")
        let path = try reader.required("path", .text)
        try reader.finish()
        return .path(path)
      default:
        throw place.error(
          "\(describe(json)) names no file",
          "write the number of a queue file from 0, \"newest\", or { \"path\": \"…\" }")
      }
    })
}

/// The kinds of actions by their words.
enum ActionWords {
  static let all = [
    "launch", "foreground", "background", "overlay", "end", "link", "step_wall_clock",
    "set_wall_clock", "locale", "update", "damage", "disk_room", "access", "patch",
    "crash", "lock", "unlock", "reboot", "power_loss", "install", "drift", "extension",
    "open_scene", "appear", "block_main", "spin_main", "debugger", "tracking", "system_update",
    "new_device", "resize", "repeat",
  ]

  /// Moves of the wall clock by up to a century.
  private static let step = Form<TimeSpan>.span(in: .days(-36_525)...(.days(36_525)))
  /// What the wall clock of a device can show: 1904 to 2255.
  private static let wall = Form<Int64>.moment(in: -2_082_844_800_000...9_000_000_000_000)
  /// What no clock of a device would be sold with, and far beyond.
  private static let drifts = Form<Int64>.integer(in: -100_000...100_000)
  /// What the size of a screen may be in a scenario.
  private static let points = Form<Int64>.integer(in: 1...100_000).map(
    to: { (number, _) in UInt32(number) }, from: { Int64($0) })
  private static let room = Form<Int>.int(in: 0 ... .max)

  static func write(_ kind: ActionKind, _ writer: inout FieldWriter) {
    if case .call(let thread, let call) = kind {
      CallWords.write(call, &writer)
      return writer.add("thread", .thread, thread, unless: 0)
    }
    writer.add("do", .text, word(kind))
    switch kind {
    case .launch(let launch): writer.add("kind", .word, launch)
    case .foreground, .background, .call, .lock, .unlock, .openScene: break
    case .reboot(let off), .powerLoss(let off): writer.add("off", .sinceStart, off)
    case .install(let kind, let version, let build):
      writer.add("kind", .word, kind)
      writer.add("version", .text, version)
      writer.add("build", .text, build)
    case .appear(let controllers):
      writer.add("controllers", Form<ViewController>.controller.list, controllers)
    case .drift(let rate): writer.add("parts_per_million", drifts, rate)
    case .extensionRuns(let span): writer.add("for", .sinceStart, span)
    case .overlay(let span), .spinMain(let span): writer.add("for", .sinceStart, span)
    case .blockMain(let span, let stack):
      writer.add("for", .sinceStart, span)
      writer.add("stack", Form<StackFrame>.frame.list, stack, unless: [])
    case .debugger(let isAttached): writer.add("attached", .flag, isAttached)
    case .tracking(let state): writer.add("state", .word, state)
    case .systemUpdate(let version, let off):
      writer.add("version", .text, version)
      writer.add("off", .sinceStart, off)
    case .newDevice(let model, let advertisingId):
      writer.add("model", .text, model)
      writer.add("advertising_id", .text, advertisingId)
    case .end(let cause): writer.add("cause", .word, cause)
    case .crash(let plan): CrashForms.write(plan, &writer)
    case .link(let link): writer.add("to", .word, link)
    case .stepWallClock(let span): writer.add("by", step, span)
    case .setWallClock(let milliseconds): writer.add("to", wall, milliseconds)
    case .locale(let locale, let zone):
      writer.add("locale", .text, locale)
      writer.add("zone", .text, zone)
    case .resize(let size):
      writer.add("width", points, size.width)
      writer.add("height", points, size.height)
    case .update(let version, let build):
      writer.add("version", .text, version)
      writer.add("build", .text, build)
    case .damage(let file, let damage):
      writer.add("file", .file, file)
      writer.add("how", .word, damage)
    case .diskRoom(let bytes): writer.add("bytes", room, ifPresent: bytes)
    case .access(let file, let denied):
      writer.add("file", .file, file)
      writer.add("denied", .flag, denied)
    case .patch(let file, let offset, let bytes):
      writer.add("file", .file, file)
      writer.add("offset", room, offset)
      writer.add("bytes", .base64, bytes)
    case .repeated(let repetition):
      writer.add("times", .repetitions, repetition.times)
      writer.add("steps", Form<Repetition.Step>.step.list, repetition.steps)
    }
  }

  /// The word of a kind; that of a call is its method.
  static func word(_ kind: ActionKind) -> String {
    switch kind {
    case .launch: return "launch"
    case .foreground: return "foreground"
    case .background: return "background"
    case .overlay: return "overlay"
    case .end: return "end"
    case .crash: return "crash"
    case .call(_, let call): return CallWords.word(call)
    case .link: return "link"
    case .stepWallClock: return "step_wall_clock"
    case .setWallClock: return "set_wall_clock"
    case .locale: return "locale"
    case .resize: return "resize"
    case .update: return "update"
    case .damage: return "damage"
    case .diskRoom: return "disk_room"
    case .access: return "access"
    case .patch: return "patch"
    case .lock: return "lock"
    case .unlock: return "unlock"
    case .reboot: return "reboot"
    case .powerLoss: return "power_loss"
    case .install: return "install"
    case .drift: return "drift"
    case .extensionRuns: return "extension"
    case .openScene: return "open_scene"
    case .appear: return "appear"
    case .blockMain: return "block_main"
    case .spinMain: return "spin_main"
    case .debugger: return "debugger"
    case .tracking: return "tracking"
    case .systemUpdate: return "system_update"
    case .newDevice: return "new_device"
    case .repeated: return "repeat"
    }
  }

  static func read(_ reader: inout FieldReader) throws(ScenarioFileError) -> ActionKind {
    let word = try reader.required("do", .text)
    if let call = try CallWords.read(word, &reader) {
      return .call(thread: try reader.value("thread", .thread, else: 0), call)
    }
    if let kind = try readPower(word, &reader) { return kind }
    switch word {
    case "launch": return .launch(try reader.required("kind", .word))
    case "foreground": return .foreground
    case "background": return .background
    case "overlay": return .overlay(try reader.required("for", .sinceStart))
    case "end": return .end(try reader.required("cause", .word))
    case "link": return .link(try reader.required("to", .word))
    case "step_wall_clock": return .stepWallClock(try reader.required("by", step))
    case "set_wall_clock": return .setWallClock(milliseconds: try reader.required("to", wall))
    case "locale":
      return .locale(
        try reader.required("locale", .text), zone: try reader.required("zone", .text))
    case "update":
      return .update(
        version: try reader.required("version", .text), build: try reader.required("build", .text))
    case "damage":
      return .damage(try reader.required("file", .file), try reader.required("how", .word))
    case "disk_room": return .diskRoom(bytes: try reader.optional("bytes", room))
    case "access":
      return .access(
        try reader.required("file", .file), denied: try reader.required("denied", .flag))
    case "patch":
      return .patch(
        try reader.required("file", .file), offset: try reader.required("offset", room),
        bytes: try reader.required("bytes", .base64))
    case "repeat":
      return .repeated(
        Repetition(
          times: try reader.required("times", .repetitions),
          steps: try reader.required("steps", Form<Repetition.Step>.step.list)))
    default:
      throw Place.key(reader.place, "do").error(
        "\(Quoted.text(word)) is no kind of action", Quoted.mend(word, all + CallWords.all))
    }
  }

  /// What concerns the whole device or the app's copy on it.
  private static func readPower(
    _ word: String, _ reader: inout FieldReader
  ) throws(ScenarioFileError) -> ActionKind? {
    switch word {
    case "lock": return .lock
    case "unlock": return .unlock
    case "open_scene": return .openScene
    case "reboot": return .reboot(off: try reader.required("off", .sinceStart))
    case "power_loss": return .powerLoss(off: try reader.required("off", .sinceStart))
    case "install":
      return .install(
        try reader.required("kind", .word), version: try reader.required("version", .text),
        build: try reader.required("build", .text))
    case "drift":
      return .drift(partsPerMillion: try reader.required("parts_per_million", drifts))
    case "appear":
      return .appear(
        try reader.required("controllers", Form<ViewController>.controller.list))
    case "crash": return .crash(try CrashForms.read(&reader))
    case "tracking": return .tracking(try reader.required("state", .word))
    case "system_update":
      return .systemUpdate(
        version: try reader.required("version", .text), off: try reader.required("off", .sinceStart)
      )
    case "new_device":
      return .newDevice(
        model: try reader.required("model", .text),
        advertisingId: try reader.required("advertising_id", .text))
    case "resize":
      return .resize(
        ScreenSize(
          width: try reader.required("width", points), height: try reader.required("height", points)
        ))
    case "extension": return .extensionRuns(try reader.required("for", .sinceStart))
    case "block_main":
      return .blockMain(
        try reader.required("for", .sinceStart),
        stack: try reader.value("stack", Form<StackFrame>.frame.list, else: []))
    case "spin_main": return .spinMain(try reader.required("for", .sinceStart))
    case "debugger": return .debugger(isAttached: try reader.required("attached", .flag))
    default: return nil
    }
  }
}
