import SimKernel

/// The named streams of generation. Each draws on its own, so that a change in one family of
/// choices leaves all others as they were.
enum Streams {
  static let feature = StreamName("generate.feature")
  static let shape = StreamName("generate.shape")
  static let visit = StreamName("generate.visit")
  static let after = StreamName("generate.after_visit")
  static let call = StreamName("generate.call")
  static let pair = StreamName("generate.pair")
  static let consent = StreamName("generate.consent")
  static let mix = StreamName("generate.mix")
  static let option = StreamName("generate.option")
  static let config = StreamName("generate.config")
  static let device = StreamName("generate.device")
  static let timing = StreamName("generate.timing")
  static let link = StreamName("generate.link")
  static let clock = StreamName("generate.clock")
  static let locale = StreamName("generate.locale")
  static let kill = StreamName("generate.kill")
  static let damage = StreamName("generate.damage")
  static let burst = StreamName("generate.burst")
  static let load = StreamName("generate.load")
  static let fault = StreamName("generate.fault")
  static let rule = StreamName("generate.rule")
  static let lock = StreamName("generate.lock")
  static let power = StreamName("generate.power")
  static let install = StreamName("generate.install")
  static let drift = StreamName("generate.drift")
  static let scene = StreamName("generate.scene")
  static let decision = StreamName("generate.decision")
  static let run = StreamName("generate.run")
}
