/// A main thread that did not answer, as its event tells it (HNG-01).
struct Hang: Sendable {
  static let type = "AppHang"
  static let message = "The main thread did not answer for 5 seconds"

  var stack: CallStack
  /// The path of the screen that shows.
  var path: String
  var app: AppVersion

  /// The properties as a JSON object with sorted keys (CRA-05, HNG-08).
  var properties: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(ascii: "{\"app_build\":")
    bytes.append(jsonString: app.build)
    bytes.append(ascii: ",\"app_version\":")
    bytes.append(jsonString: app.version)
    bytes.append(ascii: ",\"fatal\":false,\"kind\":\"anr\",\"message\":")
    bytes.append(jsonString: Self.message)
    bytes.append(ascii: ",\"path\":")
    bytes.append(jsonString: path)
    bytes.append(ascii: ",\"stack\":")
    bytes.append(jsonString: stack.text)
    bytes.append(ascii: ",\"stack_hash\":")
    bytes.append(jsonString: stack.hash(type: Self.type))
    bytes.append(ascii: ",\"thread\":\"main\",\"type\":")
    bytes.append(jsonString: Self.type)
    bytes.append(0x7D)
    return bytes
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
    call.payload = Hang(stack: stack, path: shownPath, app: app).properties
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
