extension CrashProperties {
  /// Those of a main thread that did not answer (HNG-01, HNG-08).
  /// - Parameter stack: of the main thread.
  init(hang stack: CallStack, path: String, app: AppVersion) {
    let type = "AppHang"
    self.init(
      app: app, isFatal: false, kind: "anr",
      message: "The main thread did not answer for 5 seconds", path: path, stack: stack.text,
      stackHash: stack.hash(type: type), thread: "main", type: type)
  }
}

extension CallState {
  /// Seals `$crash` for a hang, unless it is not to be reported any more: it belongs to the present
  /// session without ever being its first message (S-59).
  /// - Returns: whether it was sealed.
  mutating func sealHang(
    _ stack: CallStack, app: AppVersion, _ current: CurrentContext, _ platform: Platform
  ) -> Bool {
    guard let circumstances, circumstances.analytics, let anchor else { return false }
    ordinal += 1
    var call = Call(
      .message(.track), ordinal: ordinal,
      messageId: Identifier.uuid(platform.random.random128(.lifecycle, key: ordinal)),
      name: "$crash")
    call.origin = .hang
    call.uptime = platform.clock.continuous()
    call.current = current
    call.payload = CrashProperties(hang: stack, path: shownPath, app: app).json
    add(
      .message(
        SealedMessage(
          call: call, type: .track, sequence: nextSequence,
          time: anchor.milliseconds(atUptime: call.uptime), userId: circumstances.userId,
          previousId: nil, circumstances: circumstances.withoutStart, isFromForeground: true)))
    nextSequence += 1
    return true
  }
}
