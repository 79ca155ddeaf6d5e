import FuzzHistory
import SimKernel

/// All requests of a run with their messages, each distinct message scanned once.
///
/// The ledger is up to date when an invariant is called: at `requestStarted` the slots of the batch
/// are there, at `answered` and `exchangeEnded` the answer is.
public final class WireLedger {
  let arena: UnsafeRawBufferPointer
  /// By exchange number.
  public private(set) var exchanges: [Exchange] = []
  /// The messages of all requests in the order sent; an exchange has a range of them.
  public private(set) var slots: [MessageSlot] = []
  /// The distinct messages, in the order first seen.
  public private(set) var messages: [WireMessage] = []
  private var byIdentifier = HashIndex()
  private var lastBatch: Int = -1

  init(arena: UnsafeRawBufferPointer) {
    self.arena = arena
    exchanges.reserveCapacity(256)
    slots.reserveCapacity(1_024)
    messages.reserveCapacity(512)
  }

  /// A request by its number; an unknown number gives an empty one.
  public subscript(exchange: UInt32) -> Exchange {
    let index = Int(exchange)
    return index < exchanges.count ? exchanges[index] : Exchange()
  }

  /// The newest distinct message with this id, or -1; older ones follow by `previousVariant`.
  public func message(identifierHash: UInt64) -> Int { Int(byIdentifier[identifierHash]) }

  /// The slots of the newest batch of the same process before this one; empty if there is none.
  public func slotsOfBatch(before exchange: UInt32) -> Range<Int> {
    var number = Int(exchange) - 1
    while number >= 0 {
      if exchanges[number].isBatch {
        let isSame = exchanges[number].process == self[exchange].process
        return isSame ? exchanges[number].slots : 0..<0
      }
      number -= 1
    }
    return 0..<0
  }

  /// What an answer means for a batch of so many messages.
  public func verdict(_ answer: Answer, messageCount: Int) -> BatchVerdict {
    switch answer.status {
    case 200..<300: return isAcceptance(answer.body) ? .accepted : .kept
    case 400, 403: return .final
    case 413: return messageCount > 1 ? .split : .final
    case 429: return .rateLimited
    default: return .kept
    }
  }

  /// The id hashes that an answer lists in `rejected`.
  public func rejectedIdentifierHashes(_ body: ByteSlice) -> [UInt64] {
    let scan = JSONScan(bytes: arena)
    let start = Int(body.offset)
    let end = start + Int(body.count)
    guard body.count > 2, let list = scan.member("rejected", of: start..<end) else { return [] }
    var hashes: [UInt64] = []
    _ = scan.forEachElement(list.lowerBound, list.upperBound) { element in
      guard let id = scan.member("messageId", of: element), id.count >= 2 else { return }
      hashes.append(
        hashIdentifier(
          UnsafeRawBufferPointer(rebasing: arena[id.lowerBound + 1..<id.upperBound - 1])))
    }
    return hashes
  }

  /// An empty body or one JSON object.
  private func isAcceptance(_ body: ByteSlice) -> Bool {
    if body.count == 0 { return true }
    let scan = JSONScan(bytes: arena)
    let end = Int(body.offset) + Int(body.count)
    let start = scan.skipSpace(Int(body.offset), end)
    if start == end { return false }
    let after = scan.forEachMember(start, end) { _, _ in }
    return after >= 0 && scan.skipSpace(after, end) == end
  }

  func take(_ record: Record) {
    switch record.fact {
    case .requestStarted(
      let number, let host, let attempt, let isPost, let url, let headers, let body, let idle,
      let total, let wall, let continuous):
      var exchange = Exchange()
      exchange.process = record.process
      exchange.host = host
      exchange.attempt = attempt
      exchange.isPost = isPost
      exchange.url = url
      exchange.headers = headers
      exchange.body = body
      exchange.idleTimeoutMilliseconds = idle
      exchange.totalTimeoutMilliseconds = total
      exchange.start = record.instant
      exchange.startWall = wall
      exchange.startContinuous = continuous
      if exchange.isBatch { readBatch(number, &exchange) }
      reach(number)
      exchanges[Int(number)] = exchange
      if exchange.isBatch { lastBatch = Int(number) }
    case .requestArrived(let number, _):
      reach(number)
      exchanges[Int(number)].arrivals += 1
      if exchanges[Int(number)].firstArrival == nil {
        exchanges[Int(number)].firstArrival = record.instant
      }
    case .answered(let number, let copy, let status, let headers, let body):
      reach(number)
      let answer = Answer(instant: record.instant, status: status, headers: headers, body: body)
      if copy == 0 {
        exchanges[Int(number)].answers.0 = answer
      } else {
        exchanges[Int(number)].answers.1 = answer
      }
    case .exchangeEnded(let number, let end, let status, let headers, let body):
      reach(number)
      exchanges[Int(number)].end = end
      exchanges[Int(number)].endInstant = record.instant
      if end == .answer {
        exchanges[Int(number)].received = Answer(
          instant: record.instant, status: status, headers: headers, body: body)
      }
    case .exchangeCancelled(let number):
      reach(number)
      exchanges[Int(number)].cancelled = record.instant
    default: break
    }
  }

