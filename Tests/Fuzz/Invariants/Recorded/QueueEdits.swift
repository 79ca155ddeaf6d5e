import FuzzHistory
import SimKernel

@testable import FuzzInvariants

/// One edit of a recorded history for each rule about what the queue keeps and in which order.
enum QueueEdits {
  static let all: [RecordedEdit] = [
    neverStored, revoked, diedLater, shorterQueue, expired, changedOrder,
  ]

  static let neverStored = RecordedEdit(
    name: "the server never got the batch that the app heard accepted", invariant: "INV-03"
  ) { recorded, history in
    guard let batch = recorded.tracks.first?.batch else { return nil }
    for place in history.records.indices.reversed() {
      switch history.records[place].fact {
      case .requestArrived(batch.exchange, _), .answered(batch.exchange, _, _, _, _):
        history.removeRecord(at: place)
      default: break
      }
    }
    return history.records.lastIndex { $0.fact.kind == .calmEnded }
  }

  static let revoked = RecordedEdit(
    name: "the app took its consent back and gave it again while messages waited",
    invariant: "INV-03"
  ) { recorded, history in
    for sent in recorded.tracks
    where sent.message.analytics && sent.message.process == sent.batch.process {
      // Views that show at the withdrawal are timed no more.
      guard let last = recorded.lastReturn(of: sent.batch),
        !recorded.messages.contains(where: {
          $0.process == sent.batch.process && ($0.type == .screen || $0.isUnderStoredDecision)
        }), recorded.instant(sent.batch.start) - recorded.instant(last) > .seconds(15),
        recorded.isIdle(from: last, to: sent.batch.start),
        recorded.isGranted(before: last) || recorded.launches.allSatisfy({ $0 < last })
      else { continue }
      Edited.add(.consent(analytics: true, marketing: nil), behind: last, in: history)
      Edited.add(.consent(analytics: false, marketing: nil), behind: last, in: history)
      return sent.batch.start + 4
    }
    return nil
  }

  static let diedLater = RecordedEdit(
    name: "a process lived longer than an append takes without storing its last call",
    invariant: "INV-03"
  ) { recorded, history in
    let span = .milliseconds(1_500) + TimeSpan(nanoseconds: history.header.longestHandOff)
    for message in recorded.messages
    where message.loss == .diedBeforeAppend && message.type == .track && !message.startsSession {
      guard
        !recorded.messages.contains(where: {
          $0.process == message.process && $0.isMadeBySDK && !$0.isDelivered
        }),
        let end = history.records.firstIndex(where: { record in
          if case .ended = record.fact { return record.process == message.process }
          return false
        }), end + 1 < history.records.count,
        recorded.instant(end + 1) - recorded.instant(end) > span,
        !recorded.isInterval(of: message.process, overBefore: recorded.instant(end) + span),
        recorded.isAwake(before: end), !recorded.hasChangedState(before: end)
      else { continue }
      var record = history.records[end]
      record.instant = record.instant + span
      history.replaceRecord(at: end, with: record)
      return recorded.calmEnd
    }
    return nil
  }

  static let shorterQueue = RecordedEdit(
    name: "the app had asked for a queue that holds one message less than was sent",
    invariant: "INV-10"
  ) { recorded, history in
    for first in recorded.tracks where first.place == 0 && recorded.hasRoom(first.batch) {
      let batch = first.batch
      let mates = recorded.sentOnce.filter { $0.batch.exchange == batch.exchange }
      guard batch.messages.count > 1, mates.count == batch.messages.count,
        mates.allSatisfy({ $0.message.process == batch.process && !$0.message.wasHeld }),
        let queued = mates.last?.message.enqueuedInstant,
        recorded.instant(batch.start) > queued + .seconds(5),
        recorded.isAllOfItsProcess(batch), let load = recorded.load(of: batch.process),
        case .load(let writeKey, var options) = history.calls[Int(load)]
      else { continue }
      options.maxQueueSize = batch.messages.count - 1
      Edited.replace(load, with: .load(writeKey: writeKey, options: options), in: history)
      return batch.start
    }
    return nil
  }

  static let expired = RecordedEdit(
    name: "a message that had expired is sent all the same", invariant: "INV-11"
  ) { recorded, history in
    for message in recorded.messages
    where message.loss == .expired && message.type == .track && !message.isMadeBySDK {
      // The first message of a later call that was sent: the expired one joins it, as the journal
      // has it.
      let later = recorded.messages.filter {
        $0.process == message.process && $0.occurrence > message.occurrence && $0.isSighted
      }.min {
        ($0.firstExchange, $0.occurrence) < ($1.firstExchange, $1.occurrence)
      }
      guard let later, let lost = message.lossInstant,
        let next = recorded.sentOnce.first(where: { $0.message.occurrence == later.occurrence }),
        recorded.hasRoom(next.batch),
        recorded.instant(next.batch.start) >= lost,
        let stored = recorded.storedMessage(of: message)
      else { continue }
      var messages = next.batch.messages
      messages.insert(stored, at: next.place)
      return Edited.replace(messages, in: next.batch, of: history)
    }
    return nil
  }

