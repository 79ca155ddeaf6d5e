import Foundation

/// What this build was made from: source revision and Swift version (determinism rule 4).
public enum BuildIdentity {
  /// For example `6f1c2d3a9b10, swift 6.3`.
  public static let current = "\(revision ?? "revision unknown"), swift \(swiftVersion)"

  /// The revision checked out in the package that this program was built in.
  static let revision: String? = {
    guard
      let executable = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/self/exe")
    else { return nil }
    guard let root = PackageRoot.nearest(above: executable) else { return nil }
    return headRevision(of: root + "/.git").map { String($0.prefix(12)) }
  }()

  private static func headRevision(of folder: String) -> String? {
    guard let head = line(of: folder + "/HEAD") else { return nil }
    guard head.hasPrefix("ref: ") else { return head }
    let reference = String(head.dropFirst(5))
    if let loose = line(of: folder + "/" + reference) { return loose }
    guard let packed = try? String(contentsOfFile: folder + "/packed-refs", encoding: .utf8)
    else { return nil }
    for line in packed.split(separator: "\n") where line.hasSuffix(" " + reference) {
      return String(line.prefix(while: { $0 != " " }))
    }
    return nil
  }

  private static func line(of path: String) -> String? {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
    return text.split(separator: "\n").first.map(String.init)
  }

  private static var swiftVersion: String {
    #if swift(>=6.4)
      return "6.4 or later"
    #elseif swift(>=6.3)
      return "6.3"
    #elseif swift(>=6.2)
      return "6.2"
    #else
      return "6.0 or 6.1"
    #endif
  }
}
