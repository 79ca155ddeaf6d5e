import FuzzHistory
import SimKernel

/// Which call a message on the wire belongs to.
extension ReferenceModel {
  func find(_ wire: Int, _ record: Record, _ context: JudgeContext) -> Int32 {
    let message = context.ledger.messages[wire]
    let owed = findFirstOpen(message, record, context)
    if owed >= 0 { return owed }
    if !crashes.isEmpty, record.process == queueProcess {
      if let made = makeCrash(arena.slice(message.bytes), record, context) { return made }
    }
    var best: Int32 = -1
    var bestRank = -1
    var candidate = byIdentifier[message.identifierHash]
    while candidate >= 0 {
      let index = Int(candidate)
      if isSameIdentifier(index, message) {
        let rank = rank(index, message)
        if rank > bestRank || (rank == bestRank && isBetter(index, than: Int(best))) {
          best = candidate
          bestRank = rank
        }
      }
      candidate = messages[index].previousSameIdentifier
    }
    if best >= 0 { return best }
    return findByContent(message, record)
  }

  /// The `$first_open` that is owed, unless the message is one that waits in the queue already.
  private func findFirstOpen(
    _ message: WireMessage, _ record: Record, _ context: JudgeContext
  ) -> Int32 {
    guard record.process == queueProcess, queueProcess >= 0,
      processes[Int(queueProcess)].lifecycle.due != nil,
      message.fields.isEvent("$first_open", in: arena)
    else { return -1 }
    var candidate = byIdentifier[message.identifierHash]
    while candidate >= 0 {
      if messages[Int(candidate)].place == .queued { return -1 }
      // It was thought lost, by a full queue perhaps: what still lies on disk is no new one.
      let stored = messages[Int(candidate)].journalRecord
      if stored >= 0, context.disk.isLive(stored) { return -1 }
      candidate = messages[Int(candidate)].previousSameIdentifier
    }
    return makeFirstOpen(arena.slice(message.bytes), record, context)
  }

  /// How well a call fits a message with its id: by time, then by content, then by whether it was
  /// to be sent at all. Only calls that share an id need to be told apart.
  private func rank(_ index: Int, _ message: WireMessage) -> Int {
    var rank = isTimestampEqual(index, message) && messages[index].place != .held ? 4 : 0
    let isAlone =
      messages[index].previousSameIdentifier < 0
      && byIdentifier[message.identifierHash] == Int32(index)
    if isAlone { return rank }
    if !messages[index].bytes.isEmpty, content(index, is: message.fields, in: arena) == .same {
      rank += 2
    }
    if messages[index].loss == nil { rank += 1 }
    return rank
  }

  private func isSameIdentifier(_ index: Int, _ message: WireMessage) -> Bool {
    if messages[index].identifier.count == 0 { return true }
    return bytesEqual(
      arena.slice(messages[index].identifier), arena.slice(message.fields.messageId))
      || messages[index].hasCallersIdentifier
  }

  /// Of two calls with one id the earlier one that was not sent yet, else the later one.
  private func isBetter(_ index: Int, than other: Int) -> Bool {
    if messages[index].isSighted != messages[other].isSighted { return !messages[index].isSighted }
    return messages[index].isSighted ? index > other : index < other
  }

  private func isTimestampEqual(_ index: Int, _ message: WireMessage) -> Bool {
    Timestamps.milliseconds(arena.slice(message.fields.timestamp))
      == messages[index].timestampMilliseconds
  }

