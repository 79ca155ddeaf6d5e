extension JSONReader {
  /// Reads a number: an integer exactly where 64 bits hold it, else the nearest double.
  mutating func number() throws(JSONError) -> JSONValue {
    let start = position
    let isNegative = current == UInt8(ascii: "-")
    if isNegative { position += 1 }
    guard isDigit(current) else {
      if position > start { throw JSONError(.invalidNumber, at: start) }
      throw unexpected()
    }
    var magnitude: UInt64 = 0
    var isWide = false
    let hasLeadingZero = current == UInt8(ascii: "0")
    let firstDigit = position
    while isDigit(current) {
      let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(UInt64(current & 0x0F))
      isWide = isWide || overflow || carry
      magnitude = sum
      position += 1
    }
    if hasLeadingZero && position > firstDigit + 1 { throw JSONError(.invalidNumber, at: start) }
    let isInteger = try !passFractionAndExponent(of: start)
    if isInteger && !isWide {
      if !isNegative {
        return magnitude <= UInt64(Int64.max) ? .int(Int64(magnitude)) : .unsigned(magnitude)
      }
      if magnitude > 0 && magnitude <= UInt64(Int64.max) + 1 {
        return .int(Int64(truncatingIfNeeded: 0 &- magnitude))
      }
    }
    return .double(try double(from: start))
  }

  /// Passes what makes a number no integer; false if there is none.
  private mutating func passFractionAndExponent(of start: Int) throws(JSONError) -> Bool {
    var found = false
    if current == UInt8(ascii: ".") {
      found = true
      position += 1
      try passDigits(of: start)
    }
    if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
      found = true
      position += 1
      if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
      try passDigits(of: start)
    }
    return found
  }

  private mutating func passDigits(of start: Int) throws(JSONError) {
    guard isDigit(current) else { throw JSONError(.invalidNumber, at: start) }
    while isDigit(current) { position += 1 }
  }

  private func double(from start: Int) throws(JSONError) -> Double {
    let text = String(
      decoding: UnsafeRawBufferPointer(rebasing: bytes[start..<position]), as: UTF8.self)
    guard let number = Double(text), number.isFinite else {
      throw JSONError(.numberOutOfRange, at: start)
    }
    return number
  }

  @inline(__always)
  private func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }
}
