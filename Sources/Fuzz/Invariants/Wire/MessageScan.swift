import FuzzHistory

/// Finds the parts of a message in place.
enum MessageScan {
  /// - Parameters:
  ///   - element: the range of one message.
  ///   - arena: the bytes it lies in.
  static func fields(of element: Range<Int>, in arena: UnsafeRawBufferPointer) -> MessageFields {
    let scan = JSONScan(bytes: arena)
    var fields = MessageFields()
    let after = scan.forEachMember(element.lowerBound, element.upperBound) { key, value in
      if !place(key, value, scan, &fields) { fields.unknownMembers += 1 }
    }
    fields.isWellFormed = after == element.upperBound
    return fields
  }

  /// Whether a part of a message is exactly this text.
  static func holds(
    _ slice: ByteSlice, _ text: StaticString, in arena: UnsafeRawBufferPointer
  ) -> Bool {
    let start = Int(slice.offset)
    return JSONScan(bytes: arena).equals(start..<start + Int(slice.count), text)
  }

  /// The id of the screen view inside `properties`, without quotes.
  static func pageviewIdentifier(
    of properties: ByteSlice, in arena: UnsafeRawBufferPointer
  ) -> ByteSlice {
    let scan = JSONScan(bytes: arena)
    let start = Int(properties.offset)
    guard let id = scan.member("pageview_id", of: start..<start + Int(properties.count)) else {
      return .empty
    }
    return content(id, scan)
  }

  /// Stores a member; false if its name is not one of a message.
  private static func place(
    _ key: Range<Int>, _ value: Range<Int>, _ scan: JSONScan, _ fields: inout MessageFields
  ) -> Bool {
    switch key.count {
    case 4:
      if scan.equals(key, "type") {
        fields.type = content(value, scan)
      } else if scan.equals(key, "name") {
        fields.name = content(value, scan)
      } else {
        return false
      }
    case 5:
      guard scan.equals(key, "event") else { return false }
      fields.event = content(value, scan)
    case 6:
      if scan.equals(key, "userId") {
        fields.userId = content(value, scan)
      } else if scan.equals(key, "traits") {
        fields.traits = slice(value)
      } else {
        return false
      }
    case 7:
      if scan.equals(key, "context") {
        fields.context = slice(value)
      } else if scan.equals(key, "groupId") {
        fields.groupId = content(value, scan)
      } else {
        return false
      }
    case 9:
      if scan.equals(key, "messageId") {
        fields.messageId = content(value, scan)
      } else if scan.equals(key, "timestamp") {
        fields.timestamp = content(value, scan)
      } else {
        return false
      }
    case 10:
      if scan.equals(key, "properties") {
        fields.properties = slice(value)
      } else if scan.equals(key, "previousId") {
        fields.previousId = content(value, scan)
      } else {
        return false
      }
    case 11:
      guard scan.equals(key, "anonymousId") else { return false }
      fields.anonymousId = content(value, scan)
    default: return false
    }
    return true
  }

  private static func slice(_ range: Range<Int>) -> ByteSlice {
    ByteSlice(offset: UInt32(range.lowerBound), count: UInt32(range.count))
  }

  /// A string without its quotes; anything else as it stands.
  static func content(_ range: Range<Int>, _ scan: JSONScan) -> ByteSlice {
    if range.count >= 2, scan.byte(range.lowerBound) == 0x22 {
      return ByteSlice(offset: UInt32(range.lowerBound + 1), count: UInt32(range.count - 2))
    }
    return slice(range)
  }
}
