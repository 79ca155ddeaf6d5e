/// Another version of the app runs than the one that was last known (LIF-14).
struct AppUpdate: Hashable, Sendable {
  private static let namespace: (high: UInt64, low: UInt64) = (
    0x6f2b_7f0a_94c1_4e52, 0xa3d5_1c86_40b7_e913
  )

  var previous: AppVersion
  var current: AppVersion

  /// The id of its message: made from what it says, so that a repeat after a death between queueing
  /// and marking is one message to the collector (S-115, A-21).
  func messageIdentifier(anonymousId: String) -> String {
    var name: [UInt8] = []
    name.append(jsonString: anonymousId)
    for text in [previous.version, previous.build, current.version, current.build] {
      name.append(0x2C)
      name.append(jsonString: text)
    }
    return Identifier.nameBased(namespace: Self.namespace, name: name)
  }

  /// The properties as a JSON object with sorted keys (LIF-15).
  var properties: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(ascii: "{\"build\":")
    bytes.append(jsonString: current.build)
    bytes.append(ascii: ",\"previous_build\":")
    bytes.append(jsonString: previous.build)
    bytes.append(ascii: ",\"previous_version\":")
    bytes.append(jsonString: previous.version)
    bytes.append(ascii: ",\"version\":")
    bytes.append(jsonString: current.version)
    bytes.append(0x7D)
    return bytes
  }
}
