import FuzzHistory
import SimKernel

/// Draws the faults that strike by chance.
struct FaultMaker {
  let source: Randomness
  let profile: Profile
  let features: FeatureSet
  let duration: TimeSpan

  /// Kinds that come half as often as others: they cost data rather than time.
  private static func weight(_ kind: FaultKind) -> UInt64 {
    switch kind {
    case .serverBadRequest, .serverForbidden, .diskVanished, .diskGarbled: return 1
    case .networkBlackHole, .networkSlow, .networkCaptiveBadRequest: return 2
    default: return 4
    }
  }

  func settings() -> [FaultSetting] {
    var settings: [FaultSetting] = []
    var draw = source.stream(Streams.fault, 1_000)
    let requests = UInt64(draw.int(profile.requestFaults))
    let files = UInt64(draw.int(profile.fileFaults))
    // Network and server share the chance of a request; where one is off the other has all of it.
    let sharers = (features.has(.network) ? 1 : 0) + (features.has(.server) ? 1 : 0)
    if sharers > 0 {
      add(.network, "network", requests / UInt64(sharers), &settings)
      add(.server, "server", requests / UInt64(sharers), &settings)
    }
    add(.config, "config", 100 + draw.below(500), &settings)
    add(.disk, "disk", files, &settings)
    add(.queue, "queue", 5 + draw.below(40), &settings)
    if !profile.isCalm { add(.attribution, "attribution", 350, &settings) }
    addDrift(&settings)
    addOutages(&settings)
    if features.has(.scenes) {
      settings.append(FaultSetting(.appRepeatedNotification, chance: Ratio(1, 2 + draw.below(20))))
    }
    return settings
  }

  /// Deals a family's chance in thousandths to a random subset of its kinds.
  private func add(
    _ feature: Feature, _ family: String, _ thousandths: UInt64,
    _ settings: inout [FaultSetting]
  ) {
    guard features.has(feature) else { return }
    var draw = source.stream(Streams.fault, 2_000 + UInt64(feature.rawValue))
    let kinds = FaultCatalogue.entries.filter { $0.family == family && $0.kind != .networkOffline }
    let oneIn = 1 + draw.below(3)
    var chosen = kinds.filter {
      source.happens(Ratio(1, oneIn), Streams.fault, UInt64($0.kind.rawValue))
    }
    if chosen.isEmpty { chosen = [kinds[Int(draw.below(UInt64(kinds.count)))]] }
    let total = chosen.reduce(0) { $0 + FaultMaker.weight($1.kind) }
    for entry in chosen {
      let share = max(1, thousandths * FaultMaker.weight(entry.kind) / total)
      settings.append(setting(entry, min(share, 1_000)))
    }
  }

  private func setting(_ entry: FaultEntry, _ thousandths: UInt64) -> FaultSetting {
    var draw = source.stream(Streams.fault, 3_000 + UInt64(entry.kind.rawValue))
    var setting = FaultSetting(entry.kind, chance: Ratio(thousandths, 1_000))
    if draw.chance(1, in: 4) {
      // In a window the same number of faults comes thicker.
      let from = duration.seconds(atThousandth: draw.within(0...600))
      let until = from + duration.seconds(atThousandth: draw.within(150...400))
      setting.from = .seconds(from)
      setting.until = .seconds(until)
      setting.chance = Ratio(min(1_000, thousandths * 3), 1_000)
    }
    if entry.kind == .serverTooLarge {
      // Most bodies are small: a usual gateway would never say no.
      setting.amount = draw.pick([700, 1_500, 3_000, 6_000, 12_000])
    } else if entry.kind == .serverSkewedClock {
      // A clock that is off stays off, and shows only where a server names a date.
      setting.chance = .always
      setting.amount = draw.pick([1, 1, -1]) * draw.pick([30, 900, 5_400, 86_400, 31_536_000])
    } else if entry.unit != .none, draw.chance(1, in: 2) {
      setting.amount = amount(entry, &draw)
    }
    return setting
  }

  /// An amount between a hundredth and about eight times of the usual one.
  private func amount(_ entry: FaultEntry, _ draw: inout RandomStream) -> Int64 {
    let usual = max(entry.defaultAmount, 1)
    let drawn = draw.chance(1, in: 3) ? draw.within(0...usual) : draw.within(usual...(usual * 8))
    return min(max(drawn, entry.range.lowerBound), entry.range.upperBound)
  }

  /// The wall clock runs fast or slow, at another rate now and then.
  private func addDrift(_ settings: inout [FaultSetting]) {
    guard features.has(.clock) else { return }
    var draw = source.stream(Streams.fault, 5_000)
    guard draw.chance(2, in: 3) else { return }
    for rate in [draw.within(1...500), -draw.within(1...500)] {
      settings.append(FaultSetting(.clockDrift, chance: Ratio(1, 6), amount: rate))
    }
  }

  /// Times in which nothing gets through at all.
  private func addOutages(_ settings: inout [FaultSetting]) {
    guard features.has(.outage) else { return }
    var draw = source.stream(Streams.fault, 4_000)
    for _ in 0..<draw.int(1...2) {
      let kind = draw.pick([
        FaultKind.serverUnavailable, .serverError, .serverUnauthorized, .networkRefused,
        .networkDnsFailure, .networkBlackHole,
      ])
      let from = duration.seconds(atThousandth: draw.within(0...800))
      let length = duration.seconds(atThousandth: draw.within(20...250))
      settings.append(
        FaultSetting(kind, chance: .always, from: .seconds(from), until: .seconds(from + length)))
    }
  }
}

extension TimeSpan {
  /// Whole seconds at so many thousandths of this span.
  func seconds(atThousandth thousandth: Int64) -> Int64 {
    nanoseconds / 1_000_000_000 * thousandth / 1_000
  }
}
