import SDK
import SimKernel

/// The device's clocks as the SDK reads them.
final class SimClockPort: ClockPort, @unchecked Sendable {
  private unowned let world: World

  init(_ world: World) { self.world = world }

  func wall() -> Int64 {
    let device = device
    return device.clocks.wall(at: device.now)
  }

  func awake() -> Int64 {
    let device = device
    return device.clocks.awake(at: device.now)
  }

  func continuous() -> Int64 {
    let device = device
    return device.clocks.continuous(at: device.now)
  }

  func bootIdentifier() -> UInt64 { device.clocks.bootIdentifier }

  private var device: Device {
    let world = world
    if world.dying != nil { world.noteHandlerPort(.clock) }
    return world.device
  }
}

/// Random bits that depend on what they are for, never on how many were drawn before elsewhere.
final class SimRandomPort: RandomPort, @unchecked Sendable {
  private unowned let world: World
  private let process: AppProcess
  private static let callStream = StreamName("sdk.random.call")
  private static let jobStream = StreamName("sdk.random.job")
  private var drawsOutsideCalls: UInt64 = 0

  init(_ world: World, _ process: AppProcess) {
    self.world = world
    self.process = process
  }

  func random128(_ purpose: RandomPurpose, key: UInt64) -> (high: UInt64, low: UInt64) {
    let world = world
    if world.dying != nil { world.noteHandlerPort(.random) }
    let random = world.randomness
    if let call = world.currentCall {
      // Within a call: the call's own identity, and which draw of it.
      world.currentCall?.draws += 1
      let second = UInt64(call.draws) << 8 | UInt64(purpose.rawValue)
      return (
        random.bits(SimRandomPort.callStream, call.key, second << 1),
        random.bits(SimRandomPort.callStream, call.key, second << 1 | 1)
      )
    }
    let occasion = UInt64(UInt32(bitPattern: process.ordinal)) << 32 | UInt64(purpose.rawValue)
    // A jitter belongs to its attempt; identifiers must differ, so that they also count.
    if purpose != .retryJitter { drawsOutsideCalls += 1 }
    let second = key &* 0x9e37_79b9 &+ drawsOutsideCalls << 1
    return (
      random.bits(SimRandomPort.jobStream, occasion, second),
      random.bits(SimRandomPort.jobStream, occasion, second | 1)
    )
  }
}
