extension Judge {
  /// A fresh instance of every invariant, in the order of their ids. A new invariant is one line here.
  public static func makeInvariants() -> [Invariant] {
    [
      INV01(),
      INV04(),
      INV05(),
      INV07(),
      INV08(),
      INV09(),
      INV12(),
      INV14(),
      INV15(),
      INV16(),
      INV28(),
      INV31(),
    ]
  }
}
