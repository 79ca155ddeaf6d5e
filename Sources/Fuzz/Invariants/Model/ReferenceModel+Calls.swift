import FuzzHistory
import SimKernel

/// The fold over the host calls.
extension ReferenceModel {
  func begin(
    _ call: UInt32, _ thread: UInt16, _ wall: Int64, _ continuous: Int64, _ record: Record,
    _ context: JudgeContext
  ) {
    openCallMessage = -1
    advanceOccurrence()
    let index = Int(record.process)
    guard index >= 0, index < processes.count, Int(call) < history.calls.count else { return }
    if processes[index].anchorWall == nil {
      processes[index].anchorWall = wall
      processes[index].anchorContinuous = continuous
    }
    let hostCall = history.calls[Int(call)]
    moment = readMoment(continuous, record, context)
    switch hostCall {
    case .load(let writeKey, let options):
      load(writeKey, options, index, continuous, record, context)
      return
    case .flush, .getAnonymousId, .getContext: return
    default: break
    }
    let type = ReferenceModel.type(of: hostCall)
    if let path = ReferenceModel.shownPath(hostCall),
      !ReferenceModel.isRefusedByArguments(hostCall)
    {
      processes[index].shownPath = path
      processes[index].ownPath = path
    }
    if ReferenceModel.isRefusedByArguments(hostCall) {
      if type != nil { refusedCalls.append(call) }
      return
    }
    var message: Int32 = -1
    if let type {
      if processes[index].lifecycle.firstMessageContinuous == nil {
        processes[index].lifecycle.firstMessageContinuous = continuous
      }
      message = add(type, hostCall, call, thread, continuous, record, context)
      openCallMessage = message
    }
    switch processes[index].stage {
    case .refused:
      if message >= 0 { lose(Int(message), .refused, record.instant) }
    case .started: process(hostCall, message, index, continuous, record, context)
    case .fresh, .loading:
      let held = HeldItem(
        kind: .call(call), message: message, continuous: continuous, moment: moment)
      if let evicted = processes[index].hold(held), evicted >= 0 {
        lose(Int(evicted), .holdOverflow, record.instant)
      }
    }
  }

  /// One more thing has happened. Between two of them there is room for what the first one makes
  /// beside its own message.
  func advanceOccurrence() { occurrences += 4 }

  /// The last place in the order that anything known by now can have.
  var newestOccurrence: Int64 { occurrences + 1 }

  static func type(of call: HostCall) -> MessageType? {
    switch call {
    case .track: return .track
    case .screen: return .screen
    case .identify: return .identify
    case .group: return .group
    case .alias: return .alias
    default: return nil
    }
  }

  /// Whether the arguments alone refuse a call (API-11, ID-12, S-12, S-52, S-112).
  static func isRefusedByArguments(_ call: HostCall) -> Bool {
    switch call {
    case .track(let event, _, _): return event.isEmpty || event.utf8.first == 0x24
    case .screen(let name, _): return name.isEmpty
    case .identify(let userId, let traits): return (userId ?? "").isEmpty && traits.isEmpty
    case .group(let groupId, _): return groupId.isEmpty
    case .alias(let userId, let previousId):
      guard !userId.isEmpty else { return true }
      guard let previousId else { return false }
      return sameBytes(userId, previousId)
    case .consent(let analytics, let marketing): return analytics == nil && marketing == nil
    default: return false
    }
  }

  /// Whether a caller's id is used as it is (API-12, S-07).
  static func isValidIdentifier(_ id: String) -> Bool {
    let bytes = id.utf8
    guard (1...100).contains(bytes.count) else { return false }
    return bytes.allSatisfy { $0 >= 0x21 && $0 <= 0x7e }
  }

  private func add(
    _ type: MessageType, _ hostCall: HostCall, _ call: UInt32, _ thread: UInt16,
    _ continuous: Int64, _ record: Record, _ context: JudgeContext
  ) -> Int32 {
    let index = add(.call(call), type, thread, continuous, record, context)
    if case .track(_, _, let id?) = hostCall, ReferenceModel.isValidIdentifier(id) {
      messages[Int(index)].hasCallersIdentifier = true
    }
    return index
  }