  /// An id never seen: the first call of that type that was in no request yet and has the time and
  /// the content, else the time and the name, else the content, else the time.
  private func findByContent(_ message: WireMessage, _ record: Record) -> Int32 {
    guard let type = ReferenceModel.type(arena.slice(message.fields.type)) else { return -1 }
    let time = Timestamps.milliseconds(arena.slice(message.fields.timestamp))
    let isReserved = arena.slice(message.fields.event).first == 0x24
    var byName: Int32 = -1
    var byContent: Int32 = -1
    var byTime: Int32 = -1
    var byTwin: (item: Int32, rank: Int) = (-1, -1)
    let list = Int(type.rawValue)
    var isHead = true
    var seen = 0
    for item in unsighted[list] {
      let index = Int(item)
      if messages[index].isSighted {
        if isHead { seen += 1 }
        continue
      }
      isHead = false
      if messages[index].process > record.process || messages[index].bytes.isEmpty { continue }
      let hasTime = messages[index].timestampMilliseconds == time
      // What the SDK makes by itself is told by name and time alone.
      if messages[index].hasReservedName != isReserved { continue }
      if isReserved, !hasTime, !messages[index].isToldByName { continue }
      if !hasTime, byContent >= 0 || byName >= 0 { continue }
      let match = content(index, is: message.fields, in: arena)
      if hasTime, match == .same {
        // Of twins the one with the consent that it tells, then one that was not lost.
        let isAlike = messages[index].analytics == message.context.hasAnalyticsConsent
        let rank = (isAlike ? 2 : 0) + (messages[index].loss == nil ? 1 : 0)
        if rank == 3 {
          dropSighted(list, seen)
          return item
        }
        if rank > byTwin.rank { byTwin = (item, rank) }
      }
      if hasTime, match == .name, byName < 0 { byName = item }
      if hasTime, byTime < 0, !isReserved { byTime = item }
      if match == .same, byContent < 0 { byContent = item }
    }
    dropSighted(list, seen)
    if byTwin.item >= 0 { return byTwin.item }
    if byName >= 0 { return byName }
    return byContent >= 0 ? byContent : byTime
  }

  private func dropSighted(_ list: Int, _ count: Int) {
    if count > 16 { unsighted[list].removeFirst(count) }
  }

  static func type(_ word: UnsafeRawBufferPointer) -> MessageType? {
    let types: [MessageType] = [.track, .screen, .identify, .group, .alias]
    return types.first { type in
      bytesEqual(
        UnsafeRawBufferPointer(start: type.word.utf8Start, count: type.word.utf8CodeUnitCount),
        word)
    }
  }

  /// How far a message agrees with what a call must yield, ids and time aside.
  enum ContentMatch {
    case none
    case name
    case same
  }

  /// - Parameter bytes: what the fields are slices of.
  func content(
    _ index: Int, is fields: MessageFields, in bytes: UnsafeRawBufferPointer
  ) -> ContentMatch {
    if messages[index].pageviewHole >= 0, !fillPageview(index) {
      // The id of the screen view is the message's own: it is taken over to compare the rest.
      let pageview = bytes.slice(MessageScan.pageviewIdentifier(of: fields.properties, in: bytes))
      if pageview.count == 36 { fill(messages[index].pageviewHole, with: pageview) }
    }
    let due = expectedFields(index)
    return buffer.bytes.withUnsafeBytes { expected in
      func same(_ left: ByteSlice, _ right: ByteSlice) -> Bool {
        bytesEqual(expected.slice(left), bytes.slice(right))
      }
      guard same(due.event, fields.event), same(due.name, fields.name),
        same(due.groupId, fields.groupId)
      else { return .none }
      let isAliasOfNobody = messages[index].previousHole >= 0
      guard same(due.userId, fields.userId), same(due.properties, fields.properties),
        isAliasOfNobody || same(due.previousId, fields.previousId),
        fields.traits.count == 0 || same(due.traits, fields.traits)
      else { return .name }
      return .same
    }
  }

  func expectedFields(_ index: Int) -> MessageFields {
    buffer.bytes.withUnsafeBytes { MessageScan.fields(of: messages[index].bytes, in: $0) }
  }

  /// Whether the process sent the same message under another id in the request before.
  func isRenamed(_ wire: Int, _ exchange: UInt32, _ context: JudgeContext) -> Bool {
    let message = context.ledger.messages[wire]
    let id = message.fields.messageId
    guard id.count > 0 else { return false }
    let head = id.offset - message.bytes.offset
    let tail = message.bytes.count - head - id.count
    for other in context.ledger.slotsOfBatch(before: exchange) {
      let known = context.ledger.messages[context.ledger.slots[other].message]
      let knownId = known.fields.messageId
      guard knownId.offset - known.bytes.offset == head,
        known.bytes.count - head - knownId.count == tail
      else { continue }
      let sameHead = bytesEqual(
        arena.slice(ByteSlice(offset: message.bytes.offset, count: head)),
        arena.slice(ByteSlice(offset: known.bytes.offset, count: head)))
      let sameTail = bytesEqual(
        arena.slice(ByteSlice(offset: id.offset + id.count, count: tail)),
        arena.slice(ByteSlice(offset: knownId.offset + knownId.count, count: tail)))
      if sameHead, sameTail { return true }
    }
    return false
  }
}
