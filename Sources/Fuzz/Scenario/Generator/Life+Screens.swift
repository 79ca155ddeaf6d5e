import FuzzHistory
import SimKernel

/// Screens: controllers that appear, and more calls of `screen` than a life has otherwise.
extension Life {
  mutating func addScreens() {
    guard features.has(.screens) else { return }
    let isMain = profile.name == Profile.screens.name
    for index in visits.indices {
      var draw = source.stream(Streams.screens, UInt64(index))
      guard isMain || draw.chance(1, in: 3) else { continue }
      appear(index, isMain ? draw.int(2...9) : draw.int(1...3), &draw)
      if isMain { callScreens(index, &draw) }
      if !profile.isCalm { appearOutside(index, isMain, &draw) }
    }
  }

  /// Controllers in one visit: the first while the app may still wait for its config.
  private mutating func appear(_ index: Int, _ count: Int, _ draw: inout RandomStream) {
    let visit = visits[index]
    var now = visit.start + draw.within(20...600)
    var newest: [ViewController] = []
    for _ in 0..<count {
      guard now < visit.end - 1_000 else { return }
      // The same one comes again, as after a sheet over it.
      if newest.isEmpty || !draw.chance(1, in: 5) { newest = ControllerMaker.group(&draw) }
      add(now, .appear(newest))
      now += draw.pick([0, 30, 700, 4_000, 20_000, 90_000]) + draw.within(1...2_000)
    }
  }

  private mutating func callScreens(_ index: Int, _ draw: inout RandomStream) {
    let visit = visits[index]
    var now = visit.start + draw.within(0...2_000)
    for place in 0..<draw.int(0...6) {
      guard now < visit.end - 1_000 else { return }
      let number = Int64(200_000 + index * 100 + place)
      let name = draw.pick(["Home", "Cart", "Help", "Détail"])
      var properties = [PropertyEntry("n", .int(number))]
      if draw.chance(1, in: 4) { properties.append(PropertyEntry("path", .string("/shop/cart"))) }
      if draw.chance(1, in: 9) {
        properties.append(PropertyEntry("pageview_id", .string("mine")))
      }
      add(
        now,
        .call(thread: UInt16(draw.below(threads)), .screen(name: name, properties: properties)))
      now += draw.pick([0, 1, 900, 5_000, 30_000]) + draw.within(0...800)
      if draw.chance(1, in: 12) { add(now, .call(thread: 0, .reset)) }
    }
  }

  /// What appears, or is called, while nobody sees it: on the way out, and in the background.
  private mutating func appearOutside(_ index: Int, _ isMain: Bool, _ draw: inout RandomStream) {
    let visit = visits[index]
    if draw.chance(1, in: isMain ? 5 : 12) {
      add(visit.end + draw.within(0...600), .appear(ControllerMaker.group(&draw)))
    }
    guard isMain, visit.next - visit.end > 400_000, draw.chance(1, in: 4) else { return }
    // A push, early or after the end of the session, whose handler shows something.
    let push = visit.end + draw.within(60_000...visit.next - visit.end - 200_000)
    add(push, .launch(.background))
    add(push + draw.within(100...2_500), .appear(ControllerMaker.group(&draw)))
    guard draw.chance(1, in: 2) else { return }
    let number = Int64(200_090 + index * 100)
    add(
      push + draw.within(100...3_000),
      .call(thread: 0, .screen(name: "Push", properties: [PropertyEntry("n", .int(number))])))
  }
}
