import FuzzInvariants
import FuzzScenario
import FuzzWorld
import SimKernel
import Testing

/// Runs in which nobody does anything wrong, each of which one rule did not understand once: the
/// shortest that seeds were reduced to.
@Suite("Runs that must not be found fault with")
struct LawfulRunTests {
  struct Case: CustomTestStringConvertible {
    var testDescription: String
    var text: String

    /// - Parameter members: those of the scenario that are not the same in all runs.
    init(_ description: String, _ members: String) {
      testDescription = description
      text = """
        {
        "version": 1,
        "timing": { "hand_off": "100us", "disk_step": "100us", "network": "50ms",
          "server": "10ms" },
        \(members)
        }
        """
    }
  }

  @Test("nothing is found", arguments: cases)
  func quiet(_ run: Case) throws {
    let scenario = try Scenario(fileText: run.text)
    #expect(Judge.judge(World(scenario).run().history).findings.isEmpty)
  }

  static let cases = [
    Case(
      "the event of a crash may have completed the count (INV-13)",
      """
      "duration": "1m",
      "start": { "options": { "consent": "implied", "flush_at": 2,
        "collect_apple_search_ads": false } },
      "actions": [
        { "id": 1, "at": "0s", "do": "foreground" },
        { "id": 2, "after": "config_started", "do": "crash", "kind": "abort" }
      ]
      """),
    Case(
      "one event of a crash, seen again once the full queue seemed to have lost it (INV-03)",
      """
      "duration": "40s",
      "start": { "options": { "consent": "not_required", "max_queue_size": 1,
        "track_lifecycle": true } },
      "actions": [
        { "id": 1, "at": "0s", "do": "foreground" },
        { "id": 2, "at": "0s", "do": "link", "to": "none" },
        { "id": 3, "at": "1s", "do": "crash", "kind": "trap" },
        { "id": 4, "at": "2s", "do": "launch", "kind": "background" },
        { "id": 5, "at": "36s", "do": "foreground" },
        { "id": 6, "at": "38s", "do": "end", "cause": "memory_kill" }
      ]
      """),
    Case(
      "of two records of one event, one in a file that could not be read before, one goes (INV-03)",
      """
      "duration": "20m",
      "start": { "options": { "consent": "not_required" } },
      "actions": [
        { "id": 1, "at": "1s", "do": "foreground" },
        { "id": 2, "at": "20s", "do": "crash", "kind": "trap" },
        { "id": 3, "at": "1m", "do": "foreground" },
        { "id": 4, "after": "launched", "occurrence": 2, "plus_disk_steps": 14, "do": "end",
          "cause": "memory_kill" },
        { "id": 5, "at": "2m", "do": "access",
          "file": { "path": "queue/0000000000000001.journal" }, "denied": true },
        { "id": 6, "at": "3m", "do": "foreground" },
        { "id": 7, "at": "3m 10s", "do": "access",
          "file": { "path": "queue/0000000000000001.journal" }, "denied": false },
        { "id": 8, "at": "5m", "do": "background" }
      ]
      """),
    Case(
      "a `$first_open` behind a message that may never have had room for the flag (INV-36)",
      """
      "duration": "1h",
      "start": { "options": { "max_queue_size": 1 } },
      "actions": [
        { "id": 1, "at": "0s", "do": "launch", "kind": "background" },
        { "id": 2, "at": "1ms", "do": "track", "event": "a" },
        { "id": 3, "at": "1h", "do": "foreground" },
        { "id": 4, "at": "1h", "do": "consent", "analytics": true }
      ]
      """),
    Case(
      "a message without room moves no session (INV-35)",
      """
      "duration": "2m",
      "start": { "options": { "consent": "not_required", "max_queue_size": 0 } },
      "actions": [
        { "id": 1, "at": "1s", "do": "step_wall_clock", "by": "7s" },
        { "id": 2, "at": "1m", "do": "launch", "kind": "background" }
      ]
      """),
    Case(
      "a session that another process had to flag from memory (INV-36, A-25)",
      """
      "duration": "200ms",
      "shared_group": true,
      "actions": [
        { "id": 1, "at": "0s", "do": "consent", "analytics": true },
        { "id": 2, "at": "0s", "do": "launch", "kind": "background" },
        { "id": 3, "at": "200ms", "do": "extension", "for": "1s" }
      ]
      """),
    Case(
      "records of crashes go with a decision that nobody can read (INV-49)",
      """
      "duration": "5m",
      "actions": [
        { "id": 1, "at": "0s", "do": "foreground" },
        { "id": 2, "at": "1s", "do": "consent", "analytics": true },
        { "id": 3, "at": "1m", "do": "crash", "kind": "trap" },
        { "id": 4, "at": "1m 30s", "do": "damage", "file": { "path": "consent.json" },
          "how": "garbled" },
        { "id": 5, "at": "2m", "do": "foreground" },
        { "id": 6, "at": "2m 10ms", "do": "consent", "analytics": true }
      ]
      """),
    Case(
      "a withdrawal without the files deletes no record (INV-45, A-07)",
      """
      "duration": "5m",
      "start": { "options": { "consent": "not_required" } },
      "config": { "consent_mode": "none" },
      "actions": [
        { "id": 1, "at": "0s", "do": "foreground" },
        { "id": 2, "at": "1m", "do": "crash", "kind": "trap" },
        { "id": 3, "at": "2m", "do": "reboot", "off": "10s" },
        { "id": 4, "at": "3m", "do": "launch", "kind": "background" },
        { "id": 5, "at": "3m 2s", "do": "consent", "analytics": false },
        { "id": 6, "at": "3m 10s", "do": "end", "cause": "memory_kill" },
        { "id": 7, "at": "4m", "do": "unlock" },
        { "id": 8, "at": "4m 1s", "do": "foreground" }
      ]
      """),
    Case(
      "a barrier of a later process comes after every step of an earlier one (INV-49)",
      """
      "duration": "2m",
      "start": { "options": { "consent": "not_required" } },
      "faults": [
        { "fault": "disk.slow", "chance": "1/1", "from": "1m 110ms", "until": "1m 116ms" }
      ],
      "actions": [
        { "id": 1, "at": "0s", "do": "foreground" },
        { "id": 2, "at": "30s", "do": "crash", "kind": "trap" },
        { "id": 3, "at": "1m", "do": "foreground" },
        { "id": 4, "at": "1m 175ms", "do": "end", "cause": "memory_kill" },
        { "id": 5, "at": "1m 175ms", "do": "foreground" }
      ]
      """),
    Case(
      "a `$first_open` that was lost with its file is not dropped by a decline (INV-39)",
      """
      "duration": "1m",
      "start": { "options": { "consent": "not_required" } },
      "actions": [
        { "id": 1, "at": "0s", "do": "foreground" },
        { "id": 2, "at": "5s", "do": "end", "cause": "memory_kill" },
        { "id": 3, "at": "10s", "do": "foreground" },
        { "id": 4, "at": "10s 300ms", "do": "damage",
          "file": { "path": "queue/0000000000000001.journal" }, "how": "vanished" },
        { "id": 5, "at": "10s 400ms", "do": "flush" },
        { "id": 6, "at": "15s", "do": "consent", "analytics": false },
        { "id": 7, "at": "20s", "do": "end", "cause": "memory_kill" },
        { "id": 8, "at": "25s", "do": "consent", "analytics": true },
        { "id": 9, "at": "25s", "do": "foreground" }
      ]
      """),
    Case(
      "a `$first_open` that could not be seen is not dropped by a decline (INV-39)",
      """
      "duration": "1m",
      "start": { "options": { "consent": "not_required" } },
      "actions": [
        { "id": 1, "at": "0s", "do": "foreground" },
        { "id": 2, "at": "5s", "do": "end", "cause": "memory_kill" },
        { "id": 3, "at": "8s", "do": "access",
          "file": { "path": "queue/0000000000000001.journal" }, "denied": true },
        { "id": 4, "at": "10s", "do": "foreground" },
        { "id": 5, "at": "15s", "do": "consent", "analytics": false },
        { "id": 6, "at": "20s", "do": "end", "cause": "memory_kill" },
        { "id": 7, "at": "25s", "do": "consent", "analytics": true },
        { "id": 8, "at": "25s", "do": "foreground" }
      ]
      """),
    Case(
      "when the event of a crash was sealed is open where flags changed since (INV-29)",
      """
      "duration": "5m",
      "tracking": "authorized",
      "actions": [
        { "id": 1, "at": "0s", "do": "foreground" },
        { "id": 2, "at": "5s", "do": "consent", "analytics": true, "marketing": false },
        { "id": 3, "at": "30s", "do": "crash", "kind": "trap" },
        { "id": 4, "at": "50s", "do": "disk_room", "bytes": 0 },
        { "id": 5, "at": "1m", "do": "foreground" },
        { "id": 6, "at": "1m 10s", "do": "consent", "marketing": true },
        { "id": 7, "at": "2m", "do": "disk_room" }
      ]
      """),
    Case(
      "of two alike screens the record and the request tell which has consent (INV-23)",
      """
      "duration": "2m",
      "start": { "options": { "consent": "not_required", "flush_at": 1 } },
      "actions": [
        { "id": 1, "at": "0s", "do": "foreground" },
        { "id": 2, "at": "40s", "do": "screen", "name": "a" },
        { "id": 3, "at": "40s", "do": "consent", "analytics": false },
        { "id": 4, "at": "40s", "do": "screen", "name": "a" }
      ]
      """),
    Case(
      "the id of a batch that a withdrawal has ended is used again (INV-08)",
      """
      "duration": "5m",
      "start": { "options": { "consent": "not_required" } },
      "actions": [
        { "id": 1, "at": "0s", "do": "foreground" },
        { "id": 2, "at": "40s", "do": "link", "to": "none" },
        { "id": 3, "at": "41s", "do": "track", "event": "a", "message_id": "own" },
        { "id": 4, "at": "41s", "do": "flush" },
        { "id": 5, "at": "42s", "do": "consent", "analytics": false },
        { "id": 6, "at": "43s", "do": "track", "event": "b" },
        { "id": 7, "at": "43s", "do": "track", "event": "c", "message_id": "own" },
        { "id": 8, "at": "44s", "do": "link", "to": "wifi" },
        { "id": 9, "at": "44s", "do": "flush" }
      ]
      """),
    Case(
      "a withdrawal ends the watch for hangs before the queue hears of it (INV-53)",
      """
      "duration": "2m",
      "start": { "options": { "consent": "not_required", "capture_hangs": true } },
      "faults": [
        { "fault": "queue.slow", "chance": "1/1", "amount": 1870, "from": "1m 3s 489ms",
          "until": "1m 3s 491ms" }
      ],
      "actions": [
        { "id": 1, "at": "0s", "do": "foreground" },
        { "id": 2, "at": "1m", "do": "block_main", "for": "5s 501ms" },
        { "id": 3, "at": "1m 3s 490ms", "do": "consent", "analytics": false, "thread": 1 }
      ]
      """),
    Case(
      "a session that a process flagged on its way out of the shared folder (INV-36, A-25)",
      """
      "duration": "1s 200ms",
      "shared_group": true,
      "config": { "consent_mode": "implied" },
      "attribution": { "delay": "1s 818ms" },
      "actions": [
        { "id": 1, "at": "0s", "do": "launch", "kind": "background" },
        { "id": 2, "at": "200ms", "do": "extension", "for": "1s" }
      ]
      """),
    Case(
      "what came right before a suspension may be taken at its end (INV-13)",
      """
      "duration": "2m",
      "faults": [
        { "fault": "queue.slow", "chance": "1/1", "from": "1m 10s 100ms",
          "until": "1m 10s 102ms" }
      ],
      "actions": [
        { "id": 1, "at": "1m", "do": "foreground" },
        { "id": 2, "at": "1m 8s 700ms", "do": "lock" },
        { "id": 3, "at": "1m 10s 101ms", "do": "screen", "name": "a" }
      ]
      """),
    Case(
      "a `$first_open` that was sent without consent is not made again by a grant (INV-07)",
      """
      "duration": "5m",
      "config": { "consent_mode": "none" },
      "rules": [
        { "host": "config", "first": 2, "count": 1, "fault": "network.refused" }
      ],
      "actions": [
        { "id": 1, "at": "0s", "do": "foreground" },
        { "id": 2, "after": "launched", "plus_disk_steps": 20, "do": "end",
          "cause": "memory_kill" },
        { "id": 3, "at": "20s", "do": "foreground" },
        { "id": 4, "at": "2m", "do": "consent", "analytics": true }
      ]
      """),
    Case(
      "who loses the shared folder leaves a `$first_open` to the next process (INV-07, INV-38)",
      """
      "duration": "500ms",
      "shared_group": true,
      "actions": [
        { "id": 99, "at": "1ms", "do": "consent", "analytics": true },
        { "id": 120, "at": "0s", "do": "disk_room", "bytes": 900 },
        { "id": 123, "at": "0s", "do": "foreground" },
        { "id": 124, "at": "0s", "do": "lock" },
        { "id": 128, "at": "500ms", "do": "extension", "for": "1s" }
      ]
      """),
  ]
}
