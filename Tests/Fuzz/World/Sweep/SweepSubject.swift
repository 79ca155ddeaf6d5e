import FuzzHistory
import FuzzScenario
import FuzzWorld
import SimKernel

/// What a step of the file system is about.
enum SweepSubject: String, CaseIterable, Hashable {
  case consentWrite = "consent write"
  case wipe = "wipe"
  case firstOpenMarker = "first-open marker"
  case idWrite = "id write"
  case sessionWrite = "session write"
  case journalAppend = "journal append"
  case journalRemoval = "journal removal"
  /// The folders, and the version of the app in the record of the install.
  case rest = "rest"

  /// Those that must be visited.
  static let named = allCases.filter { $0 != .rest }
}

/// A changing step of a life before its calm.
struct SweepStep {
  /// From 1, as triggers count them.
  var number: Int
  var subject: SweepSubject
  /// How many processes have ended before it.
  var endsBefore: Int
}

/// Tells the subjects of steps from the facts of a history: paths, operations and bytes alone.
struct SweepReader {
  private let history: History
  private var decision: JSONValue?
  private var spare: JSONValue?
  private var install: JSONValue?
  private var decisionSubject = SweepSubject.consentWrite
  private var installSubject = SweepSubject.idWrite
  private var journalSubject = SweepSubject.journalAppend
  private var isWiping = false

  private init(_ history: History) { self.history = history }

  /// The changing steps of a run before its calm.
  static func steps(of history: History) -> [SweepStep] {
    var reader = SweepReader(history)
    var steps: [SweepStep] = []
    var ends = 0
    for record in history.records {
      if case .calmBegan = record.fact { break }
      if case .ended = record.fact { ends += 1 }
      guard case .disk(let operation, _, _, _, let path, let target, _, let bytes) = record.fact,
        SweepReader.changes(operation)
      else { continue }
      let subject = reader.subject(
        operation, reader.name(path), reader.name(target), reader.bytes(bytes))
      steps.append(SweepStep(number: steps.count + 1, subject: subject, endsBefore: ends))
    }
    return steps
  }

  static func changes(_ operation: DiskOperation) -> Bool {
    operation != .list && operation != .size && operation != .read
  }

  /// A path below the SDK's folder; empty for the folder itself.
  private func name(_ slice: ByteSlice) -> String {
    let path = String(decoding: bytes(slice), as: UTF8.self)
    let folder = history.header.storageDirectory
    return path.hasPrefix(folder + "/") ? String(path.dropFirst(folder.utf8.count + 1)) : ""
  }

  private func bytes(_ slice: ByteSlice) -> [UInt8] {
    let start = Int(slice.offset)
    return Array(history.arena[start..<start + Int(slice.count)])
  }

  private mutating func subject(
    _ operation: DiskOperation, _ path: String, _ target: String, _ bytes: [UInt8]
  ) -> SweepSubject {
    if path.hasPrefix("consent.") { return consent(operation, target, bytes) }
    if operation == .remove, decision?["decision"]?["analytics"]?.bool == false {
      isWiping = true
      return .wipe
    }
    if path.isEmpty {
      defer { isWiping = false }
      return operation == .barrier && isWiping ? .wipe : .rest
    }
    if path.hasPrefix("install.") { return install(operation, target, bytes) }
    if path.hasPrefix("session.") { return .sessionWrite }
    if operation == .createDirectory { return .rest }
    return journal(operation, bytes)
  }

  private mutating func consent(
    _ operation: DiskOperation, _ target: String, _ bytes: [UInt8]
  ) -> SweepSubject {
    if operation == .write || operation == .overwrite {
      spare = try? JSONValue.parse(bytes)
      let isMark =
        spare?["opened"]?.bool == true && decision?["opened"]?.bool != true
        && spare?["decision"] == decision?["decision"]
      decisionSubject = isMark ? .firstOpenMarker : .consentWrite
    }
    if operation == .rename { decision = spare }
    return decisionSubject
  }

  private mutating func install(
    _ operation: DiskOperation, _ target: String, _ bytes: [UInt8]
  ) -> SweepSubject {
    if operation == .write {
      let new = try? JSONValue.parse(bytes)
      if new?["anonymousId"] != install?["anonymousId"] || new?["userId"] != install?["userId"] {
        installSubject = .idWrite
      } else if new?["firstOpen"] != install?["firstOpen"] || new?["opened"] != install?["opened"] {
        installSubject = .firstOpenMarker
      } else {
        installSubject = .rest
      }
      install = new
    }
    return installSubject
  }

  private mutating func journal(_ operation: DiskOperation, _ bytes: [UInt8]) -> SweepSubject {
    switch operation {
    case .write, .append:
      // A file begins with eight bytes of its own, a record with its length and checksum.
      let start = bytes.starts(with: Array("PMJ1".utf8)) ? 8 : 0
      let kind = bytes.count > start + 8 ? bytes[start + 8] : 1
      journalSubject = kind == 2 ? .journalRemoval : .journalAppend
    case .remove: journalSubject = .journalRemoval
    default: break
    }
    return journalSubject
  }
}