  private func reach(_ number: UInt32) {
    while exchanges.count <= Int(number) { exchanges.append(Exchange()) }
  }

  /// Splits the body of a batch into its messages.
  private func readBatch(_ number: UInt32, _ exchange: inout Exchange) {
    let first = slots.count
    if let sentAt = repeatOfLastBatch(exchange.body) {
      let last = exchanges[lastBatch]
      let shift = exchange.body.offset &- last.body.offset
      for index in last.slots {
        var slot = slots[index]
        slot.exchange = number
        slot.bytes.offset = slot.bytes.offset &+ shift
        slots.append(slot)
        messages[slot.message].sightings += 1
      }
      exchange.isWellFormed = last.isWellFormed
      exchange.sentAtMilliseconds = Timestamps.milliseconds(arena.slice(sentAt))
      exchange.slots = first..<slots.count
      return
    }
    let scan = JSONScan(bytes: arena)
    let start = Int(exchange.body.offset)
    let end = start + Int(exchange.body.count)
    var hasBatch = false
    var isHealthy = true
    let after = scan.forEachMember(start, end) { key, value in
      if scan.equals(key, "batch") {
        hasBatch = true
        let done = scan.forEachElement(value.lowerBound, value.upperBound) { element in
          add(element, number)
        }
        if done != value.upperBound { isHealthy = false }
      } else if scan.equals(key, "sentAt"), value.count >= 2 {
        exchange.sentAtMilliseconds = Timestamps.milliseconds(
          UnsafeRawBufferPointer(rebasing: arena[value.lowerBound + 1..<value.upperBound - 1]))
      } else {
        isHealthy = false
      }
    }
    exchange.isWellFormed = hasBatch && isHealthy && after == end
    exchange.slots = first..<slots.count
  }

  /// The bytes of `sentAt` if the body equals that of the last batch but for `sentAt` at its end.
  private func repeatOfLastBatch(_ body: ByteSlice) -> ByteSlice? {
    let tail: UInt32 = 26
    guard lastBatch >= 0, body.count > 64 else { return nil }
    let last = exchanges[lastBatch]
    guard last.body.count == body.count, last.isWellFormed, last.sentAtMilliseconds != nil else {
      return nil
    }
    let head = body.count - tail
    let mine = arena.slice(ByteSlice(offset: body.offset, count: head))
    let other = arena.slice(ByteSlice(offset: last.body.offset, count: head))
    guard bytesEqual(mine, other) else { return nil }
    // The tail is a time of 24 characters and `"}`; anything else takes the long way.
    guard arena[Int(body.offset) + Int(body.count) - 2] == 0x22 else { return nil }
    guard arena[Int(body.offset) + Int(head) - 1] == 0x22 else { return nil }
    return ByteSlice(offset: body.offset + head, count: 24)
  }

  private func add(_ element: Range<Int>, _ number: UInt32) {
    let bytes = ByteSlice(
      offset: UInt32(element.lowerBound), count: UInt32(element.count))
    let fields = MessageScan.fields(of: element, in: arena)
    let hash = hashIdentifier(arena.slice(fields.messageId))
    var known = Int(byIdentifier[hash])
    let newest = known
    while known >= 0, !bytesEqual(arena.slice(messages[known].bytes), arena.slice(bytes)) {
      known = messages[known].previousVariant
    }
    if known < 0 {
      known = messages.count
      messages.append(
        WireMessage(
          identifierHash: hash, bytes: bytes, fields: fields,
          context: ContextFields(fields.context, in: arena), firstExchange: number,
          previousVariant: newest))
      byIdentifier[hash] = Int32(known)
    }
    messages[known].sightings += 1
    slots.append(MessageSlot(exchange: number, message: known, bytes: bytes))
  }
}
