import Testing

@testable import FuzzScenario

/// What people read when a file is wrong: one line that says where, what, and how to mend it.
@Suite("Errors in scenario files")
struct ScenarioFileErrorTests {
  private func message(_ text: String) -> String {
    do {
      _ = try Scenario(fileText: text)
      return "no error"
    } catch {
      return error.description
    }
  }

  /// The message for one line inside a file that is otherwise fine.
  private func message(field: String) -> String { message("{\"version\": 1, \(field)}") }

  private func message(action: String) -> String {
    message(field: "\"actions\": [{ \"id\": 1, \"at\": \"1s\", \(action) }]")
  }

  /// A message that a long line is folded into here.
  private func folded(_ text: String) -> String {
    text.split(separator: "\n").joined(separator: " ")
  }

  @Test("The text as a whole")
  func whole() {
    #expect(
      message("")
        == folded(
          #"""
          file: no JSON: the bytes end too early, at line 1, column 1; mend the text there
          """#))
    #expect(
      message("{\n  \"version\": 1,\n  \"name\": 'x'\n}")
        == folded(
          #"""
          file: no JSON: a byte that cannot stand here, at line 3, column 11; mend the
          text there
          """#))
    #expect(message("[1]") == #"file: a list is not a scenario; write an object in braces"#)
    #expect(message("{}") == #"version: missing; write "version": 1"#)
    #expect(
      message("{\"version\": 2}")
        == folded(
          #"""
          version: 2 is newer than 1, the newest known here; read it with the simlab that
          wrote it
          """#))
    #expect(
      message("{\"version\": 0}") == #"version: there never was a version 0; write "version": 1"#)
    #expect(
      message("{\"version\": \"1\"}") == #"version: "1" is no whole number; write a whole number"#)
    #expect(
      message("{\"version\": 1, \"name\": \"half")
        == folded(
          #"""
          file: no JSON: the bytes end too early, at line 1, column 29; mend the text
          there
          """#))
  }

  @Test("Keys")
  func keys() {
    #expect(
      message(field: "\"duratoin\": \"1h\"")
        == #"duratoin: unknown key in a scenario; did you mean "duration"?"#)
    #expect(
      message(field: "\"weather\": \"rain\"")
        == folded(
          #"""
          weather: unknown key in a scenario; use one of version, name, why, provenance,
          randomness, epoch, duration, calm, device, locale, time_zone, link, app_version,
          app_build, app_style, shared_group, earlier_reporter, later_reporter, start, timing,
          config, distribution, tracking, attribution, collector, faults, rules, actions, expect
          """#))
    #expect(
      message(field: "\"name\": \"a\", \"name\": \"b\"")
        == #"name: this key stands twice; keep one of them"#)
    #expect(
      message(field: "\"device\": { \"modell\": \"x\" }")
        == #"device.modell: unknown key in a device; did you mean "model"?"#)
    #expect(
      message(action: "\"do\": \"track\"")
        == #"actions[0].event: missing in an action; add "event""#)
    #expect(
      message(action: "\"do\": \"track\", \"evnt\": \"tap\"")
        == #"actions[0].evnt: unknown key in an action; did you mean "event"?"#)
    #expect(
      message(action: "\"do\": \"flush\", \"event\": \"tap\"")
        == folded(
          #"""
          actions[0].event: unknown key in an action; use one of id, at, after, do, thread
          """#))
  }

  @Test("Types and ranges")
  func values() {
    #expect(message(field: "\"name\": 5") == #"name: 5 is no text; write text in quotes"#)
    #expect(
      message(field: "\"calm\": \"yes\"")
        == #"calm: "yes" is neither true nor false; write true or false"#)
    #expect(
      message(field: "\"duration\": \"1 fortnight\"")
        == #"duration: "1 fortnight" is no span; write it like "1h 30m 5s 250ms""#)
    #expect(
      message(field: "\"duration\": \"5m 1h\"")
        == #"duration: "5m 1h" is no span; write it like "1h 30m 5s 250ms""#)
    #expect(
      message(field: "\"duration\": 90")
        == #"duration: 90 is no span; write it like "1h 30m 5s 250ms""#)
    #expect(
      message(field: "\"duration\": \"9000d\"")
        == #"duration: "9000d" is out of range; write 0s to 1096d"#)
    #expect(
      message(field: "\"epoch\": \"2025-12-31T23:59:59.999Z\"")
        == folded(
          #"""
          epoch: "2025-12-31T23:59:59.999Z" is out of range; stay between
          2026-01-01T00:00:00.000Z and 2099-12-31T23:59:59.999Z
          """#))
    #expect(
      message(field: "\"epoch\": \"2026-02-30T00:00:00.000Z\"")
        == folded(
          #"""
          epoch: "2026-02-30T00:00:00.000Z" is no moment; write it like
          "2026-05-28T20:26:40.000Z"
          """#))
    #expect(
      message(field: "\"randomness\": -1")
        == folded(
          #"""
          randomness: -1 is no number of 64 bits; write a whole number from 0, or
          hexadecimal in quotes such as "0x1f"
          """#))
    #expect(
      message(field: "\"timing\": { \"network\": \"9ms to 2ms\" }")
        == folded(
          #"""
          timing.network: "9ms to 2ms" is no delay; write it like "15ms to 180ms", up to
          1h
          """#))
    #expect(
      message(field: "\"link\": \"wi-fi\"")
        == #"link: "wi-fi" is not known here; did you mean "wifi"?"#)
    #expect(
      message(field: "\"actions\": { \"id\": 1 }")
        == #"actions: an object is no list; write a list in brackets"#)
    #expect(
      message(field: "\"start\": { \"options\": { \"flush_at\": 1.5 } }")
        == #"start.options.flush_at: 1.5 is no whole number; write a whole number"#)
  }

  @Test("Actions")
  func actions() {
    #expect(
      message(action: "\"do\": \"trak\", \"event\": \"tap\"")
        == #"actions[0].do: "trak" is no kind of action; did you mean "track"?"#)
    #expect(
      message(action: "\"do\": \"explode\"")
        == folded(
          #"""
          actions[0].do: "explode" is no kind of action; use one of launch, foreground,
          background, overlay, end, link, step_wall_clock, set_wall_clock, locale, update,
          damage, disk_room, access, patch, crash, lock, unlock, reboot, power_loss, install, drift,
          extension, open_scene, appear, block_main, spin_main, debugger, tracking, system_update,
          new_device, resize, repeat, load, track, screen, identify, group, alias, reset, consent,
          flush, get_anonymous_id, get_context
          """#))
    #expect(
      message(
        action: """
          "do": "repeat", "times": 2, \
          "steps": [{ "do": "repeat", "times": 2, "steps": [] }]
          """)
        == folded(
          #"""
          actions[0].steps[0].do: a repetition has none inside; write its steps into this
          list
          """#))
    #expect(
      message(action: "\"do\": \"end\", \"cause\": \"memorykill\"")
        == #"actions[0].cause: "memorykill" is not known here; did you mean "memory_kill"?"#)
    #expect(
      message(action: "\"do\": \"flush\", \"after\": \"launched\"")
        == #"actions[0]: it has two moments; keep either "at" or "after""#)
    #expect(
      message(field: "\"actions\": [{ \"id\": 1, \"do\": \"flush\" }]")
        == #"actions[0]: it says not when; add "at": a span, or "after": an event"#)
    #expect(
      message(
        field: """
          "actions": [{ "id": 2, "at": "0s", "do": "flush" }, \
          { "id": 2, "at": "0s", "do": "flush" }]
          """) == #"actions[1].id: 2 does not come after 2; give actions rising ids; gaps are fine"#
    )
    #expect(
      message(
        field: """
          "actions": [{ "id": 1, "after": "launched", "occurrence": 0, "do": "flush" }]
          """) == #"actions[0].occurrence: 0 is out of range; write 1 to 1000000000"#)
  }

  @Test("Values of the host app")
  func properties() {
    func value(_ value: String) -> String {
      message(
        action: "\"do\": \"track\", \"event\": \"tap\", \"properties\": { \"price\": \(value) }")
    }
    #expect(
      value("{}")
        == folded(
          #"""
          actions[0].properties.price: an empty object says nothing; write { "object": {}
          } for one
          """#))
    #expect(
      value("{ \"dat\": 5 }")
        == folded(
          #"""
          actions[0].properties.price.dat: unknown key in a tagged value; did you mean
          "date"?
          """#))
    #expect(
      value("{ \"date\": 5, \"url\": \"x\" }")
        == #"actions[0].properties.price: a tagged value has one tag; keep one of its keys"#)
    #expect(
      value("{ \"data\": \"%%\" }")
        == #"actions[0].properties.price.data: "%%" is not base64; write bytes in base64"#)
    #expect(
      value("[1, { \"object\": { \"a b\": { \"is\": \"gone\" } } }]")
        == folded(
          #"""
          actions[0].properties.price[1].object."a b".is: "gone" is not known here; did
          you mean "none"?
          """#))
    #expect(
      value(String(repeating: "[", count: 40) + String(repeating: "]", count: 40))
        == folded(
          #"""
          actions[0].properties.price[0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0]:
          values are written out at most 16 deep; use { "nested": depth }
          """#))
    #expect(
      value("{ \"repeat\": \"abc\", \"times\": 9000000 }")
        == folded(
          #"""
          actions[0].properties.price: that is more than 10 000 000 bytes; repeat it less
          often
          """#))
  }

  @Test("Faults, rules and expectations")
  func others() {
    #expect(
      message(field: "\"faults\": [{ \"fault\": \"network.reset_aftr\" }]")
        == folded(
          #"""
          faults[0].fault: "network.reset_aftr" is not known here; did you mean
          "network.reset_after"?
          """#))
    #expect(
      message(field: "\"faults\": [{ \"fault\": \"network.refused\", \"chance\": \"3/2\" }]")
        == #"faults[0].chance: "3/2" is no chance; write it like "1/20", at most "1/1""#)
    #expect(
      message(
        field:
          "\"faults\": [{ \"fault\": \"network.refused\", \"chance\": \"1/2\", \"amount\": 1 }]"
      ) == #"faults[0].amount: network.refused has no amount; leave it out"#)
    #expect(
      message(
        field: "\"faults\": [{ \"fault\": \"network.slow\", \"chance\": \"1/2\", \"amount\": 0 }]")
        == #"faults[0].amount: 0 is out of range; write 1 to 120000"#)
    #expect(
      message(
        field: """
          "faults": [{ "fault": "network.slow", "chance": "1/2", "from": "2h", "until": "1h" }]
          """) == #"faults[0].until: it ends before it begins; put it after "from""#)
    #expect(
      message(field: "\"rules\": [{ \"host\": \"collector\", \"status\": 99 }]")
        == #"rules[0].status: 99 is out of range; write 200 to 599"#)
    #expect(
      message(field: "\"rules\": [{ \"host\": \"collector\", \"body\": \"helthy\" }]")
        == #"rules[0].body: "helthy" is no kind of body; did you mean "healthy"?"#)
    #expect(
      message(field: "\"expect\": [{ \"expect\": \"sotred\" }]")
        == #"expect[0].expect: "sotred" cannot be expected; did you mean "stored"?"#)
  }
}
