import Foundation

/// Finds the package whose sources, planted defects and stored scenarios are meant.
public enum PackageRoot {
  /// The nearest folder at or above a path that holds a `Package.swift`.
  public static func nearest(above path: String) -> String? {
    var folder = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    while !folder.isEmpty {
      if FileManager.default.fileExists(atPath: folder + "/Package.swift") { return folder }
      guard let slash = folder.lastIndex(of: "/") else { return nil }
      folder = String(folder[..<slash])
    }
    return nil
  }

  /// The package named by `--package`, else the one around the working folder.
  /// - Throws: `InputError` when there is none.
  public static func find(named folder: String?) throws -> String {
    if let folder {
      let root = folder.hasSuffix("/") && folder.count > 1 ? String(folder.dropLast()) : folder
      guard FileManager.default.fileExists(atPath: root + "/Package.swift") else {
        throw InputError(
          file: folder, problem: "holds no Package.swift",
          mend: "give --package the folder of the package")
      }
      return root.hasPrefix("/") ? root : FileManager.default.currentDirectoryPath + "/" + root
    }
    guard let root = nearest(above: FileManager.default.currentDirectoryPath) else {
      throw InputError(
        file: FileManager.default.currentDirectoryPath, problem: "lies in no Swift package",
        mend: "change into the package or give --package")
    }
    return root
  }
}
