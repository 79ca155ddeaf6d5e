/// The command was called in a way it does not understand.
struct UsageError: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}

/// What the process says to its caller.
enum ExitStatus: Int32 {
  case nothingFound = 0
  case finding = 1
  case incomplete = 2
  case nonDeterminism = 3
  case wrongInput = 64
  case labFailure = 70
}
