import Foundation
import SimKernel

/// A copy of a package's sources with defects planted in it, built at one persistent path so that a
/// second build has little to do.
struct PlantedCopy {
  let root: String
  let folder: String
  private let manifest: String

  /// The build of the command in the copy.
  var program: String { folder + "/.build/release/simlab" }

  /// Prepares the copy of a package; its path follows from the package's.
  /// - Throws: `InputError` if the package has no manifest.
  init(of root: String) throws {
    self.root = root
    var hash = TraceHash(seed: 1)
    Array(root.utf8).withUnsafeBytes { hash.combine(bytes: $0) }
    let base = FileManager.default.temporaryDirectory.path
    folder = "\(base)/simlab-planted-\(Figures.hash(hash.value))"
    manifest = String(decoding: try InputFile.read(root + "/Package.swift"), as: UTF8.self)
  }

  /// Brings the copy up to the sources with some defects planted; writes only what changed.
  /// - Returns: the files with planted text.
  @discardableResult
  func plant(
    _ statements: [(number: Int, defect: PlantedDefect)], declaration: PlantedDefect? = nil
  ) throws -> [PlantedSources.File] {
    var wanted: [String] = ["Package.swift"]
    try write(manifest, to: "Package.swift")
    var touched = statements.map(\.defect.file)
    if let declaration { touched.append(declaration.file) }
    var planted: [PlantedSources.File] = []
    for path in try sourceFiles() {
      wanted.append(path)
      if touched.contains(path) {
        let file = try PlantedSources.plant(
          statements.filter { $0.defect.file == path },
          declaration: declaration?.file == path ? declaration : nil, in: path,
          text: try text(of: path))
        planted.append(file)
        try write(file.text, to: path)
      } else {
        try write(try InputFile.read(root + "/" + path), to: path)
      }
    }
    try checkFiles(statements.map(\.defect) + [declaration].compactMap { $0 }, among: wanted)
    for path in switchFiles(for: statements.map(\.defect.file)) {
      wanted.append(path)
      try write(PlantedSources.switchFile, to: path)
    }
    for path in try files(below: PlantedCopy.testedFolder) {
      wanted.append(path)
      try write(try InputFile.read(root + "/" + path), to: path)
    }
    for path in testFolders where path != PlantedCopy.testedFolder {
      wanted.append(path + "/Empty.swift")
      try write("// Tests have no part in this copy.\n", to: path + "/Empty.swift")
    }
    try removeOthers(than: wanted)
    return planted
  }

  /// Builds the command in the copy.
  /// - Throws: `InputError` naming the planted defect that does not compile, else `LabError`.
  func build(_ planted: [PlantedSources.File], tick: () -> Void) throws {
    let outcome = try ChildRun.run(
      "swift",
      [
        "build", "-c", "release", "--product", "simlab", "--package-path", folder,
        "--scratch-path", folder + "/.build",
      ], tick: tick)
    if outcome.signal == nil, outcome.code == 0 { return }
    let text = outcome.output.map { String(decoding: $0, as: UTF8.self) } + [outcome.words]
    let errors = text.joined(separator: "\n").split(separator: "\n").map(String.init)
      .filter { $0.contains("error:") }
    let culprits = errors.compactMap { error in
      culprit(of: error, in: planted).map { (error: error, file: $0.file, defect: $0.defect) }
    }
    if let first = culprits.first {
      var others: [String] = []
      for culprit in culprits
      where culprit.defect != first.defect && !others.contains(culprit.defect) {
        others.append(culprit.defect)
      }
      let more = others.isEmpty ? "" : ", nor do \(others.joined(separator: ", "))"
      throw InputError(
        file: first.file, place: "defect \(first.defect)",
        problem: "does not compile (\(first.error.suffix(from: " error: ")))\(more)",
        mend: "correct its replacement, or make it a declaration")
    }
    let first = errors.first ?? String(text.joined(separator: " ").suffix(400))
    throw LabError("the copy in \(folder) does not build: \(first)")
  }

