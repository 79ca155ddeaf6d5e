import FuzzHistory
import SimKernel
import Testing

/// One edit of the second of two runs of a scenario (INV-89).
struct RunEdit: Sendable, CustomTestStringConvertible {
  var name: String
  /// Edits a copy and gives the place of the first record that differs.
  var apply: @Sendable (History) -> Int?

  var testDescription: String { name }

  static let all: [RunEdit] = [otherByte, otherCall, later, missing, goesOn]

  static let otherByte = RunEdit(name: "a request has another byte in its body") { history in
    guard
      let place = history.records.firstIndex(where: { record in
        if case .requestStarted(_, .collector, _, _, _, _, _, _, _, _, _) = record.fact {
          return true
        }
        return false
      }),
      case .requestStarted(_, _, _, _, _, _, let body, _, _, _, _) = history.records[place].fact
    else { return nil }
    var bytes = Array(history.bytes(body))
    bytes[bytes.count / 2] ^= 1
    history.replaceRecord(
      at: place, with: Edited.start(history.records[place], body: history.store(bytes)))
    return place
  }

  static let otherCall = RunEdit(name: "the app makes another call") { history in
    for (place, record) in history.records.enumerated() {
      guard case .callBegan(let call, _, _, _, _) = record.fact,
        case .track(let event, let properties, let id) = history.calls[Int(call)]
      else { continue }
      let other = history.add(.track(event: event + "!", properties: properties, messageId: id))
      var record = record
      guard case .callBegan(_, let action, let thread, let wall, let continuous) = record.fact
      else { continue }
      record.fact = .callBegan(
        call: other, action: action, thread: thread, wall: wall, continuous: continuous)
      history.replaceRecord(at: place, with: record)
      return place
    }
    return nil
  }

  static let later = RunEdit(name: "a job ends a nanosecond later") { history in
    guard
      let place = history.records.firstIndex(where: { $0.fact.kind == .firstQueueJobEnded })
    else { return nil }
    var record = history.records[place]
    record.instant = record.instant + TimeSpan(nanoseconds: 1)
    history.replaceRecord(at: place, with: record)
    return place
  }

  static let missing = RunEdit(name: "a return to the app is missing") { history in
    guard let place = history.records.firstIndex(where: { $0.fact.kind == .callReturned }) else {
      return nil
    }
    history.removeRecord(at: place)
    return place
  }

  static let goesOn = RunEdit(name: "one run goes on after the end of the other") { history in
    guard let last = history.records.last else { return nil }
    history.append(last)
    return history.records.count - 1
  }
}