  /// Adds a message that is due, with everything that belongs to the instant of its cause.
  func add(
    _ cause: MessageCause, _ type: MessageType, _ thread: UInt16, _ continuous: Int64,
    _ record: Record, _ context: JudgeContext
  ) -> Int32 {
    add(cause, type, thread, Int(record.process), readMoment(continuous, record, context))
  }

  /// What the SDK reads at the instant of a call.
  func readMoment(_ continuous: Int64, _ record: Record, _ context: JudgeContext) -> CauseMoment {
    CauseMoment(
      instant: record.instant, continuous: continuous, occurrence: occurrences,
      network: context.processes.link ?? .wifi, locale: context.processes.locale,
      zone: context.processes.zone,
      screenSize: context.processes.screenSize ?? history.header.device.screenSize,
      isTrackingAuthorized: context.processes.tracking == .authorized)
  }

  /// Adds a message whose cause lies at a moment of a process.
  func add(
    _ cause: MessageCause, _ type: MessageType, _ thread: UInt16, _ process: Int,
    _ moment: CauseMoment
  ) -> Int32 {
    let anchored = processes[process].anchoredTime(continuous: moment.continuous)
    var message = ExpectedMessage(
      cause: cause, occurrence: moment.occurrence, process: Int32(process), thread: thread,
      type: type, callInstant: moment.instant,
      timestampMilliseconds: millisecondsFloor(anchored), continuous: moment.continuous,
      network: moment.network, locale: moment.locale, zone: moment.zone,
      screenSize: moment.screenSize)
    message.isTrackingAuthorized = moment.isTrackingAuthorized
    message.aging = AgingStamp(
      milliseconds: message.timestampMilliseconds, boot: processes[process].boot,
      continuous: moment.continuous)
    let index = Int32(messages.count)
    if type == .screen {
      message.pageview = Int32(pageviews.count)
      pageviews.append([])
    }
    messages.append(message)
    unsighted[Int(type.rawValue)].append(index)
    return index
  }

  /// `track` has returned: its id is known from now on.
  func finish(_ call: UInt32, _ hasValue: Bool, _ value: ByteSlice) {
    let message = openCallMessage
    openCallMessage = -1
    guard message >= 0, hasValue, messages[Int(message)].cause == .call(call),
      messages[Int(message)].type == .track
    else { return }
    know(Int(message), identifier: value)
  }

  /// Notes the id of a message.
  func know(_ index: Int, identifier: ByteSlice) {
    let hash = hashIdentifier(arena.slice(identifier))
    messages[index].identifier = identifier
    messages[index].identifierHash = hash
    messages[index].hasIdentifier = true
    messages[index].previousSameIdentifier = byIdentifier[hash]
    byIdentifier[hash] = Int32(index)
    if messages[index].identifierHole >= 0, identifier.count == 36 {
      fill(messages[index].identifierHole, with: arena.slice(identifier))
    }
  }

  /// Writes 36 known bytes over a hole.
  func fill(_ hole: Int, with bytes: UnsafeRawBufferPointer) {
    buffer.bytes.withUnsafeMutableBytes { target in
      UnsafeMutableRawBufferPointer(rebasing: target[hole..<hole + bytes.count]).copyMemory(
        from: bytes)
    }
  }

  // MARK: Load

  private func load(
    _ writeKey: String, _ options: HostOptions, _ index: Int, _ continuous: Int64,
    _ record: Record, _ context: JudgeContext
  ) {
    guard processes[index].stage == .fresh else { return }
    processes[index].options = ResolvedOptions(writeKey: writeKey, options: options)
    guard processes[index].options.isValid else {
      processes[index].stage = .refused
      for held in processes[index].held where held.message >= 0 && !held.isEvicted {
        lose(Int(held.message), .refused, record.instant)
      }
      processes[index].held = []
      return
    }
    processes[index].stage = .loading
    processes[index].hasToLoadQueue = true
    processes[index].lifecycle.load = moment
    processes[index].lifecycle.loadRunning = running(record.process, record, context)
    // What `load` itself makes goes before what it finds.
    advanceOccurrence()
    let event = LifecycleEvent.load(isForeground: processes[index].isForeground)
    happen(event, index, continuous, record, context)
  }

