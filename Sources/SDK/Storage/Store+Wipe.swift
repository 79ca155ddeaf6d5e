/// How a wipe goes on until nothing is left.
extension Store {
  /// Goes on with a wipe: all that lies in the folder goes, whatever its name, but the decision.
  func removeDoomed() -> StorageError? {
    if doomed.isEmpty { return nil }
    var failure: StorageError?
    if doomed.contains(directory) {
      do {
        let names = try storage.listPatiently(directory)
        doomed = names.filter { $0 != ConsentFile.name && $0 != ConsentFile.spareName }
          .map { directory + "/" + $0 }
      } catch .notFound {
        doomed = []
      } catch {
        return error
      }
    }
    let removed = doomed
    var left: [String] = []
    for path in doomed {
      guard let error = remove(path) else { continue }
      failure = error
      // A directory that cannot be removed as a whole, for one file that is denied: its files go
      // one by one, so that this one does not save the others.
      guard path == journal.directory || path == directory + "/crash",
        let names = try? storage.list(path)
      else {
        left.append(path)
        continue
      }
      emptied.append(path)
      left += names.map { path + "/" + $0 }.filter { remove($0) != nil }
    }
    doomed = left
    // What was removed must not come back beside what is stored later.
    if doomed.isEmpty, let error = makeRemovalsDurable() {
      doomed = removed
      return error
    }
    if doomed.isEmpty {
      if isWiping && !hasDirectories { isWiped = true }
      isWiping = false
    }
    return failure
  }

  private func makeRemovalsDurable() -> StorageError? {
    for path in emptied {
      if let error = makeDurable(path) { return error }
    }
    emptied = []
    return makeDurable(directory)
  }

  /// Removes a file or directory; one that is not there is no error.
  private func remove(_ path: String) -> StorageError? {
    do {
      try storage.remove(path)
    } catch {
      return error == .notFound ? nil : error
    }
    return nil
  }
}
