import FuzzHistory
import SimKernel

/// The parts of `context` that stay the same for the life of a process, written once.
struct ContextParts {
  /// From `{"app"` up to the value of `consent`.
  var head: [UInt8] = []
  /// From after `consent` up to the value of `locale`.
  var middle: [UInt8] = []
  /// Where in `middle` the members of the device begin: the advertising id comes first.
  var deviceOffset = 0
  /// Where in `middle` the library begins: `install` stands before it.
  var libraryOffset = 0
  /// From after `network` up to the height of the screen.
  var tail: [UInt8] = []

  static let libraryName: StaticString = "postlip-metrics-swift"
  static let libraryVersion: StaticString = "0.1.0"

  init() {}

  /// - Parameters:
  ///   - device: app and device as ground truth.
  ///   - version: the version of the app that runs.
  init(
    _ device: DeviceDescription, version: UnsafeRawBufferPointer, build: UnsafeRawBufferPointer,
    model: UnsafeRawBufferPointer?, system: UnsafeRawBufferPointer?
  ) {
    var buffer = MessageBuffer()
    buffer.add("{\"app\":{\"build\":")
    buffer.addString(build)
    buffer.add(",\"name\":")
    buffer.addString(device.appName)
    buffer.add(",\"namespace\":")
    buffer.addString(device.appNamespace)
    buffer.add(",\"version\":")
    buffer.addString(version)
    buffer.add("},\"consent\":")
    head = buffer.bytes
    buffer.bytes.removeAll()
    buffer.add(",\"device\":{")
    deviceOffset = buffer.count
    buffer.add("\"manufacturer\":")
    buffer.addString(device.deviceManufacturer)
    buffer.add(",\"model\":")
    if let model { buffer.addString(model) } else { buffer.addString(device.deviceModel) }
    buffer.add(",\"type\":")
    buffer.addString(device.deviceType)
    buffer.add("},")
    libraryOffset = buffer.count
    buffer.add("\"library\":{\"name\":\"")
    buffer.add(ContextParts.libraryName)
    buffer.add("\",\"version\":\"")
    buffer.add(ContextParts.libraryVersion)
    buffer.add("\"},\"locale\":")
    middle = buffer.bytes
    buffer.bytes.removeAll()
    buffer.add(",\"os\":{\"name\":")
    buffer.addString(device.systemName)
    buffer.add(",\"version\":")
    if let system { buffer.addString(system) } else { buffer.addString(device.systemVersion) }
    buffer.add("},\"screen\":{\"height\":")
    tail = buffer.bytes
  }
}

/// Writes whole messages as the requirements want them on the wire.
extension ReferenceModel {
  /// Writes the bytes of a message whose state is sealed, with holes for the ids not known yet.
  func write(_ index: Int, process: Int) {
    let start = buffer.count
    let call = call(of: index)
    buffer.add("{\"anonymousId\":\"")
    messages[index].anonymousHole = buffer.addHole()
    buffer.add("\",\"context\":")
    writeContext(index, process)
    writeNames(index, call)
    buffer.add(",\"timestamp\":\"")
    Timestamps.append(
      milliseconds: messages[index].timestampMilliseconds, to: &buffer.bytes)
    buffer.bytes.append(0x22)
    buffer.bytes.append(0x2c)
    writeTraits(index, call)
    buffer.add("\"type\":\"")
    buffer.add(messages[index].type.word)
    buffer.bytes.append(0x22)
    if case .alias(let userId, _) = call {
      buffer.add(",\"userId\":")
      buffer.addString(userId)
    } else if messages[index].user >= 0 {
      buffer.add(",\"userId\":")
      buffer.addString(users[Int(messages[index].user)])
    }
    buffer.bytes.append(0x7d)
    messages[index].bytes = start..<buffer.count
    fillPageview(index)
  }

  private func writeContext(_ index: Int, _ process: Int) {
    let message = messages[index]
    let parts = processes[process].contextParts
    // The app that crashed may have been another version (S-102).
    let maker = message.crash.map { Int(crashes[$0].process) } ?? process
    buffer.add(processes[maker].contextParts.head)
    buffer.add(message.analytics ? "{\"analytics\":true" : "{\"analytics\":false")
    buffer.add(message.marketing ? ",\"marketing\":true" : ",\"marketing\":false")
    buffer.add(",\"mode\":\"")
    buffer.add(processes[process].options.mode.word)
    buffer.add("\"}")
    writeMiddle(index, process, parts)
    buffer.addString(arena.slice(message.locale))
    switch message.network {
    case .none: buffer.add(",\"network\":{}")
    case .wifi, .captive: buffer.add(",\"network\":{\"cellular\":false,\"wifi\":true}")
    case .cellular: buffer.add(",\"network\":{\"cellular\":true,\"wifi\":false}")
    }
    buffer.add(parts.tail)
    buffer.add(number: Int64(message.screenSize.height))
    buffer.add(",\"width\":")
    buffer.add(number: Int64(message.screenSize.width))
    buffer.add("},\"session\":{\"id\":\"")
    messages[index].sessionHole = buffer.addHole()
    buffer.add(message.startsSession ? "\",\"start\":true}" : "\"}")
    if processes[process].options.isTest { buffer.add(",\"test\":true") }
    buffer.add(",\"timezone\":")
    buffer.addString(arena.slice(message.zone))
    buffer.bytes.append(0x7d)
  }

