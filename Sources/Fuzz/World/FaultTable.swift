import FuzzScenario
import SimKernel

/// Decides by chance whether a fault strikes: a pure function of fault, key and instant.
final class FaultTable {
  private let randomness: Randomness
  /// By raw value of the kind.
  private let settings: [[FaultSetting]]
  /// Kinds with a setting, in catalogue order.
  private let present: [Bool]
  var isActive = true
  let hasDiskFaults: Bool

  private static let strike = StreamName("fault.strike")

  init(_ faults: [FaultSetting], randomness: Randomness) {
    self.randomness = randomness
    var settings = [[FaultSetting]](repeating: [], count: 256)
    for fault in faults { settings[Int(fault.kind.rawValue)].append(fault) }
    self.settings = settings
    present = settings.map { !$0.isEmpty }
    hasDiskFaults = faults.contains { FaultCatalogue.entry($0.kind).occasion == .fileOperation }
  }

  /// The amount with which a fault strikes.
  /// - Parameters:
  ///   - key: a stable identity of the occasion.
  /// - Returns: nothing if it does not strike.
  func strikes(_ kind: FaultKind, key: UInt64, at instant: Instant) -> Int64? {
    guard isActive, present[Int(kind.rawValue)] else { return nil }
    for (place, setting) in settings[Int(kind.rawValue)].enumerated() {
      let since = instant - .start
      if let from = setting.from, since < from { continue }
      if let until = setting.until, since >= until { continue }
      let second = UInt64(kind.rawValue) << 8 | UInt64(place)
      if randomness.happens(setting.chance, FaultTable.strike, key, second) {
        return setting.amount ?? FaultCatalogue.entry(kind).defaultAmount
      }
    }
    return nil
  }

  /// The first of several faults that strikes.
  func first(of kinds: [FaultKind], key: UInt64, at instant: Instant) -> (FaultKind, Int64)? {
    guard isActive else { return nil }
    for kind in kinds {
      if let amount = strikes(kind, key: key, at: instant) { return (kind, amount) }
    }
    return nil
  }
}
