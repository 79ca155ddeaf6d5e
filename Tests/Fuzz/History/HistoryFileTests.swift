import FuzzHistory
import SimKernel
import Testing

/// A record with the bytes of its slices in place of their places in the arena, read by reflection,
/// so that a field that the file forgets shows.
private func spelledOut(_ record: Record, _ history: History) -> String {
  func spell(_ value: Any) -> String {
    if let slice = value as? ByteSlice { return "\(Array(history.bytes(slice)))" }
    let mirror = Mirror(reflecting: value)
    if mirror.children.isEmpty { return "\(value)" }
    return mirror.children.map { "\($0.label ?? ""):\(spell($0.value))" }.joined(separator: ",")
  }
  return "\(record.instant) \(record.process) \(record.fact.kind) \(spell(record.fact))"
}

@Suite("The file of a history")
struct HistoryFileTests {
  @Test("the sample has every kind of fact and no header field by default")
  func sampleIsWhole() {
    let kinds = Set(SampleHistory.history().records.map(\.fact.kind))
    #expect(kinds.count == FactKind.allCases.count)
    func differ(_ one: Any, _ other: Any, _ path: String) {
      for (a, b) in zip(Mirror(reflecting: one).children, Mirror(reflecting: other).children)
      where a.label != "version" {
        let label = "\(path).\(a.label ?? "")"
        #expect("\(a.value)" != "\(b.value)", "\(label) has its default in the sample")
        if a.value is DeviceDescription { differ(a.value, b.value, label) }
      }
    }
    differ(SampleHistory.header(), HistoryHeader(), "header")
    differ(SampleHistory.options(), HostOptions(), "options")
  }

  @Test("a history read back is the one that was written")
  func roundTrip() throws {
    let history = SampleHistory.history()
    let bytes = HistoryFile.encode(history)
    let other = try HistoryFile.decode(bytes)
    #expect(other.header == history.header)
    #expect(other.calls == history.calls)
    #expect(other.records.count == history.records.count)
    for (one, two) in zip(history.records, other.records) {
      #expect(spelledOut(one, history) == spelledOut(two, other))
    }
    #expect(HistoryFile.encode(other) == bytes)
  }

  @Test("an empty history is a header and its closing line")
  func empty() throws {
    let bytes = HistoryFile.encode(History(header: HistoryHeader()))
    #expect(bytes.filter { $0 == UInt8(ascii: "\n") }.count == 2)
    #expect(try HistoryFile.decode(bytes).records.isEmpty)
  }

  @Test("lines are readable: text as text, calls where they began")
  func readable() {
    let text = String(decoding: HistoryFile.encode(SampleHistory.history()), as: UTF8.self)
    #expect(text.contains(#"{"at":0,"process":-1,"fact":"launched","kind":"prewarmed","#))
    #expect(text.contains(#""host":{"group":{"groupId":"g","#))
    #expect(text.contains(#""bytes":{"base64":"/wDC"}"#))
    let count = SampleHistory.history().records.count
    #expect(text.hasSuffix("{\"end\":true,\"records\":\(count)}\n"))
  }
}

@Suite("Damaged files of histories")
struct HistoryFileErrorTests {
  private let whole = HistoryFile.encode(SampleHistory.history())

  private func lines() -> [String] {
    String(decoding: whole, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private func error(_ lines: [String]) -> HistoryFileError? {
    error(Array((lines.joined(separator: "\n") + "\n").utf8))
  }

  private func error(_ bytes: [UInt8]) -> HistoryFileError? {
    do throws(HistoryFileError) {
      _ = try HistoryFile.decode(bytes)
      return nil
    } catch {
      return error
    }
  }

  @Test("cut anywhere, the file is never taken for whole, and nothing traps")
  func cut() {
    for count in stride(from: 0, to: whole.count - 1, by: 7) {
      switch error(Array(whole[..<count])) {
      case .cutInHalf, .notAHistory: break
      case let other: Issue.record("cut after \(count) bytes: \(String(describing: other))")
      }
    }
    #expect(error(Array(lines()[..<10])) == .cutInHalf(lines: 10))
  }

  @Test("a damaged line is named")
  func damaged() {
    var lines = lines()
    lines[4] = String(lines[4].dropLast(3))
    guard case .damaged(line: 5, _) = error(lines) else {
      Issue.record("\(String(describing: error(lines)))")
      return
    }
    #expect("\(error(lines)!)".hasPrefix("line 5 is damaged: it is no JSON"))
  }

  @Test("a field that is missing or of another kind is named")
  func wrongField() {
    var lines = lines()
    lines[3] = lines[3].replacingFirst("\"phase\":\"resumed\"", with: "\"phase\":\"asleep\"")
    #expect(
      "\(String(describing: error(lines)!))"
        == "line 4 is damaged: its field `phase` is missing or of the wrong kind; write the "
        + "history again with `simlab run --history FILE`")
  }

  @Test("a future version says which build reads it")
  func future() {
    var lines = lines()
    lines[0] = lines[0].replacingFirst("\"version\":1", with: "\"version\":9")
    #expect(error(lines) == .futureVersion(9))
  }

  @Test("other files are no histories")
  func otherFiles() {
    for text in ["", "\n", "hello", "{}", "[]", "{\"format\":\"scenario\"}"] {
      #expect(error(Array(text.utf8)) == .notAHistory)
    }
  }

  @Test("lost, added and trailing lines show")
  func counts() {
    var lines = lines()
    let last = lines.count
    lines.remove(at: 2)
    let count = SampleHistory.history().records.count
    #expect(
      error(lines) == .recordsMissing(line: last - 1, expected: count, found: count - 1))
    lines = self.lines()
    lines.append(lines[1])
    #expect(error(lines) == .damaged(line: last + 1, what: "it follows the closing line"))
  }

  @Test("random damage never traps", arguments: 0..<10)
  func random(part: UInt64) {
    var documents = JSONDocuments(stream: Randomness(seed: 5).stream(StreamName("files"), part))
    var refused = 0
    for _ in 0..<20 where error(documents.damaged(whole)) != nil { refused += 1 }
    #expect(refused > 0)
  }
}

extension String {
  fileprivate func replacingFirst(_ part: String, with other: String) -> String {
    guard let range = firstRange(of: part) else { return self }
    return replacingCharacters(in: range, with: other)
  }

  private func firstRange(of part: String) -> Range<Index>? {
    indices.lazy.filter { self[$0...].hasPrefix(part) }.first.map {
      $0..<index($0, offsetBy: part.count)
    }
  }

  private func replacingCharacters(in range: Range<Index>, with other: String) -> String {
    self[..<range.lowerBound] + other + self[range.upperBound...]
  }
}

@Suite("Base64")
struct Base64Tests {
  @Test("encoding and decoding undo each other at every length")
  func roundTrip() {
    for count in 0..<50 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: mixBits(UInt64($0))) }
      #expect(Base64.decode(Base64.encode(bytes)) == bytes)
    }
    #expect(Base64.text(Array("key:".utf8)) == "a2V5Og==")
  }

  @Test(
    "what is no base64 is refused",
    arguments: ["a", "ab=", "=abc", "a===", "ab=c", "a b=", "ab==cd=="])
  func refused(text: String) {
    #expect(Base64.decode(Array(text.utf8)) == nil)
  }
}
