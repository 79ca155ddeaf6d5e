import FuzzHistory
import SimKernel

/// What happens to the app, and the messages that the SDK makes of it by itself (LIF).
extension ReferenceModel {
  /// Ground truth on where the app stands. Inactive counts as foreground (S-46).
  func takePhase(_ phase: AppPhase, _ record: Record, _ context: JudgeContext) {
    let index = Int(record.process)
    guard index >= 0, index < processes.count else { return }
    let isForeground: Bool
    switch phase {
    case .inactive, .active: isForeground = true
    case .background: isForeground = false
    // Neither moves the app: it was in the background and stays there until it enters.
    case .suspended, .resumed: return
    }
    if processes[index].isForeground == isForeground { return }
    processes[index].isForeground = isForeground
    if !isForeground, queueProcess == record.process {
      processes[index].backgroundRunning = running(record, context)
    }
    switch processes[index].stage {
    case .fresh, .refused: return
    case .loading, .started: break
    }
    advanceOccurrence()
    let continuous = context.continuousNow(record)
    moment = readMoment(continuous, record, context)
    happen(isForeground ? .foreground : .background, index, continuous, record, context)
  }

  /// Something happened to the app of a process that was loaded.
  func happen(
    _ event: LifecycleEvent, _ index: Int, _ continuous: Int64, _ record: Record,
    _ context: JudgeContext
  ) {
    let message = addAppOpen(event, index, continuous, record, context)
    if processes[index].stage == .started {
      process(event, message, index, continuous, record, context)
    } else {
      _ = processes[index].hold(
        HeldItem(
          kind: .lifecycle(event), message: message, continuous: continuous, moment: moment))
    }
  }

  /// `$app_open` for each true entry of the foreground, and for a `load` that meets the app there
  /// (LIF-01 to LIF-05, S-36, S-111).
  private func addAppOpen(
    _ event: LifecycleEvent, _ index: Int, _ continuous: Int64, _ record: Record,
    _ context: JudgeContext
  ) -> Int32 {
    guard processes[index].options.tracksLifecycle else { return -1 }
    switch event {
    case .load(isForeground: true), .foreground: break
    case .load, .background: return -1
    }
    let cause = MessageCause.appOpen(fromBackground: processes[index].hasOpened)
    processes[index].hasOpened = true
    return add(cause, .track, 0, continuous, record, context)
  }

  /// Does what follows from a lifecycle event in a started process: as it happens, or at replay.
  /// - Parameter continuous: the clock that runs in sleep, when it happened.
  func process(
    _ event: LifecycleEvent, _ message: Int32, _ index: Int, _ continuous: Int64,
    _ record: Record, _ context: JudgeContext
  ) {
    let now = running(record, context)
    var again: Int32 = -1
    switch event {
    case .load(isForeground: true), .foreground:
      again = enterForegroundWithScreens(index, continuous, record, context)
      move(true, index, continuous, now)
    case .load, .background:
      enterBackgroundWithScreens(index, continuous, record, context)
      move(false, index, continuous, now)
    }
    if case .load = event {
      processes[index].lifecycle.hasBegun = true
      if let load = processes[index].lifecycle.load { reportLaunch(index, load, record, context) }
    }
    if message >= 0 { enqueue(Int(message), index, record, context) }
    showAgain(again, index, record, context)
  }

  /// A message as the call of `track` that would say the same.
  func call(of index: Int) -> HostCall {
    switch messages[index].cause {
    case .call(let call): return history.calls[Int(call)]
    case .appOpen(let fromBackground):
      return .track(
        event: "$app_open",
        properties: [PropertyEntry("from_background", .bool(fromBackground))], messageId: nil)
    case .appUpdated(let change):
      let change = changes[Int(change)]
      func text(_ bytes: [UInt8]) -> PropertyValue {
        .string(String(decoding: bytes, as: UTF8.self))
      }
      return .track(
        event: "$app_updated",
        properties: [
          PropertyEntry("previous_version", text(change.previous.version)),
          PropertyEntry("previous_build", text(change.previous.build)),
          PropertyEntry("version", text(change.current.version)),
          PropertyEntry("build", text(change.current.build)),
        ], messageId: nil)
    case .firstOpen: return .track(event: "$first_open", properties: [], messageId: nil)
    case .screenLeave: return .track(event: "$pageleave", properties: [], messageId: nil)
    case .automaticScreen(let name):
      return .screen(name: automaticNames[Int(name)], properties: [])
    case .crash(let place):
      return .track(event: "$crash", properties: crashProperties(Int(place)), messageId: nil)
    case .hang(let hang):
      return .track(
        event: "$crash", properties: hangs[Int(hang)].properties, messageId: nil)
    }
  }
}

extension ExpectedMessage {
  /// The SDK makes it by itself.
  public var isMadeBySDK: Bool {
    if case .call = cause { return false }
    return true
  }

  /// Its name is one that no call of the app may pass.
  var hasReservedName: Bool {
    switch cause {
    case .call, .automaticScreen: return false
    case .appOpen, .appUpdated, .firstOpen, .screenLeave, .crash, .hang: return true
    }
  }

  /// It belongs to a session without ever being its first message (S-59).
  var neverStartsSession: Bool {
    if case .hang = cause { return true }
    return false
  }

  /// There is one of its name at a time, so that a wrong time does not make it another one.
  var isToldByName: Bool {
    switch cause {
    case .appUpdated, .firstOpen: return true
    case .call, .appOpen, .screenLeave, .automaticScreen, .crash, .hang: return false
    }
  }
}