  static let changedOrder = RecordedEdit(
    name: "two messages of one thread change places in their request", invariant: "INV-19"
  ) { recorded, history in
    for (first, second) in zip(recorded.sentOnce, recorded.sentOnce.dropFirst())
    where first.batch.exchange == second.batch.exchange && second.place == first.place + 1
      && first.message.process == second.message.process
      && first.message.thread == second.message.thread
      && !first.message.isMadeBySDK && !second.message.isMadeBySDK
    {
      var messages = first.batch.messages
      messages.swapAt(first.place, second.place)
      return Edited.replace(messages, in: first.batch, of: history)
    }
    return nil
  }
}

extension RecordedHistory {
  /// Where the last call with a message in a batch has returned.
  fileprivate func lastReturn(of batch: Batch) -> Int? {
    messages.filter { $0.firstExchange == Int64(batch.exchange) }
      .compactMap { places(ofCall: $0.call)?.returned }.max()
  }

  /// Whether the app's last word about analytics was a grant, which the file says then.
  fileprivate func isGranted(before place: Int) -> Bool {
    let words = history.records[..<place].compactMap { record -> Bool? in
      guard case .callBegan(let call, _, _, _, _) = record.fact,
        case .consent(let analytics, _) = history.calls[Int(call)]
      else { return nil }
      return analytics
    }
    return words.last ?? false
  }

  /// Whether no batch is in flight and nothing but calls and steps of the disk happens.
  fileprivate func isIdle(from start: Int, to end: Int) -> Bool {
    let isFree = batches.allSatisfy { $0.start >= end || ($0.end >= 0 && $0.end < start) }
    return isFree
      && history.records[start..<end].allSatisfy { record in
        switch record.fact {
        case .callBegan, .callReturned, .disk, .logged: return true
        default: return false
        }
      }
  }

  /// Whether a message that its process leaves to the ones after it would have to go by then.
  fileprivate func isInterval(of process: Int32, overBefore instant: Instant) -> Bool {
    guard let load = load(of: process),
      case .load(let writeKey, let options) = history.calls[Int(load)]
    else { return false }
    let interval = TimeSpan(
      nanoseconds: ResolvedOptions(writeKey: writeKey, options: options).flushIntervalNanoseconds)
    return messages.contains { other in
      guard other.process == process, let queued = other.enqueuedInstant else { return false }
      let isOwn = batches.contains {
        $0.process == process && Int64($0.exchange) == other.firstExchange
      }
      return !isOwn && queued + interval < instant
    }
  }

  /// Whether a process sent one batch and made nothing else.
  fileprivate func isAllOfItsProcess(_ batch: Batch) -> Bool {
    batches.allSatisfy { $0.process != batch.process || $0.exchange == batch.exchange }
      && messages.allSatisfy {
        $0.process != batch.process || $0.firstExchange == Int64(batch.exchange)
      }
  }

  /// Whether consent or the person changed so shortly before that storing it may be under way.
  fileprivate func hasChangedState(before end: Int) -> Bool {
    history.records[..<end].reversed().prefix { $0.instant > instant(end) - .seconds(15) }
      .contains { record in
        guard case .callBegan(let call, _, _, _, _) = record.fact else { return false }
        switch history.calls[Int(call)] {
        case .identify, .reset, .consent: return true
        default: return false
        }
      }
  }

  /// Whether the app runs right before it ends, and nothing holds its work back.
  fileprivate func isAwake(before end: Int) -> Bool {
    let process = history.records[end].process
    let launch = history.records[..<end].lastIndex { $0.fact.kind == .launched } ?? 0
    let isSlow = history.records[launch..<end].contains { record in
      guard case .faultTookEffect(let fault, _) = record.fact else { return false }
      return fault == FaultKind.diskSlow.rawValue || fault == FaultKind.queueSlow.rawValue
    }
    if isSlow || history.records[launch].process != process { return false }
    let phase = history.records[..<end].last { $0.fact.kind == .phase }
    if case .phase(.suspended)? = phase?.fact { return false }
    return true
  }

  /// The message as the journal keeps it, without traits; nil if it was never written.
  fileprivate func storedMessage(of message: ExpectedMessage) -> JSONValue? {
    for record in history.records {
      guard case .disk(.append, .done, _, _, _, _, _, let bytes) = record.fact else { continue }
      var rest = history.bytes(bytes)
      if rest.starts(with: Array("PMJ1".utf8)) { rest = rest.dropFirst(8) }
      // Length and checksum, then the fields before the message (see the format of the journal).
      while rest.count > 67 {
        let start = rest.startIndex
        let count = (0..<4).reduce(0) { $0 | Int(rest[start + $1]) << ($1 * 8) }
        guard count > 59, rest.count >= count + 8 else { break }
        if rest[start + 8] == 1,
          let value = try? JSONValue.parse(rest[start + 67..<start + 8 + count]),
          let id = value["messageId"]?.string,
          hashIdentifier(Array(id.utf8)) == message.identifierHash
        {
          return value
        }
        rest = rest[(start + 8 + count)...]
      }
    }
    return nil
  }
}
