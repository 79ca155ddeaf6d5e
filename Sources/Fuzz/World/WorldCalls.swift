import FuzzHistory
import FuzzScenario
import SDK
import SimKernel

/// The host app: turns neutral calls into calls of the SDK.
extension World {
  private static let callStream = StreamName("call.identity")

  /// The host app makes a public call; nothing happens while no code of the app can run.
  func perform(_ call: HostCall, thread: UInt16, action: UInt32, round: UInt32 = 0) {
    guard let process = runningProcess, let client else {
      if !isCalm { reach(.callWhileSuspendedSkipped) }
      return
    }
    if case .load = call { noteLoad() }
    if process.phase == .background { reach(.callInBackground) }
    calls += 1
    noteSize()
    let index = recorder.history.add(call)
    let now = device.now
    recorder.record(
      .callBegan(
        call: index, action: action, thread: thread, wall: device.clocks.wall(at: now),
        continuous: device.clocks.continuous(at: now)),
      detail: UInt64(index) << 32 | UInt64(action))
    var identity = UInt64(action) << 24 ^ UInt64(UInt32(bitPattern: process.ordinal))
    if round > 0 { identity = mixBits(identity ^ UInt64(round) << 40) }
    currentCall = CurrentCall(index: index, key: identity)
    var answer: String?
    device.runCode(thread: thread) { answer = make(call, client) }
    currentCall = nil
    let value = answer.map { recorder.history.store($0) } ?? .empty
    recorder.record(
      .callReturned(call: index, hasValue: answer != nil, value: value),
      process: process.ordinal, detail: UInt64(index), hashing: value)
    happened(.callReturned)
  }

  private func noteSize() {
    if let calledSize, calledSize != screenSize { reach(.resizedBetweenCalls) }
    calledSize = screenSize
  }

  private func noteLoad() {
    if !hasStarted { awaitsFirstQueueJob = true }
    hasStarted = true
  }

  /// - Returns: what the call gave back; nil also for calls that give nothing.
  private func make(_ call: HostCall, _ client: PostlipMetricsClient) -> String? {
    switch call {
    case .load(let writeKey, let options):
      client.load(writeKey, options: HostValues.options(options))
    case .track(let event, let properties, let messageId):
      return client.track(
        event, properties: HostValues.dictionary(properties), messageId: messageId)
    case .screen(let name, let properties):
      client.screen(name, properties: HostValues.dictionary(properties))
    case .identify(let userId, let traits):
      client.identify(userId, traits: HostValues.dictionary(traits))
    case .group(let groupId, let traits):
      client.group(groupId, traits: HostValues.dictionary(traits))
    case .alias(let userId, let previousId):
      client.alias(userId, previousId: previousId)
    case .reset:
      client.reset()
    case .consent(let analytics, let marketing):
      client.consent(analytics: analytics, marketing: marketing)
    case .flush:
      client.flush()
    case .getAnonymousId:
      return client.getAnonymousId()
    case .getContext:
      return client.getContext().map { HostValues.text($0) }
    }
    return nil
  }
}
