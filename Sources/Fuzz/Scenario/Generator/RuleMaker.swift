import FuzzHistory
import SimKernel

/// Draws scripted answers of the servers.
struct RuleMaker {
  let source: Randomness
  let features: FeatureSet
  let profile: Profile
  let epochMilliseconds: Int64
  let duration: TimeSpan

  func rules() -> [ServerRule] {
    guard features.has(.rules) else { return [] }
    var draw = source.stream(Streams.rule, 1_000)
    let count = draw.int(profile.name == "server" ? 2...5 : 1...3)
    return (0..<count).map { rule(UInt64($0)) }
  }

  /// What Apple's attribution API is told to answer, in series as it has them.
  func attributionRules() -> [ServerRule] {
    guard features.has(.attribution), features.has(.rules) else { return [] }
    var draw = source.stream(Streams.attribution, 2)
    return (0..<draw.int(0...2)).map { _ in
      var rule = ServerRule(host: .attribution)
      rule.first = draw.int(1...3)
      rule.count = draw.int(1...5)
      rule.answer.body = .empty
      switch draw.below(8) {
      case 0...3: rule.answer.status = 404
      case 4: rule.answer.status = draw.pick([400, 500, 503, 302, 429])
      case 5:
        rule.answer.body = draw.pick([.html, .garbage, .empty, .text("{}"), .text("[1]")])
      case 6: rule.answer.fault = draw.pick([.networkBlackHole, .networkResetAfter])
      default: rule.answer.body = .healthy
      }
      if draw.chance(1, in: 3) {
        rule.answer.delayMilliseconds = draw.pick([500, 4_000, 12_000, 19_000, 19_900, 25_000])
      }
      return rule
    }
  }

  private func rule(_ place: UInt64) -> ServerRule {
    var draw = source.stream(Streams.rule, place)
    if draw.chance(1, in: 6) { return configRule(&draw) }
    var rule = ServerRule(host: .collector)
    rule.first = draw.int(1...40)
    rule.count = draw.int(1...6)
    rule.answer.body = .empty
    switch draw.below(10) {
    case 0, 1: tooLarge(&rule, &draw)
    case 2: rule.answer.status = draw.pick([503, 503, 500, 502, 504, 408, 425])
    case 3, 4: pause(&rule, &draw)
    case 5: rule.answer.status = 401
    case 6:
      rule.answer.body = .rejecting(count: draw.int(1...5))
    case 7:
      rule.answer.body = .warning
    case 8:
      rule.answer.status = draw.pick([200, 202, 204, 400, 404, 302])
      rule.answer.body = draw.pick([.empty, .html, .garbage, .text("[]"), .text("{}")])
    default:
      rule.answer.fault = draw.pick([.networkResetAfter, .networkBlackHole, .networkTruncatedBody])
      rule.answer.body = .healthy
    }
    if draw.chance(1, in: 5) { rule.answer.delayMilliseconds = draw.within(100...25_000) }
    return rule
  }

  private func tooLarge(_ rule: inout ServerRule, _ draw: inout RandomStream) {
    rule.answer.status = 413
    rule.condition = .bodyLargerThan(bytes: draw.pick([1, 900, 2_000, 4_000, 8_000, 16_384]))
    rule.count = draw.int(1...30)
  }

  /// A request for a pause, in every form a server has for one.
  private func pause(_ rule: inout ServerRule, _ draw: inout RandomStream) {
    rule.answer.status = draw.pick([429, 429, 429, 503, 408])
    rule.count = draw.int(1...3)
    let seconds = draw.pick([0, 1, 2, 7, 30, 60, 90, 300, 3_600])
    // What the server takes for now: the true time somewhere in the run.
    let now = epochMilliseconds / 1_000 + duration.seconds(atThousandth: draw.within(0...999))
    var form = HTTPDateText.Form.fixed
    switch draw.below(12) {
    case 0...4: rule.answer.headers = [Numerals.text("Retry-After: ", seconds)]
    case 5:
      rule.answer.headers = [
        "Retry-After: "
          + draw.pick([
            "", "-5", "1.5", "3, 5", "soon", "1000000000000", "0x10", " 7 ", "+7",
            "99999999999999999999",
          ])
      ]
    case 6: rule.answer.headers = []
    case 7: form = .rfc850
    case 8: form = .asctime
    default: break
    }
    if rule.answer.headers.isEmpty {
      let until = draw.chance(1, in: 5) ? now - 3_600 : now + Int64(seconds)
      rule.answer.headers = [
        "Date: " + HTTPDateText.text(now, .fixed), "Retry-After: " + HTTPDateText.text(until, form),
      ]
    }
  }

  private func configRule(_ draw: inout RandomStream) -> ServerRule {
    var rule = ServerRule(host: .config)
    rule.first = draw.int(1...8)
    rule.count = draw.int(1...4)
    switch draw.below(5) {
    case 0: rule.answer.status = draw.pick([500, 404, 401, 302, 204])
    case 1: rule.answer.delayMilliseconds = draw.within(2_500...3_500)
    case 2: rule.answer.body = draw.pick([.empty, .html, .garbage, .text("[1]"), .text("null")])
    case 3: rule.answer.fault = draw.pick([.networkBlackHole, .networkResetAfter])
    default:
      rule.answer.body = .text("{\"consent\":{\"mode\":5},\"session\":{\"timeoutMinutes\":\"x\"}}")
    }
    return rule
  }
}
