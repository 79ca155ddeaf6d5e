import FuzzHistory

/// What findings say of messages, and small questions of the rules.
extension ReferenceModel {
  /// A message in a few words.
  func nameText(_ index: Int) -> String {
    let message = messages[index]
    let id =
      message.identifier.count > 0
      ? " " + String(decoding: arena.slice(message.identifier), as: UTF8.self) : ""
    switch call(of: index) {
    case .track(let event, _, _): return "track \"\(event)\"\(id)"
    case .screen(let name, _): return "screen \"\(name)\"\(id)"
    case .identify: return "identify\(id)"
    case .group(let groupId, _): return "group \"\(groupId)\"\(id)"
    case .alias(let userId, _): return "alias \"\(userId)\"\(id)"
    default: return "message\(id)"
    }
  }

  /// In which places a message on the wire differs from what had to be sent; unknown ids stand as
  /// question marks.
  func differenceText(_ index: Int, _ parts: Deviation, sent: ByteSlice) -> String {
    buffer.bytes[messages[index].bytes].withUnsafeBytes {
      MessageDifference.text(parts, expected: $0, sent: arena.slice(sent))
    }
  }

  /// Whether a process started with the ids of an earlier one.
  func hasAdoptedIdentity(_ process: Int32) -> Bool {
    let index = Int(process)
    return index >= 0 && index < processes.count && processes[index].hasAdoptedIdentity
  }

  /// Whether a process had consent from its start on.
  func hasStartedWithConsent(_ process: Int32) -> Bool {
    let index = Int(process)
    return index >= 0 && index < processes.count && processes[index].hasStartedWithConsent
  }

  /// Whether a message has the start flag since its process could not read the one that has it.
  func mayMissFlag(_ expected: Int32) -> Bool {
    guard expected >= 0 else { return false }
    let message = messages[Int(expected)]
    return (message.startsSession || message.startIsOpen) && message.sessionOrigin == .stored
      && processes[Int(message.process)].mayMissFlag
  }

  /// Whether an id is that of a session known from before.
  func isKnownSession(_ bytes: UnsafeRawBufferPointer, besides session: Int32) -> Bool {
    drawn.indices.contains { place in
      place != Int(session) && drawn[place].bytes.withUnsafeBytes { bytesEqual($0, bytes) }
    }
  }

  /// The session a message belongs to, as an index of drawn ids.
  func session(of index: Int) -> Int32 { messages[index].session }

  /// Calls evicted from the hold buffer of a process.
  func evictedCalls(_ process: Int32) -> Int {
    let index = Int(process)
    return index >= 0 && index < processes.count ? processes[index].evictedCalls : 0
  }

  /// Whether two processes have the same anchor, so that their messages may share a request.
  func sharesAnchor(_ left: Int32, _ right: Int32) -> Bool {
    let first = processes[Int(left)]
    let second = processes[Int(right)]
    guard first.boot == second.boot, let wall = first.anchorWall, let otherWall = second.anchorWall
    else { return false }
    return millisecondsFloor(wall &- first.anchorContinuous)
      == millisecondsFloor(otherWall &- second.anchorContinuous)
  }
}

extension ExpectedMessage {
  /// It waited in the hold buffer.
  var wasHeld: Bool { enqueuedInstant != callInstant }
  /// It carries the id of a known user.
  var isOfUser: Bool { user >= 0 }
}
