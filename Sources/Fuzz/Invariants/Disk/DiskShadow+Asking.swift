import FuzzHistory
import SimKernel

/// What the rules ask of the files.
extension DiskShadow {
  /// The content of a file, or nil.
  public func content(path: String) -> [UInt8]? {
    let hash = hashIdentifier(Array(path.utf8))
    return place(hash).map { files[$0].content }
  }

  /// The content of `install.json`, or nil.
  public var installContent: [UInt8]? { place(installPath).map { files[$0].content } }

  /// Whether a path is that of `install.json`.
  public func isInstall(_ path: ByteSlice) -> Bool {
    hashIdentifier(arena.slice(path)) == installPath
  }

  /// The content of `consent.json`, or nil.
  public var decisionContent: [UInt8]? { place(decisionPath).map { files[$0].content } }

  /// Whether a path is that of `consent.json`.
  public func isDecision(_ path: ByteSlice) -> Bool {
    hashIdentifier(arena.slice(path)) == decisionPath
  }

  /// Whether a path is that of `consent.json` or of its spare.
  public func isDecisionOrSpare(_ path: ByteSlice) -> Bool {
    let hash = hashIdentifier(arena.slice(path))
    return hash == decisionPath || hash == sparePath
  }

  /// Whether the spare lies there in its full size.
  public var hasWholeSpare: Bool {
    place(sparePath).map { files[$0].content.count == 256 } ?? false
  }

  /// The files that consent governs: all but the decision and its spare (CON-25).
  public var governedFiles: [File] {
    files.filter { $0.pathHash != decisionPath && $0.pathHash != sparePath }
  }

  /// Whether a path is that of the SDK's folder.
  func isFolder(_ path: ByteSlice) -> Bool {
    Int(path.count) == folder.count - 1 && starts(path, with: folder.dropLast())
  }

  /// The content of `session.json`, or nil.
  public var sessionContent: [UInt8]? { place(sessionPath).map { files[$0].content } }

  /// Whether a path is that of `session.json`.
  public func isSession(_ path: ByteSlice) -> Bool {
    hashIdentifier(arena.slice(path)) == sessionPath
  }

  /// Whether a path lies in the folder of the queue, or is that folder.
  public func isQueue(_ path: ByteSlice) -> Bool { starts(path, with: queueFolder) }

  /// Whether a path is that of the folder of the queue.
  func isQueueFolder(_ path: ByteSlice) -> Bool {
    Int(path.count) == queueFolder.count && starts(path, with: queueFolder)
  }

  /// Whether the message of a record can be read from disk and was not removed.
  public func isLive(_ index: Int) -> Bool {
    guard !records[index].isGone, records[index].removals == 0 else { return false }
    if records[index].checksum == .unknown { verify(index) }
    return records[index].checksum == .right
  }

  /// Whether a process could read one of the files that say that a record's message was removed.
  func isRemovalShown(_ index: Int, to process: Int32) -> Bool {
    files.contains { file in
      file.journal >= 0 && file.hiddenFrom != process
        && journals[file.journal].removed.contains(index)
    }
  }

  /// The newest record of a message, or -1.
  public func record(sequence: UInt64, identifierHash: UInt64) -> Int {
    Int(latest[mixBits(sequence) ^ identifierHash])
  }

  /// The bytes of a message with both gaps empty.
  public func messageBytes(_ index: Int) -> ArraySlice<UInt8> {
    let record = records[index]
    guard let file = files.firstIndex(where: { $0.journal == record.journal }) else { return [] }
    return files[file].content[record.start..<record.start + record.count]
  }
}
