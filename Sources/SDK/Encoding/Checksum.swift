internal import CZlib

/// The CRC-32 of PNG, zip and our journal.
func crc32(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
  var checksum: UInt = 0
  var rest = bytes
  while !rest.isEmpty {
    let part = min(rest.count, 1 << 30)
    checksum = CZlib.crc32(
      checksum, rest.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt32(part))
    rest = UnsafeRawBufferPointer(rebasing: rest[part...])
  }
  return UInt32(truncatingIfNeeded: checksum)
}