  /// The defect whose planted line a compiler error names.
  private func culprit(of error: String, in planted: [PlantedSources.File]) -> (
    file: String, defect: String
  )? {
    for file in planted {
      guard let place = error.range(of: "/" + file.path + ":") else { continue }
      guard let line = Int(error[place.upperBound...].prefix { $0 != ":" }) else { continue }
      if line <= file.authors.count, let author = file.authors[line - 1] {
        return (file.path, author)
      }
    }
    return nil
  }

  private func text(of path: String) throws -> String {
    String(decoding: try InputFile.read(root + "/" + path), as: UTF8.self)
  }

  private func checkFiles(_ defects: [PlantedDefect], among files: [String]) throws {
    for defect in defects where !files.contains(defect.file) {
      throw InputError(
        file: defect.source, place: "defect \(defect.id)",
        problem: "there is no file \(defect.file) in the sources", mend: "correct 'file'")
    }
  }

  /// The tests that judge planted defects, beside what the lab finds.
  private static let testedFolder = "Tests/SDK"

  /// Every file below `Sources`, by path.
  private func sourceFiles() throws -> [String] {
    let files = try files(below: "Sources")
    if files.isEmpty {
      throw InputError(
        file: root, problem: "has no folder Sources", mend: "give --package another folder")
    }
    return files
  }

  /// Every file below a folder of the package, by path; none where there is no such folder.
  private func files(below folder: String) throws -> [String] {
    guard let walker = FileManager.default.enumerator(atPath: root + "/" + folder) else {
      return []
    }
    var files: [String] = []
    while let path = walker.nextObject() as? String {
      let isFolder = walker.fileAttributes?[.type] as? FileAttributeType == .typeDirectory
      if !isFolder { files.append(folder + "/" + path) }
    }
    return files.sorted()
  }

  /// The folders that the manifest gives to targets.
  private var targetFolders: [String] {
    manifest.components(separatedBy: "path: \"").dropFirst().map { part in
      String(part.prefix { $0 != "\"" })
    }
  }

  private var testFolders: [String] { targetFolders.filter { $0.hasPrefix("Tests/") } }

  /// One file for each target that has a switch, in the target's own folder.
  private func switchFiles(for files: [String]) -> [String] {
    let folders = targetFolders.filter { $0.hasPrefix("Sources/") }
    var paths: [String] = []
    for file in files {
      let owner = folders.filter { file.hasPrefix($0 + "/") }.max { $0.count < $1.count }
      let folder = owner ?? file.split(separator: "/").prefix(2).joined(separator: "/")
      let path = folder + "/PlantedDefect.swift"
      if !paths.contains(path) { paths.append(path) }
    }
    return paths
  }

  private func write(_ text: String, to path: String) throws {
    try write(Array(text.utf8), to: path)
  }

  private func write(_ bytes: [UInt8], to path: String) throws {
    let target = folder + "/" + path
    let old = FileManager.default.contents(atPath: target)
    if let old, old.elementsEqual(bytes) { return }
    let parent = target.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    try FileManager.default.createDirectory(
      atPath: parent.joined(separator: "/"), withIntermediateDirectories: true)
    try AtomicFile.write(bytes, to: target)
  }

  /// Takes away what the package no longer has.
  private func removeOthers(than wanted: [String]) throws {
    for top in ["Sources", "Tests"] {
      guard let walker = FileManager.default.enumerator(atPath: folder + "/" + top) else {
        continue
      }
      while let path = walker.nextObject() as? String {
        let isFolder = walker.fileAttributes?[.type] as? FileAttributeType == .typeDirectory
        if !isFolder, !wanted.contains(top + "/" + path) {
          try FileManager.default.removeItem(atPath: folder + "/" + top + "/" + path)
        }
      }
    }
  }
}

extension String {
  /// What follows the last occurrence of a text, or all.
  fileprivate func suffix(from text: String) -> String {
    guard let range = range(of: text, options: .backwards) else { return self }
    return String(self[range.upperBound...])
  }
}
