/// A rare place that a campaign wants to reach, counted where the world sees it.
public enum Mark: Int, CaseIterable, Sendable {
  case killedAtDiskStep
  case killedWithRequestInFlight
  case killedWhileHolding
  case suspendedWithRequestInFlight
  case suspendedWhileHolding
  case resumedIntoForeground
  case resumedByPush
  case backgroundTaskExpired
  case overrunKilled
  case answerLostAfterServerActed
  case requestArrivedTwice
  case requestTimedOut
  case requestCancelled
  case tornWriteLeft
  case diskFullInWrite
  case fileDamagedBeforeRead
  case batchOfTwenty
  case batchTooLargeAnswered
  case tooManyRequestsAnswered
  case unauthorizedAnswered
  case fourXxAnswered
  case serverErrorAnswered
  case redirectAnswered
  case unreadableAnswer
  case configFailed
  case configLate
  case offlineAttempt
  case captiveAttempt
  case wallClockSteppedWithRequestInFlight
  case callWhileSuspendedSkipped
  case callInBackground
  case ranOverThirtyDays
  case rebooted
  case powerLossTookBytes
  case refusedBeforeFirstUnlock
  case storageLockRefused
  case storageLockLost
  case storageLockReleased
  case severalControllersAppeared
  case appearedInBackground
  case crashedByException
  case crashedBySignal
  case crashedOffMain
  case crashedWhileHolding
  case crashedInBackground
  case crashedWhileLocked
  case crashedInDiskStep
  case crashedByStackOverflow
  case crashedInHandler
  case crashRecordOnFullDisk
  case crashRecordTorn
  case mainThreadSampled
  case mainBlockedInBackground
  case mainBlockedUnderDebugger
  case tokenNeverTold
  case attributionAnswered
  case attributionNotFound
  case attributionFailed
  case attributionGivenUp
  case trackingAnswered
  case trackingChangedInSettings
  case conversionDelivered
  case resizedBetweenCalls

  /// `area.what`, as reports name it.
  public var name: String { Mark.table[rawValue].0 }
  /// One sentence.
  public var description: String { Mark.table[rawValue].1 }

  private static let table: [(String, String)] = [
    ("process.killed_at_disk_step", "A process died inside a step of the file system."),
    ("process.killed_in_flight", "A process died with a request in flight."),
    ("process.killed_in_hold", "A process died before its config request ended."),
    ("process.suspended_in_flight", "An app was suspended with a request in flight."),
    ("process.suspended_in_hold", "An app was suspended before its config request ended."),
    ("process.resumed_foreground", "A suspended app came back to the foreground."),
    ("process.resumed_push", "A suspended app was woken in the background."),
    ("background.task_expired", "A background task was told that its time is up."),
    ("background.overrun_killed", "A process was killed because a background task did not end."),
    ("network.answer_lost", "A server acted and its answer never reached the app."),
    ("network.arrived_twice", "A request reached its server twice."),
    ("network.timed_out", "A request ended by its timeout."),
    ("network.cancelled", "The SDK gave a request up."),
    ("disk.torn_write", "A death left a part of a write on the disk."),
    ("disk.full_in_write", "The disk was full in the middle of a write."),
    ("disk.damaged_before_read", "A file was damaged right before it was read."),
    ("batch.of_twenty", "A batch was as large as a batch may be."),
    ("batch.answered_413", "The collector found a batch too large."),
    ("batch.answered_429", "The collector asked for a pause."),
    ("batch.answered_401", "The collector refused the write key."),
    ("batch.answered_4xx", "The collector answered with another 4xx."),
    ("batch.answered_5xx", "The collector failed."),
    ("batch.answered_3xx", "The collector answered with a redirect."),
    ("batch.answered_unreadable", "The answer of the collector was no JSON object."),
    ("config.failed", "The config request ended without a usable answer."),
    ("config.late", "The config request ended by its timeout."),
    ("network.offline_attempt", "A request started without any network."),
    ("network.captive_attempt", "A request started behind a captive portal."),
    ("clock.stepped_in_flight", "The wall clock was set while a request was in flight."),
    ("call.skipped_suspended", "A call of the host app fell into a suspension or no process."),
    ("call.in_background", "The host app called the SDK in the background."),
    ("run.over_thirty_days", "A run lasted longer than messages are kept."),
    ("device.rebooted", "The device was off and started again."),
    ("disk.lost_by_power_loss", "A power loss took something that no barrier had covered."),
    ("disk.refused_before_unlock", "A file could not be reached before the first unlock."),
    ("storage.lock_refused", "The SDK asked for the lock of a shared container in vain."),
    ("storage.lock_lost", "An extension had had the lock when the SDK got it back."),
    ("storage.lock_released", "The SDK gave the lock of a shared container back."),
    ("screen.several_at_once", "Several controllers appeared within one turn of the run loop."),
    ("screen.in_background", "A controller appeared while the app was in the background."),
    ("crash.exception", "Nobody caught an exception."),
    ("crash.signal", "A fatal signal struck."),
    ("crash.off_main", "A thread other than the main one crashed."),
    ("crash.in_hold", "A process crashed before its config request ended."),
    ("crash.in_background", "An app crashed in the background."),
    ("crash.while_locked", "An app crashed while the screen was locked."),
    ("crash.in_disk_step", "A process crashed inside a step of the file system."),
    ("crash.stack_overflow", "A process crashed because its stack was full."),
    ("crash.in_handler", "A process crashed again while its crash was handled."),
    ("crash.record_on_full_disk", "The disk was full when a crash record was written."),
    ("crash.record_torn", "A part of a crash record was left on the disk."),
    ("main.sampled", "The SDK looked at the stack of a main thread that hung."),
    ("main.blocked_in_background", "The main thread was blocked in the background."),
    ("main.blocked_under_debugger", "The main thread was blocked while a debugger was attached."),
    ("attribution.token_never", "The device never told the token of the install."),
    ("attribution.answered", "Apple told where the install came from."),
    ("attribution.answered_404", "Apple did not know the token yet."),
    ("attribution.failed", "Apple failed, or its answer was none."),
    ("attribution.given_up", "The SDK gave up a question to Apple that had no answer yet."),
    ("tracking.answered", "The user answered whether the app may track."),
    ("tracking.settings", "The user changed in the settings whether the app may track."),
    ("collector.conversion", "A conversion was delivered to Meta or TikTok."),
    ("screen.resized_between_calls", "The screen's size changed between two calls of a process."),
  ]
}
