import FuzzHistory
import SimKernel

/// What happens while a process dies, in words.
enum CrashWords {
  static func tell(_ fact: Fact, _ history: History) -> String? {
    switch fact {
    case .crashed(let kind, let thread, let threadName, let name, let reason, _, let isOverflow, _):
      let place = thread == 0 ? "the main thread" : "thread \(thread)"
      let called = threadName.count == 0 ? "" : " (\(history.text(threadName)))"
      guard kind == .exception else {
        let why = isOverflow ? ", its stack being full" : ""
        return "** \(word(of: kind)) strikes \(place)\(called)\(why)"
      }
      return "** nobody catches \(history.text(name)) on \(place)\(called): "
        + CallWords.quoted(history.text(reason))
    case .crashHandlerRan(let reporter, let isSignal):
      let what = isSignal ? "signal" : "exception"
      switch reporter {
      case .earlier: return "   an earlier crash reporter handles the \(what)"
      case .sdk: return "   the SDK handles the \(what)"
      case .later: return "   a later crash reporter handles the \(what) and passes it on"
      }
    case .crashHandlersInstalled: return "the SDK hears of crashes from now on"
    case .portEnteredInHandler(let port):
      return "! the handler of a signal enters the \(FactWords.spaced(port)) port"
    default: return nil
    }
  }

  private static func word(of kind: CrashKind) -> String { kind.signalName ?? "an exception" }
}
