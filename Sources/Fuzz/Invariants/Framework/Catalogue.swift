extension Judge {
  /// A fresh instance of every invariant, in the order of their ids. A new invariant is one line here.
  public static func makeInvariants() -> [Invariant] {
    [
      INV01()
    ]
  }
}
