import Testing

/// Where things stand: folders, the SDK's lock, a test file for every invariant.
enum Layout {
  /// Files of the SDK that name the lock.
  static func locks(_ files: [SourceFile]) -> [Violation] {
    let tokens = ["NSLock", "NSRecursiveLock", "os_unfair_lock", "pthread_mutex_t", "NSCondition"]
    let places = files.filter { $0.path.hasPrefix("Sources/SDK/") }.flatMap { file in
      tokens.flatMap { token in
        file.occurrences(of: token).map { file.violation($0.line, "\(token): one lock, one file") }
      }
    }
    let first = places.first { $0.message.hasPrefix("NSLock") }?.path
    return places.filter { $0.path != first || !$0.message.hasPrefix("NSLock") }
  }

  /// Rule files of invariants without a test file that names them.
  static func invariantsWithoutTest(rules: [String], tests: [SourceFile]) -> [Violation] {
    rules.compactMap { path in
      let name = String(path.split(separator: "/").last?.dropLast(".swift".count) ?? "")
      let hasTest = tests.contains {
        $0.path.hasSuffix("/\(name)Tests.swift") && $0.code.contains { $0.contains("@Test") }
      }
      if hasTest { return nil }
      return Violation(path: path, line: 0, message: "has no \(name)Tests.swift with a test in it")
    }
  }
}

@Suite struct LayoutTests {
  /// The shape of the repository (LAB-17).
  @Test func theTopLevelIsAsPromised() {
    for path in [
      "Package.swift", "README.md", "LICENSE", ".swift-format", ".gitignore", ".ci/run",
      "Sources/SimKernel", "Sources/SDK", "Sources/Fuzz", "Sources/simlab", "Tests", "seeds",
      "reports", "docs/verdicts.md", "docs/public-faults.md", "docs/design.md",
    ] {
      #expect(Repository.exists(path), "\(path) is missing")
    }
  }

  @Test func theSDKHasOneLock() {
    expectNone(Layout.locks(Repository.sources))
  }

  @Test func aSecondLockFires() {
    let first = planted("let a = NSLock()", at: "Sources/SDK/Client/State.swift")
    let second = planted("\nlet b = NSLock()", at: "Sources/SDK/Storage/Planted.swift")
    let other = planted("let c: os_unfair_lock", at: "Sources/SDK/Client/State.swift")
    #expect(Layout.locks([first]).isEmpty)
    #expect(Layout.locks([first, second]).map(\.description).count == 1)
    #expect(Layout.locks([first, second]).first?.path == second.path)
    #expect(Layout.locks([first, second]).first?.line == 2)
    #expect(Layout.locks([other]).count == 1)
  }

  @Test func everyInvariantHasATestFile() {
    let rules = Repository.paths(below: "Sources/Fuzz/Invariants/Rules")
    let tests = Repository.swiftFiles.filter { $0.path.hasPrefix("Tests/") }
    expectNone(Layout.invariantsWithoutTest(rules: rules, tests: tests))
  }

  @Test func anInvariantWithoutTestFires() {
    let rules = [
      "Sources/Fuzz/Invariants/Rules/INV01.swift", "Sources/Fuzz/Invariants/INV02.swift",
    ]
    let tests = [
      planted("@Test func a() {}", at: "Tests/Fuzz/Invariants/INV01Tests.swift"),
      planted("// nothing", at: "Tests/Fuzz/Invariants/INV02Tests.swift"),
    ]
    #expect(Layout.invariantsWithoutTest(rules: rules, tests: tests).map(\.path) == [rules[1]])
  }
}
