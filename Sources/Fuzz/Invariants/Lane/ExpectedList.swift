import FuzzHistory
import SimKernel

/// A list of message ids that has to come in a next request of the process (A-10, A-29, TRN-18).
struct ExpectedList {
  var ids: [UInt64]
  /// The list was answered 413: it comes as two halves.
  var isToBeHalved: Bool
  /// The request that carried it, or the batch that it is a half of.
  var exchange: UInt32
  /// Something may have removed messages from it.
  var mayLose = false
}

/// Whether the list of a request is the one that had to come.
public enum ListCheck: Equatable, Sendable {
  /// Nothing was owed.
  case free
  /// The batch of this exchange came again.
  case same(UInt32)
  /// A proper first half of the batch of this exchange, or its second half.
  case half(UInt32)
  /// Another list than that of this exchange, which was to be sent again.
  case changed(UInt32)
  /// The half is empty, whole, no first part of the batch, or far from its half.
  case wrongHalf(UInt32)
}

extension BatchLane {
  /// Compares a list with the one that had to come, and takes that one off.
  func checkList(
    _ ids: [UInt64], _ number: UInt32, _ record: Record, _ context: JudgeContext
  ) -> ListCheck {
    while let front = expected.first {
      expected.removeFirst()
      let left = remaining(front, ids, number, record, context)
      if front.isToBeHalved { return checkHalf(ids, front, left) }
      if ids == left { return .same(front.exchange) }
      // A list that lost all its messages lawfully is followed by the next.
      if left.isEmpty || (front.mayLose && !ids.contains(where: front.ids.contains)) { continue }
      expected = []
      return .changed(front.exchange)
    }
    return .free
  }

  private func checkHalf(_ ids: [UInt64], _ front: ExpectedList, _ left: [UInt64]) -> ListCheck {
    if left.count < 2 || left.count < front.ids.count {
      // A batch that shrank since is not held to its middle.
      if left.starts(with: ids), left.count > ids.count {
        push(Array(left.dropFirst(ids.count)), front)
      }
      return .half(front.exchange)
    }
    let middles = left.count / 2...(left.count + 1) / 2
    guard left.starts(with: ids), middles.contains(ids.count) else {
      expected = []
      return .wrongHalf(front.exchange)
    }
    push(Array(left.dropFirst(ids.count)), front)
    return .half(front.exchange)
  }

  private func push(_ ids: [UInt64], _ front: ExpectedList) {
    expected.insert(
      ExpectedList(
        ids: ids, isToBeHalved: false, exchange: front.exchange, mayLose: front.mayLose), at: 0)
  }

  /// The expected list without what may be missing now: aged, or dropped by a revoke.
  private func remaining(
    _ front: ExpectedList, _ ids: [UInt64], _ number: UInt32, _ record: Record,
    _ context: JudgeContext
  ) -> [UInt64] {
    if ids == front.ids { return front.ids }
    let sentAt = context.ledger[number].sentAtMilliseconds
    return front.ids.filter { id in
      if front.mayLose, isReused(id, in: number, front, context) { return false }
      return ids.contains(id) || !(front.mayLose || hasAged(id, sentAt, record, context))
    }
  }

  /// Whether a request holds another call under an id of the batch that had to come: the app may
  /// use an id of its own again, and only the time tells the two apart.
  private func isReused(
    _ id: UInt64, in number: UInt32, _ front: ExpectedList, _ context: JudgeContext
  ) -> Bool {
    guard let new = time(of: id, in: number, context),
      let old = time(of: id, in: front.exchange, context)
    else { return false }
    return !bytesEqual(context.bytes(new), context.bytes(old))
  }

  private func time(of id: UInt64, in number: UInt32, _ context: JudgeContext) -> ByteSlice? {
    let ledger = context.ledger
    return ledger[number].slots.lazy.map { ledger.messages[ledger.slots[$0].message] }
      .first { $0.identifierHash == id }?.fields.timestamp
  }

  /// Whether a message is at the age at which it leaves, half a minute around (TRN-24). `sentAt` is
  /// in the frame of the messages that are sent, which may not be that of an age.
  private func hasAged(
    _ id: UInt64, _ sentAt: Int64?, _ record: Record, _ context: JudgeContext
  ) -> Bool {
    let place = context.ledger.message(identifierHash: id)
    guard place >= 0 else { return false }
    let expected = Int(context.model.expected(ofWire: place))
    let margin: Int64 = 30_000_000_000
    if expected >= 0,
      context.model.age(expected, record, context) > ReferenceModel.largestAge - margin
    {
      return true
    }
    guard let sentAt,
      let made = Timestamps.milliseconds(
        context.bytes(context.ledger.messages[place].fields.timestamp))
    else { return false }
    return sentAt - made > (ReferenceModel.largestAge - margin) / 1_000_000
  }
}
