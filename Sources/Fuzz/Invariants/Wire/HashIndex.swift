/// A table from 64-bit keys to small numbers with open addressing; keys are hashes already.
struct HashIndex {
  private var keys: [UInt64]
  private var values: [Int32]
  private(set) var count = 0

  init(minimumCapacity: Int = 256) {
    var size = 64
    while size < minimumCapacity * 2 { size *= 2 }
    keys = Array(repeating: 0, count: size)
    values = Array(repeating: -1, count: size)
  }

  /// The value of a key, or -1.
  subscript(key: UInt64) -> Int32 {
    get {
      let mask = keys.count - 1
      var at = Int(truncatingIfNeeded: key) & mask
      while values[at] >= 0 {
        if keys[at] == key { return values[at] }
        at = (at + 1) & mask
      }
      return -1
    }
    set {
      if count * 2 >= keys.count { grow() }
      let mask = keys.count - 1
      var at = Int(truncatingIfNeeded: key) & mask
      while values[at] >= 0 {
        if keys[at] == key {
          values[at] = newValue
          return
        }
        at = (at + 1) & mask
      }
      keys[at] = key
      values[at] = newValue
      count += 1
    }
  }

  private mutating func grow() {
    var larger = HashIndex(minimumCapacity: keys.count)
    for at in keys.indices where values[at] >= 0 { larger[keys[at]] = values[at] }
    self = larger
  }
}

/// FNV-1a over 64 bits, as the journal uses it for message ids.
func hashIdentifier(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
  var hash: UInt64 = 0xcbf2_9ce4_8422_2325
  for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
  return hash
}

/// Whether two runs of bytes are the same.
@inline(__always)
func bytesEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
  guard left.count == right.count else { return false }
  guard let leftBase = left.baseAddress, let rightBase = right.baseAddress else { return true }
  let count = left.count
  var at = 0
  while at + 8 <= count {
    if leftBase.loadUnaligned(fromByteOffset: at, as: UInt64.self)
      != rightBase.loadUnaligned(fromByteOffset: at, as: UInt64.self)
    {
      return false
    }
    at += 8
  }
  while at < count {
    if left[at] != right[at] { return false }
    at += 1
  }
  return true
}
