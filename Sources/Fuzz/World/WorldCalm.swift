import FuzzHistory
import FuzzScenario
import SimKernel

/// The calm: faults stop, everything is well, the app is in front until nothing is pending; then a
/// clean kill, a relaunch, and again until nothing is pending (LAB-25, S-104).
extension World {
  private static let calmSpan = TimeSpan.hours(48)

  func runCalm() -> StopReason {
    isCalm = true
    faults.isActive = false
    recorder.record(.calmBegan, process: -1)
    device.bootNow()
    device.unlock()
    device.disk.roomBytes = nil
    device.disk.allowEverything()
    device.endForeignLock()
    setLink(.wifi)
    device.clocks.setDrift(partsPerMillion: 0, at: simulation.now)
    setWallClock(device.clocks.trueWall(at: simulation.now), nil)
    var stop = runUntilQuiet()
    var pending = pendingWork
    if stop == .idle || stop == .reachedLimit {
      device.end(.calmKill)
      stop = runUntilQuiet()
      pending += pendingWork
    }
    let names = pending.joined(separator: ", ")
    recorder.record(.calmEnded(pending: recorder.history.store(names)), process: -1)
    return stop
  }

  private func runUntilQuiet() -> StopReason {
    device.enterForeground()
    startIfNeverStarted()
    return simulation.run(until: simulation.now + World.calmSpan, handler: device)
  }

  private var pendingWork: [String] {
    device.process.map { device.pendingWork($0) } ?? []
  }

  /// An app that loads the SDK by a scripted call has to load it also in the calm.
  private func startIfNeverStarted() {
    guard device.process != nil, !hasStarted, scenario.start == nil else { return }
    for action in scenario.actions {
      if case .call(_, let call) = action.kind, case .load = call {
        perform(call, thread: 0, action: action.id)
        return
      }
    }
  }
}
