import FuzzHistory

extension Form where Value == AttributionSource {
  static let attribution: Form = {
    let fresh = AttributionSource()
    return record(
      "where the install came from", fresh,
      [
        .field("token", \.token, .text, of: fresh),
        .field("delay", \.delay, .milliseconds(in: 0...86_400_000), of: fresh),
        .field("never", \.isNever, .flag, of: fresh),
        .field("answer", \.answer, .text, of: fresh),
      ])
  }()
}

extension Form where Value == CollectorSettings {
  static let collector: Form = {
    let fresh = CollectorSettings()
    return record(
      "a collector", fresh,
      [
        .field(
          "destinations", \.destinations, Form<AdPlatform>.word(\.rawValue).list, of: fresh),
        .field("conversions", \.conversions, Form<String>.text.list, of: fresh),
        .field(
          "delivery", \.deliveryMilliseconds, .milliseconds(in: 0...86_400_000), of: fresh),
      ])
  }()
}