  /// The config is applied: the process starts, held calls are sealed in the order made.
  /// - Parameter body: the answer of the config service, nil if there was none.
  func start(_ record: Record, body: UnsafeRawBufferPointer?, _ context: JudgeContext) {
    let index = Int(record.process)
    loadQueue(record, context)
    processes[index].stage = .started
    processes[index].startedInstant = record.instant
    processes[index].startedRunning = running(record, context)
    if let body { processes[index].options.apply(config: body) }
    processes[index].hasToLoadQueue = false
    applyDecision(index)
    if !processes[index].marketing {
      processes[index].advertisingClosed = processes[index].firstOccurrence
    }
    adoptDormant(record, context)
    let now = running(record, context)
    adoptIdentity(index)
    adoptSession(index, now)
    if processes[index].analytics { noteConsent(index, true, now) }
    beginScreens(index)
    let held = processes[index].held
    processes[index].held = []
    adoptMarks(index)
    for item in held {
      moment = item.moment
      switch item.kind {
      case .call(let call):
        let hostCall = history.calls[Int(call)]
        if item.isEvicted {
          applyState(hostCall, index, item.continuous, record, context)
        } else {
          process(hostCall, item.message, index, item.continuous, record, context)
        }
      case .appearance(let screen): showAutomatic(screen, index, record, context)
      case .lifecycle(let event):
        process(event, item.message, index, item.continuous, record, context)
      }
    }
    // A consent that was held counts: what is sealed comes behind it.
    noteCrashesAtStart(index)
    doubtForHidden(index, context)
  }

  func setUser(_ userId: String, _ index: Int) {
    users.append(userId)
    processes[index].user = Int32(users.count - 1)
  }

  // MARK: Calls of a started process

  private func process(
    _ call: HostCall, _ message: Int32, _ index: Int, _ continuous: Int64, _ record: Record,
    _ context: JudgeContext
  ) {
    applyState(call, index, continuous, record, context)
    guard message >= 0 else { return }
    if case .alias(let userId, nil) = call, processes[index].user >= 0,
      sameBytes(userId, users[Int(processes[index].user)])
    {
      // Refused by state: nothing to link (S-12).
      lose(Int(message), .refused, record.instant)
      return
    }
    if case .screen(let name, let properties) = call {
      showScreen(Int(message), name, properties, index, record, context)
    } else {
      enqueue(Int(message), index, record, context)
    }
  }

  /// What a call changes beside yielding a message; evicted calls keep it (S-28).
  private func applyState(
    _ call: HostCall, _ index: Int, _ continuous: Int64, _ record: Record, _ context: JudgeContext
  ) {
    switch call {
    case .identify(let userId, _):
      if let userId, !userId.isEmpty {
        setUser(userId, index)
        processes[index].identityChanged = running(record, context)
      }
    case .reset:
      endView(index, record, context)
      processes[index].identityChanged = running(record, context)
      processes[index].anonymous = newDrawn()
      processes[index].user = -1
      beginSession(.reset, index, continuous, running(record, context))
    case .consent(let analytics, let marketing):
      decide(analytics, marketing, index, running(record, context), context)
      if let marketing { takeMarketing(marketing, index) }
      if let analytics {
        let hadAnalytics = processes[index].analytics
        processes[index].analytics = analytics
        noteConsent(index, analytics, running(record, context))
        if !analytics {
          processes[index].screens.view = nil
          withdrawFirstOpen(index, context)
          revoke(record, context)
        } else if !hadAnalytics {
          reportLaunch(index, moment, record, context)
        }
      }
    default: break
    }
  }
}

/// Whether two strings are the same bytes.
func sameBytes(_ left: String, _ right: String) -> Bool {
  left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8)
}
