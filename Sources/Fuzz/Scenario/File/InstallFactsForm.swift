import FuzzHistory

extension Form where Value == InstallFactsAnswer {
  static let installFacts: Form = {
    let fresh = InstallFactsAnswer()
    return record(
      "what is known of the install", fresh,
      [
        .field("installer", \.installer, .text, of: fresh),
        .field("delay", \.delay, .milliseconds(in: 0...86_400_000), of: fresh),
        .field("never", \.isNever, .flag, of: fresh),
      ])
  }()
}
