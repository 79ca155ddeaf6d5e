import FuzzHistory
import SimKernel

/// The life of a device: visits of the user, what happens between them, and what the app calls.
///
/// All times are milliseconds since the start of the run.
struct Life {
  /// Something that will happen; `order` is where it belongs among the actions of one moment.
  struct Draft {
    var order: Int64
    var moment: Moment
    var kind: ActionKind
  }

  let source: Randomness
  let profile: Profile
  let features: FeatureSet
  let caller: CallMaker
  let startsWithAnalytics: Bool
  var start: AppStart?
  var drafts: [Draft] = []
  /// Faults that belong to what happens, beside those that are drawn for the whole run.
  var faults: [FaultSetting] = []
  var durationMilliseconds: Int64 = 0
  var visits: [Visit] = []
  /// The newest choice was a withdrawal.
  var hasWithdrawn = false
  /// How many visits of eight are followed by the end of the process.
  let endsInEight: UInt64
  let callsPerVisit: UInt64
  let threads: UInt64

  static let callsPerVisitBound = 96
  static let visitBound = 60
  static let burstBound = 12
  static let burstSize = 260
  static let heavyBurstSize = 24

  init(
    source: Randomness, profile: Profile, features: FeatureSet, start: AppStart,
    startsWithAnalytics: Bool, days: Int?
  ) {
    self.source = source
    self.profile = profile
    self.features = features
    self.start = start
    self.startsWithAnalytics = startsWithAnalytics
    var draw = source.stream(Streams.shape, 0)
    let canaryOffset = Int(draw.below(UInt64(CanaryWords.count)))
    let hostileOneIn = draw.pick([4, 10, 25] as [UInt64])
    caller = CallMaker(
      source: source, mix: CallMix(source), hostileOneIn: features.has(.hostile) ? hostileOneIn : 0,
      hasBadIds: features.has(.badIds), isCalm: profile.isCalm, canaryOffset: canaryOffset)
    let ends = draw.pick([3, 4, 5, 5, 6, 7] as [UInt64])
    endsInEight = features.has(.kills) ? ends : 2
    callsPerVisit = draw.pick([5, 6, 7, 8, 10])
    threads = draw.pick([1, 3, 5, 8])
    drafts.reserveCapacity(700)
    plan(days: days)
  }

  mutating func live(epochMilliseconds: Int64, screen: ScreenSize) {
    for index in 0..<visits.count { visit(index) }
    addBursts()
    addLinks()
    addClock(epochMilliseconds: epochMilliseconds)
    addPlaces()
    addDeaths()
    addDamage()
    addOddLoads()
    addLocks()
    addReboots(epochMilliseconds: epochMilliseconds)
    addPowerLosses()
    addInstalls()
    addDrift()
    addScenes()
    addDecisions()
    addExtensions()
    addScreens()
    addCrashes()
    addHangs()
    addOverruns()
    addTracking()
    addDevices()
    addResizes(of: screen)
  }

  mutating func add(_ instant: Int64, _ kind: ActionKind) {
    drafts.append(Draft(order: instant, moment: .at(.milliseconds(instant)), kind: kind))
  }

  /// An action on a world event; `near` is about when that will be.
  mutating func add(_ trigger: Trigger, near: Int64, _ kind: ActionKind) {
    drafts.append(Draft(order: near, moment: .after(trigger), kind: kind))
  }

  /// The actions in the order in which they are expected, numbered from 1.
  func actions() -> [Action] {
    var keys: [(order: Int64, place: Int)] = []
    keys.reserveCapacity(drafts.count)
    for (place, draft) in drafts.enumerated() { keys.append((draft.order, place)) }
    keys.sort { $0.order < $1.order || ($0.order == $1.order && $0.place < $1.place) }
    var actions: [Action] = []
    actions.reserveCapacity(keys.count)
    for key in keys {
      let draft = drafts[key.place]
      actions.append(
        Action(id: UInt32(actions.count + 1), moment: draft.moment, kind: draft.kind))
    }
    return actions
  }
}
