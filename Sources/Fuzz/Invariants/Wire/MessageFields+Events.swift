import FuzzHistory

/// Events that the SDK makes itself.
extension MessageFields {
  /// Whether a message is an event of this name.
  func isEvent(_ name: StaticString, in arena: UnsafeRawBufferPointer) -> Bool {
    MessageScan.holds(event, name, in: arena)
  }

  /// Whether a message says that it is the event of a crash; a hang has the same name (HNG-01).
  func isCrash(in arena: UnsafeRawBufferPointer) -> Bool {
    crashKind(in: arena).map { $0 != "anr" } ?? false
  }

  /// Whether a message says that it is the event of a hang.
  func isHang(in arena: UnsafeRawBufferPointer) -> Bool { crashKind(in: arena) == "anr" }

  /// The kind that a `$crash` tells, empty if it tells none; nil for other messages and for
  /// properties that cannot be read.
  private func crashKind(in arena: UnsafeRawBufferPointer) -> String? {
    guard isEvent("$crash", in: arena),
      let properties = try? JSONValue.parse(arena.slice(properties))
    else { return nil }
    return properties["kind"]?.string ?? ""
  }
}
