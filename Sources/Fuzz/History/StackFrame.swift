/// One frame of a call stack as a debugger would name it.
public struct StackFrame: Hashable, Sendable {
  /// The binary that the code is in.
  public var image: String
  /// The function; empty where the platform knows none.
  public var symbol: String

  public init(_ image: String, _ symbol: String) {
    self.image = image
    self.symbol = symbol
  }
}
