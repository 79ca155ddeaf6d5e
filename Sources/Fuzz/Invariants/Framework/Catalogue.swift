extension Judge {
  /// A fresh instance of every invariant, in the order of their ids. A new invariant is one line
  /// here.
  public static func makeInvariants() -> [Invariant] {
    [
      INV01(),
      INV02(),
      INV03(),
      INV04(),
      INV05(),
      INV06(),
      INV07(),
      INV08(),
      INV09(),
      INV10(),
      INV11(),
      INV12(),
      INV13(),
      INV14(),
      INV15(),
      INV16(),
      INV17(),
      INV18(),
      INV19(),
      INV20(),
      INV28(),
      INV31(),
      INV33(),
      INV89(),
    ]
  }
}
