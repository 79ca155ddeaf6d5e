/// Everything that the world can do to an SDK, one case a fault. Raw values stand in histories.
public enum FaultKind: UInt8, CaseIterable, Sendable {
  case networkDnsFailure = 0
  case networkRefused
  case networkTlsFailure
  case networkResetBefore
  case networkResetAfter
  case networkDuplicateArrival
  case networkBlackHole
  case networkTruncatedBody
  case networkSlow
  case networkOffline
  case networkInterfaceChange
  case networkCaptiveHtml
  case networkCaptiveBadRequest

  case serverBadRequest = 32
  case serverUnauthorized
  case serverForbidden
  case serverNotFound
  case serverRequestTimeout
  case serverTooLarge
  case serverTooEarly
  case serverTooManyRequests
  case serverError
  case serverUnavailable
  case serverOtherSuccess
  case serverRedirect
  case serverMalformedAnswer
  case serverRejects
  case serverWarns
  case serverLateAnswer
  case serverSkewedClock
  case configFailure
  case configGarbage
  case configTooLarge
  case configUnknownMode
  case configStrayFields
  case configSlow
  case attributionNotFound
  case attributionFailure
  case attributionGarbage
  case attributionSlow

  case diskNoSpace = 80
  case diskInputOutput
  case diskDenied
  case diskVanished
  case diskGarbled
  case diskSlow

  case processMemoryKill = 112
  case processUserSwipe
  case processCrash
  case processExit
  case processBackgroundOverrun
  case processSuspendedInFlight
  case processLockHeld
  case processWatchdog

  case clockStep = 144
  case clockAtEpoch
  case clockDrift

  case queueSlow = 160
  case mainThreadBlocked
  case mainThreadBusy
  case mainThreadDebugged

  case deviceLocked = 128
  case deviceBeforeFirstUnlock
  case deviceReboot
  case devicePowerLoss
  case deviceUnsyncedLoss
  case deviceStorageLockTaken
  case deviceTrackingChanged
  case deviceSystemUpdate

  case installDowngrade = 176
  case installReinstall
  case installOffload
  case installRestore

  case appRepeatedNotification = 192
  case appSecondScene
}
