import FuzzHistory
import FuzzScenario
import SimKernel

/// What changes of the device around the app: tracking, the system, the device itself.
extension World {
  /// The user answers the app's question while the app is in front, or changes the answer in the
  /// settings, which ends the app. Who was never asked finds no switch there.
  func setTracking(_ state: TrackingState) {
    guard device.power.isOn, tracking != state, tracking != .restricted,
      state == .denied || state == .authorized
    else { return }
    if tracking == .notDetermined {
      guard let process = runningProcess, process.isForeground else { return }
      reach(.trackingAnswered)
    } else {
      took(.deviceTrackingChanged)
      device.end(.memoryKill)
      reach(.trackingChangedInSettings)
    }
    tracking = state
    recorder.record(.trackingChanged(state), process: -1, detail: UInt64(state.rawValue))
  }

  /// The device is turned, or the app's window shares the screen with another one from now on.
  func resizeScreen(_ size: ScreenSize) {
    guard size != screenSize else { return }
    screenSize = size
    recorder.record(
      .screenResized(size), process: -1, detail: UInt64(size.width) << 32 | UInt64(size.height))
  }

  func updateSystem(_ version: String, off span: TimeSpan) {
    guard device.power.isOn else { return }
    took(.deviceSystemUpdate, detail: UInt32(clamping: span.nanoseconds / 1_000_000_000))
    systemVersion = version
    device.shutDown(for: span)
    recordDevice()
  }

  /// What the user said of tracking does not come along.
  func changeDevice(_ model: String, _ newAdvertisingId: String) {
    guard device.power.isOn else { return }
    install(.restore, appVersion, appBuild)
    deviceModel = model
    advertisingId = newAdvertisingId
    recordDevice()
    if tracking != .restricted, tracking != .notDetermined {
      tracking = .notDetermined
      recorder.record(.trackingChanged(tracking), process: -1)
    }
  }

  private func recordDevice() {
    let history = recorder.history
    recorder.record(
      .deviceChanged(
        model: history.store(deviceModel), systemVersion: history.store(systemVersion),
        advertisingId: history.store(advertisingId)), process: -1)
  }
}
