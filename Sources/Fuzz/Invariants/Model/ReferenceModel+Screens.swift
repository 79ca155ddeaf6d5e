import Foundation
import FuzzHistory
import SimKernel

/// Screen views, what is told when they are left, and screens of controllers that appear (SCR).
extension ReferenceModel {
  // MARK: What happens

  /// A controller has appeared.
  func takeAppearance(
    _ bytes: ByteSlice, _ continuous: Int64, _ record: Record, _ context: JudgeContext
  ) {
    let index = Int(record.process)
    guard index >= 0, index < processes.count, let controller = controller(bytes) else { return }
    switch processes[index].stage {
    case .fresh, .refused: return
    case .loading, .started: break
    }
    let anchored = processes[index].anchoredTime(continuous: continuous)
    appearances.append(
      Appearance(
        process: record.process, milliseconds: millisecondsFloor(anchored),
        names: ControllerRules.names(controller)))
    guard processes[index].options.tracksScreens, let name = ControllerRules.screen(controller)
    else { return }
    advanceOccurrence()
    moment = readMoment(continuous, record, context)
    processes[index].shownPath = "/" + name
    automaticNames.append(name)
    let screen = Int32(automaticNames.count - 1)
    if processes[index].stage == .started {
      showAutomatic(screen, index, record, context)
    } else {
      _ = processes[index].hold(
        HeldItem(kind: .appearance(screen), message: -1, continuous: continuous, moment: moment))
    }
  }

  /// The controller that a fact tells of.
  public func controller(_ bytes: ByteSlice) -> ViewController? {
    (try? JSONValue.parse(arena.slice(bytes))).flatMap { ViewController($0) }
  }

  /// Before `load` nobody hears of the app's life: it is taken to be where `load` meets it.
  func beginScreens(_ index: Int) {
    processes[index].screens = ScreenModel()
    if !processes[index].options.tracksScreens {
      // What appeared meanwhile was no screen.
      processes[index].shownPath = processes[index].ownPath
    }
    for item in processes[index].held {
      if case .lifecycle(.load(isForeground: true)) = item.kind {
        processes[index].screens.enter(at: .min)
      }
    }
  }

  // MARK: Views

  /// The app's own screen.
  func showScreen(
    _ message: Int, _ name: String, _ properties: [PropertyEntry], _ index: Int, _ record: Record,
    _ context: JudgeContext
  ) {
    endView(index, record, context)
    enqueue(message, index, record, context)
    processes[index].screens.automatic = -1
    beginView(message, ReferenceModel.path(name, properties), index)
  }

  func showAutomatic(_ screen: Int32, _ index: Int, _ record: Record, _ context: JudgeContext) {
    guard processes[index].options.tracksScreens else { return }
    endView(index, record, context)
    let message = Int(add(.automaticScreen(screen), .screen, 0, index, moment))
    enqueue(message, index, record, context)
    processes[index].screens.automatic = screen
    beginView(message, "/" + automaticNames[Int(screen)], index)
  }

  /// A view is timed if analytics is on when it begins (S-31, OPT-27).
  private func beginView(_ message: Int, _ path: String, _ index: Int) {
    guard processes[index].analytics, processes[index].options.timesScreens else { return }
    processes[index].screens.view = ScreenModel.View(
      pageview: messages[message].pageview, path: path, start: messages[message].continuous)
  }

  /// The view that shows is over now (SCR-03, S-54).
  func endView(_ index: Int, _ record: Record, _ context: JudgeContext) {
    tellLeave(isFinal: true, at: moment.continuous, index, record, context)
    processes[index].screens.view = nil
  }

  /// Says what there is to say of the view that shows.
  private func tellLeave(
    isFinal: Bool, at continuous: Int64, _ index: Int, _ record: Record, _ context: JudgeContext,
    asOfBackground: Bool = false
  ) {
    let screens = processes[index].screens
    guard let view = screens.view else { return }
    var leave = ExpectedLeave(
      pageview: view.pageview, path: view.path,
      activeMilliseconds: millisecondsFloor(
        screens.foregroundTime(from: view.start, to: continuous)),
      totalMilliseconds: millisecondsFloor(continuous - view.start), isFinal: isFinal,
      isFromForeground: !asOfBackground && processes[index].sessionModel.idleSince == nil)
    if asOfBackground, screens.backgroundSession >= 0,
      screens.backgroundSession != processes[index].session
    {
      leave.session = screens.backgroundSession
    }
    leaves.append(leave)
    // Before what ends the view.
    var own = moment
    own.occurrence -= 1
    own.continuous = continuous
    let message = add(.screenLeave(Int32(leaves.count - 1)), .track, 0, index, own)
    messages[Int(message)].pageview = view.pageview
    enqueue(Int(message), index, record, context)
  }

  // MARK: The app's life

