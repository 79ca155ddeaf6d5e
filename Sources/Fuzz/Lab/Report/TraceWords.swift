import FuzzHistory
import FuzzWorld
import SimKernel

/// Names for the numbers in a trace.
public enum TraceWords {
  /// Kinds from here on are facts of the history; below are events of the kernel.
  private static let firstFact: UInt16 = 256

  /// The kind of an entry.
  public static func kind(_ kind: UInt16) -> String {
    if kind >= firstFact {
      let place = Int(kind - firstFact)
      return place < factNames.count ? factNames[place] : "kind \(kind)"
    }
    switch kind {
    case Device.EventKind.queueWake: return "queue wake"
    case Device.EventKind.timer: return "timer"
    case Device.EventKind.lifecycle: return "lifecycle"
    case Device.EventKind.network: return "network"
    case World.EventKind.action: return "action"
    case World.EventKind.start: return "app start"
    case World.EventKind.death: return "death"
    default: return "world event \(kind)"
    }
  }

  /// An actor of the kernel.
  public static func actor(_ actor: UInt32) -> String {
    switch actor {
    case 0x4000_0000...0x7fff_ffff: return "exchange \(actor & 0x3fff_ffff)"
    case 0x1000: return "main"
    case 0x1001..<0x2000: return "queue \(actor - 0x1000)"
    case UInt32.max: return "world"
    case 0x100..<0x1000: return "thread \(actor - 0x100)"
    case 1: return "lifecycle"
    case 2: return "scenario"
    case 3: return "device"
    default: return "actor \(actor)"
    }
  }

  /// The actor of an entry: facts name their process, events of the kernel their actor.
  static func actor(_ actor: UInt32, isFact: Bool) -> String {
    isFact && actor < 0x1000 ? "process \(actor)" : self.actor(actor)
  }

  /// Whether a name of a kind is that of a fact.
  static func isFact(_ kind: String) -> Bool { factNames.contains(kind) }

  private static let factNames: [String] = FactKind.allCases.map { "\($0)" }

  /// An actor without its number, the same in every run.
  public static func actorClass(_ actor: UInt32) -> String {
    String(self.actor(actor).prefix { $0 != " " })
  }
}
