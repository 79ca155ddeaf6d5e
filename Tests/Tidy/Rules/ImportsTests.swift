import Testing

/// Which target may import what: the borders of the house.
enum Imports {
  struct Border {
    var folder: String
    var modules: [String]
    /// Modules that must not be re-exported: only `internal import` is allowed.
    var internalOnly: [String] = []
  }

  private static let lab = [
    "SimKernel", "FuzzHistory", "FuzzScenario", "FuzzInvariants", "FuzzWorld", "FuzzProperty",
  ]

  /// The first border whose folder holds a file binds it.
  static let borders: [Border] = [
    Border(folder: "Sources/SimKernel/", modules: []),
    Border(folder: "Sources/SDK/Faces/", modules: ["SDK"]),
    Border(folder: "Sources/SDK/", modules: ["Foundation", "CZlib"], internalOnly: ["CZlib"]),
    Border(folder: "Sources/Fuzz/History/", modules: ["SimKernel"]),
    Border(
      folder: "Sources/Fuzz/Scenario/", modules: ["SimKernel", "FuzzHistory", "Foundation"]),
    Border(
      folder: "Sources/Fuzz/Invariants/",
      modules: ["SimKernel", "FuzzHistory", "Foundation", "CZlib"]),
    Border(
      folder: "Sources/Fuzz/World/",
      modules: ["SimKernel", "SDK", "FuzzHistory", "FuzzScenario", "FuzzInvariants", "Foundation"]),
    Border(folder: "Sources/Fuzz/Property/", modules: ["SimKernel"]),
    Border(folder: "Sources/Fuzz/Lab/", modules: lab + ["Foundation"]),
    Border(folder: "Sources/simlab/", modules: lab + ["Fuzz", "Foundation"]),
  ]

  static func check(_ file: SourceFile) -> [Violation] {
    guard file.path.hasPrefix("Sources/") else { return [] }
    guard let border = borders.first(where: { file.path.hasPrefix($0.folder) }) else {
      return [file.violation(0, "lies in no target's folder")]
    }
    return file.code.enumerated().compactMap { index, line in
      guard let (module, isInternal) = imported(line) else { return nil }
      if !border.modules.contains(module) {
        return file.violation(index + 1, "\(border.folder) must not import \(module)")
      }
      if border.internalOnly.contains(module) && !isInternal {
        return file.violation(index + 1, "\(module) must be an internal import here")
      }
      return nil
    }
  }

  /// The module that a line imports, as in `@testable public import struct Module.Name`.
  private static func imported(_ line: String) -> (module: String, isInternal: Bool)? {
    let words = line.split(separator: " ")
    guard let place = words.firstIndex(of: "import"), place + 1 < words.count else { return nil }
    let modifiers = ["public", "package", "internal", "fileprivate", "private"]
    guard words[..<place].allSatisfy({ $0.hasPrefix("@") || modifiers.contains(String($0)) })
    else { return nil }
    let kinds = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
    let isKind = kinds.contains(String(words[place + 1])) && place + 2 < words.count
    let name = words[isKind ? place + 2 : place + 1]
    return (String(name.prefix { $0 != "." }), words[..<place].contains("internal"))
  }
}

@Suite struct ImportsTests {
  @Test func theSourcesKeepTheBorders() {
    expectNone(Repository.sources.flatMap(Imports.check))
  }

  @Test func aForeignImportFires() {
    for border in Imports.borders {
      for line in ["import Glibc", "@testable import Glibc", "public import struct Glibc.timeval"] {
        let file = planted("// why\n\(line)\n", at: border.folder + "Planted.swift")
        #expect(Imports.check(file).map(\.line) == [2], "\(border.folder) \(line)")
      }
    }
  }

  @Test func invariantsNeverSeeTheSDK() {
    let file = planted("import SDK", at: "Sources/Fuzz/Invariants/Rules/Planted.swift")
    #expect(Imports.check(file).map(\.line) == [1])
  }

  @Test func theKernelHasNoFoundation() {
    #expect(Imports.check(planted("import Foundation")).map(\.line) == [1])
  }

  @Test func zlibStaysInside() {
    let path = "Sources/SDK/Transport/Planted.swift"
    #expect(Imports.check(planted("import CZlib", at: path)).count == 1)
    #expect(Imports.check(planted("internal import CZlib", at: path)).isEmpty)
  }

  @Test func aFileOutsideEveryTargetFires() {
    #expect(Imports.check(planted("", at: "Sources/Other/Planted.swift")).count == 1)
  }

  @Test func allowedImportsAndOtherLinesAreNoAlarm() {
    let file = planted(
      "import SimKernel\n// import Glibc\nlet x = \"import Glibc\"\nimportant()\n",
      at: "Sources/Fuzz/World/Planted.swift")
    #expect(Imports.check(file).isEmpty)
  }

  /// No dependencies beyond the system's zlib (API-32, LAB-18).
  @Test func theManifestHasNoPackageDependency() throws {
    let manifest = try #require(Repository.swiftFiles.first { $0.path == "Package.swift" })
    expectNone(Manifest.check(manifest))
    let bad = planted("let a = 1\n.package(url: \"x\", from: \"1.0.0\"),", at: "Package.swift")
    #expect(Manifest.check(bad).map(\.line) == [2])
    let flags = planted(".unsafeFlags([\"-Ounchecked\"])", at: "Package.swift")
    #expect(Manifest.check(flags).map(\.line) == [1])
    let allowed = planted(Manifest.allowedFlags, at: "Package.swift")
    #expect(Manifest.check(allowed).isEmpty)
    let always = planted(".unsafeFlags([\"-enforce-exclusivity=unchecked\"])", at: "Package.swift")
    #expect(Manifest.check(always).map(\.line) == [1])
  }
}

/// What the manifest may not hold.
enum Manifest {
  /// What the lab's targets have in release; no product for apps contains them.
  static let allowedFlags =
    ".unsafeFlags([\"-enforce-exclusivity=unchecked\"], .when(configuration: .release))"

  static func check(_ file: SourceFile) -> [Violation] {
    [".package(", ".unsafeFlags", ".binaryTarget", ".plugin("].flatMap { token in
      file.occurrences(of: token).filter { !file.lines[$0.line - 1].contains(allowedFlags) }
        .map { file.violation($0.line, "\(token) is not allowed") }
    }
  }
}
