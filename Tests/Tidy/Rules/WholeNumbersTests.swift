import Testing

/// No floating point and no libm where runs are decided: kernel and generators (determinism rule
/// 2).
enum WholeNumbers {
  /// Files that name a floating-point type for another purpose than deciding anything.
  static let allowed: [(path: String, reason: String)] = [
    ("Sources/SimKernel/Kernel/Instant.swift", "seconds for people and reports"),
    (
      "Sources/Fuzz/Property/BasicGenerators.swift", "makes doubles from drawn bits, as test values"
    ),
  ]

  private static let tokens = [
    "Double", "Float", "CGFloat", "Float32", "Float80", "TimeInterval", "Decimal", "sqrt(", "pow(",
    "log(", "exp(", "sin(", "cos(", "floor(", "ceil(", "round(", ".rounded(",
  ]

  static func check(_ file: SourceFile) -> [Violation] {
    let binds =
      file.path.hasPrefix("Sources/SimKernel/")
      || file.path.hasPrefix("Sources/Fuzz/Scenario/Generator")
      || file.path.hasPrefix("Sources/Fuzz/Property/")
    if !binds || allowed.contains(where: { $0.path == file.path }) { return [] }
    return tokens.flatMap { token in
      file.occurrences(of: token).map {
        file.violation($0.line, "\(token): whole numbers and ratios only")
      }
    }
  }
}

@Suite struct WholeNumbersTests {
  @Test func kernelAndGeneratorsUseWholeNumbers() {
    expectNone(Repository.sources.flatMap(WholeNumbers.check))
  }

  @Test func aFloatingPointNumberFires() {
    for line in ["let a: Double = 1", "let a = Float(2)", "let b = pow(a, 2)", "x.rounded()"] {
      for path in [
        "Sources/SimKernel/Planted.swift", "Sources/Fuzz/Scenario/Generator/Planted.swift",
      ] {
        #expect(WholeNumbers.check(planted("\n" + line, at: path)).map(\.line) == [2], "\(line)")
      }
      #expect(WholeNumbers.check(planted(line, at: "Sources/Fuzz/Lab/Planted.swift")).isEmpty)
    }
  }

  @Test func everyListedFileStillExists() {
    for (path, _) in WholeNumbers.allowed { #expect(Repository.exists(path), "\(path) is gone") }
  }
}
