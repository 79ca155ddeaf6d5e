/// Something given to the lab that it cannot read or write, told in one line: file, place, mend.
public struct InputError: Error, CustomStringConvertible, Sendable {
  public var file: String
  /// Where in the file, as a person would look for it.
  public var place: String?
  public var problem: String
  public var mend: String

  public init(file: String, place: String? = nil, problem: String, mend: String) {
    self.file = file
    self.place = place
    self.problem = problem
    self.mend = mend
  }

  /// An error whose place, problem and mend another reader put into one sentence.
  public init(file: String, sentence: String) {
    self.init(file: file, problem: sentence, mend: "")
  }

  public var description: String {
    if mend.isEmpty { return "\(file): \(problem)" }
    let place = place.map { ", \($0)" } ?? ""
    return "\(file)\(place): \(problem); \(mend)"
  }
}

/// The lab itself failed; not the software under test, not its input.
public struct LabError: Error, CustomStringConvertible, Sendable {
  public var description: String

  public init(_ description: String) { self.description = description }
}
