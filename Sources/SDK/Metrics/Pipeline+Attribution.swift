/// The attribution of the install: asked for once `$first_open` is due, and for nothing else. Only
/// that message waits for it (ATT-11); a wait that is over hears no answer (S-48, S-49).
extension Pipeline {
  /// Begins to resolve the attribution for the `$first_open` that is due. While the record of the
  /// install cannot be read, nobody knows whether that was done before (ATT-09).
  func beginAttribution() {
    guard firstOpen.isUnasked, store.install != .unreadable, hasAnalyticsNow else { return }
    let attempt = firstOpen.ask()
    guard settings.collectsAppleSearchAds,
      AppleSearchAds.isOffered(bySystem: platform.context.fixed().systemVersion)
    else { return firstOpen.take(InstallFacts(), attempt: attempt, now: now) }
    platform.attribution.attributionToken(on: queue) { self.takeToken($0, attempt: attempt) }
  }

  /// A refusal counts from the call on, also before this queue has heard of it (ATT-10).
  private var hasAnalyticsNow: Bool {
    state.withLock { $0.circumstances?.analytics ?? false }
  }

  private func takeToken(_ token: String?, attempt: UInt64) {
    guard firstOpen.isWaiting(attempt: attempt, now: now) else { return settle() }
    guard let token, !token.isEmpty else { return endAttribution(nil, attempt: attempt) }
    sendToken(token, failures: 0, attempt: attempt)
  }

  private func sendToken(_ token: String, failures: Int, attempt: UInt64) {
    guard hasAnalyticsNow else { return }
    let request = AppleSearchAds.request(
      token: token, attempt: attributionCount, policy: .appleSearchAds)
    attributionCount += 1
    attributionRequest = platform.http.start(request, on: queue) { result in
      self.finishAttribution(result, token, failures: failures, attempt: attempt)
    }
  }

  private func finishAttribution(
    _ result: Result<HTTPResponse, HTTPFailure>, _ token: String, failures: Int, attempt: UInt64
  ) {
    guard firstOpen.isWaiting(attempt: attempt, now: now) else { return settle() }
    attributionRequest = nil
    let policy = LanePolicy.appleSearchAds
    guard case .success(let response) = result else {
      return endAttribution(nil, attempt: attempt)
    }
    if (200..<300).contains(response.status) {
      endAttribution(AppleSearchAds.documentedPart(of: response.body), attempt: attempt)
    } else if response.status == 404, failures + 1 < policy.attemptLimit ?? .max {
      attributionTimer = queue.schedule(
        afterNanoseconds: policy.backoffNanoseconds(failures: failures, random: 0),
        clock: .continuous
      ) {
        self.attributionTimer = nil
        guard self.firstOpen.isWaiting(attempt: attempt, now: self.now) else {
          return self.settle()
        }
        self.sendToken(token, failures: failures + 1, attempt: attempt)
      }
    } else {
      endAttribution(nil, attempt: attempt)
    }
  }

  private func endAttribution(_ part: [UInt8]?, attempt: UInt64) {
    firstOpen.take(InstallFacts(appleSearchAds: part), attempt: attempt, now: now)
    settle()
  }

  /// Gives up what is on its way.
  func abortAttribution() {
    if let attributionRequest { platform.http.cancel(attributionRequest) }
    attributionRequest = nil
    if let attributionTimer { queue.cancel(attributionTimer) }
    attributionTimer = nil
  }
}