  private func writeMiddle(_ index: Int, _ process: Int, _ parts: ContextParts) {
    let message = messages[index]
    let start = parts.deviceOffset
    buffer.add(Array(parts.middle[..<start]))
    let place = buffer.count
    if mayHoldAdvertisingId(index, process) { writeAdvertisingId() }
    messages[index].advertising = place..<buffer.count
    guard case .firstOpen(let answer) = message.cause else {
      buffer.add(Array(parts.middle[start...]))
      return
    }
    buffer.add(Array(parts.middle[start..<parts.libraryOffset]))
    writeInstall(answer)
    buffer.add(Array(parts.middle[parts.libraryOffset...]))
  }

  /// What stands between `context` and `timestamp`: event, groupId, messageId, name, previousId,
  /// properties.
  private func writeNames(_ index: Int, _ call: HostCall) {
    switch call {
    case .track(let event, let properties, let messageId):
      buffer.add(",\"event\":")
      buffer.addString(event)
      writeIdentifier(index, messages[index].hasCallersIdentifier ? messageId : nil)
      buffer.add(",\"properties\":")
      if let leave = leave(of: messages[index]) {
        writeLeaveProperties(index, leave)
      } else {
        PropertyWriter.append(properties, to: &buffer)
      }
    case .screen(let name, let properties):
      writeIdentifier(index, nil)
      buffer.add(",\"name\":")
      buffer.addString(name)
      buffer.add(",\"properties\":")
      writeScreenProperties(index, name, properties)
    case .group(let groupId, _):
      buffer.add(",\"groupId\":")
      buffer.addString(groupId)
      writeIdentifier(index, nil)
    case .alias(_, let previousId):
      writeIdentifier(index, nil)
      buffer.add(",\"previousId\":")
      if let previousId {
        buffer.addString(previousId)
      } else if messages[index].user >= 0 {
        buffer.addString(users[Int(messages[index].user)])
      } else {
        buffer.bytes.append(0x22)
        messages[index].previousHole = buffer.addHole()
        buffer.bytes.append(0x22)
      }
    default: writeIdentifier(index, nil)
    }
  }

  private func writeIdentifier(_ index: Int, _ own: String?) {
    buffer.add(",\"messageId\":\"")
    if let own {
      // Only characters from U+0021 to U+007E: two of them are escaped.
      for byte in own.utf8 {
        if byte == 0x22 || byte == 0x5c { buffer.bytes.append(0x5c) }
        buffer.bytes.append(byte)
      }
    } else {
      messages[index].identifierHole = buffer.addHole()
    }
    buffer.bytes.append(0x22)
  }

  /// The properties of a screen with the derived path and the SDK's `pageview_id` (API-18, API-19,
  /// S-53).
  private func writeScreenProperties(
    _ index: Int, _ name: String, _ properties: [PropertyEntry]
  ) {
    let path = ReferenceModel.path(name, properties)
    var entries: [PropertyEntry] = []
    entries.reserveCapacity(properties.count + 2)
    for entry in properties where entry.key != "path" && entry.key != "pageview_id" {
      entries.append(entry)
    }
    entries.append(PropertyEntry("pageview_id", .null))
    entries.append(PropertyEntry("path", .string(path)))
    buffer.bytes.append(0x7b)
    var isFirst = true
    for place in PropertyWriter.sortedPlaces(entries) {
      if place == entries.count - 2 {
        if !isFirst { buffer.bytes.append(0x2c) }
        buffer.add("\"pageview_id\":\"")
        messages[index].pageviewHole = buffer.addHole()
        buffer.bytes.append(0x22)
        isFirst = false
      } else {
        PropertyWriter.add(entries[place], 0, &isFirst, &buffer)
      }
    }
    buffer.bytes.append(0x7d)
  }

  private func writeTraits(_ index: Int, _ call: HostCall) {
    let start = buffer.count
    switch call {
    case .identify(_, let traits), .group(_, let traits):
      if traits.isEmpty { return }
      buffer.add("\"traits\":")
      PropertyWriter.append(traits, to: &buffer)
      buffer.bytes.append(0x2c)
      messages[index].traits = start..<buffer.count
    default: return
    }
  }
}