  /// The app comes to the foreground, which may begin a session: what is on display by itself is
  /// left in the old one, as of the background entry (S-04).
  /// - Returns: the automatic screen that is to be shown again, or -1.
  func enterForegroundWithScreens(
    _ index: Int, _ continuous: Int64, _ record: Record, _ context: JudgeContext
  ) -> Int32 {
    let isOver = processes[index].sessionModel.isOver(at: continuous)
    let automatic = processes[index].screens.automatic
    if isOver, automatic >= 0, let view = processes[index].screens.view {
      let entry = processes[index].screens.backgroundEntry ?? view.start
      tellLeave(
        isFinal: true, at: max(entry, view.start), index, record, context, asOfBackground: true)
      processes[index].screens.view = nil
    }
    processes[index].screens.enter(at: continuous)
    return isOver ? automatic : -1
  }

  /// The app goes to the background: the view is paused (SCR-04).
  func enterBackgroundWithScreens(
    _ index: Int, _ continuous: Int64, _ record: Record, _ context: JudgeContext
  ) {
    if processes[index].screens.isForeground {
      tellLeave(isFinal: false, at: continuous, index, record, context)
      processes[index].screens.leave(at: continuous)
      processes[index].screens.backgroundEntry = continuous
    }
    processes[index].screens.backgroundSession = processes[index].session
  }

  /// Shows what is on display by itself once more (SCR-15).
  func showAgain(_ screen: Int32, _ index: Int, _ record: Record, _ context: JudgeContext) {
    guard screen >= 0 else { return }
    // After the `$app_open` of the same return.
    let returned = moment
    moment.occurrence += 1
    showAutomatic(screen, index, record, context)
    moment = returned
  }

  // MARK: Content

  /// The path of a screen (API-18, API-19).
  static func path(_ name: String, _ properties: [PropertyEntry]) -> String {
    shownPath(.screen(name: name, properties: properties)) ?? ""
  }

  /// Writes the properties of `$pageleave`.
  func writeLeaveProperties(_ index: Int, _ leave: ExpectedLeave) {
    buffer.add("{\"active_ms\":")
    buffer.add(number: leave.activeMilliseconds)
    buffer.add(leave.isFinal ? ",\"final\":true" : ",\"final\":false")
    buffer.add(",\"pageview_id\":\"")
    messages[index].pageviewHole = buffer.addHole()
    buffer.add("\",\"path\":")
    buffer.addString(leave.path)
    buffer.add(",\"total_ms\":")
    buffer.add(number: leave.totalMilliseconds)
    buffer.bytes.append(0x7d)
  }

  /// Fills the hole of a view's id, where that is known.
  /// - Returns: whether it is known.
  @discardableResult
  func fillPageview(_ index: Int) -> Bool {
    let view = Int(messages[index].pageview)
    guard messages[index].pageviewHole >= 0, view >= 0, pageviews[view].count == 36 else {
      return false
    }
    pageviews[view].withUnsafeBytes { fill(messages[index].pageviewHole, with: $0) }
    return true
  }

  /// Learns the id of a view from the first message with it.
  /// - Returns: false if it is no random UUID.
  func bindPageview(_ index: Int, _ value: ByteSlice) -> Bool {
    if fillPageview(index) { return true }
    let bytes = arena.slice(value)
    guard UUIDText.isRandom(bytes) else { return false }
    pageviews[Int(messages[index].pageview)] = Array(bytes)
    fillPageview(index)
    return true
  }

  // MARK: Asking

  /// Whether bytes inside quotes are a text.
  private static func isWritten(_ bytes: UnsafeRawBufferPointer, as text: String) -> Bool {
    var written = MessageBuffer()
    written.addString(text)
    return written.bytes.dropFirst().dropLast().elementsEqual(bytes)
  }

  /// A process as far as its screens go; nil for an unknown one.
  func screenOptions(_ process: Int32) -> ResolvedOptions? {
    let index = Int(process)
    guard index >= 0, index < processes.count else { return nil }
    switch processes[index].stage {
    case .fresh, .refused: return nil
    case .loading, .started: return processes[index].options
    }
  }

  /// Whether a view that begins now in a started process is timed.
  func timesViews(_ process: Int32) -> Bool {
    let index = Int(process)
    guard index >= 0, index < processes.count else { return false }
    return processes[index].analytics && processes[index].options.timesScreens
  }

  /// Whether something of a time may have been made by a process, which began at its first call.
  func isOfProcess(_ process: Int32, milliseconds: Int64) -> Bool {
    let index = Int(process)
    guard index >= 0, index < processes.count, let anchor = processes[index].anchorWall else {
      return false
    }
    return milliseconds >= millisecondsFloor(anchor)
  }

  func leave(of message: ExpectedMessage) -> ExpectedLeave? {
    if case .screenLeave(let leave) = message.cause { return leaves[Int(leave)] }
    return nil
  }

  /// Whether a screen that no call explains tells of a controller that appeared then.
  func isOfController(_ fields: MessageFields) -> Bool {
    let time = Timestamps.milliseconds(arena.slice(fields.timestamp))
    let name = arena.slice(fields.name)
    return arena.slice(fields.type).elementsEqual("screen".utf8)
      && appearances.contains { appearance in
        appearance.milliseconds == time
          && appearance.names.contains { ReferenceModel.isWritten(name, as: $0) }
      }
  }
}
