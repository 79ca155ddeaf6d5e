import CommandSupport
import Foundation
import Testing

/// A command that another process of the lab has started does not outlive it.
@Suite struct ParentWatchTests {
  private let folder = TemporaryFolder()

  /// A shell, and the command that it started: stuck for ever, at a pipe that nobody writes to.
  private struct Stuck {
    var shell: Process
    /// Ends with the last of the two.
    var output: Pipe
    /// The other end of what the command waits for.
    var writer: FileHandle

    /// NB: Foundation takes a process for ended only when its children are, too.
    func killShell() { kill(shell.processIdentifier, SIGKILL) }

    /// Waits until the command says something or is gone; the bound is for a command that never is.
    func hasEnded() -> Bool {
      var polled = pollfd(
        fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
      return poll(&polled, 1, 60_000) == 1 && output.fileHandleForReading.availableData.isEmpty
    }
  }

  private func start(naming parent: String) throws -> Stuck {
    let pipe = folder.file("pipe.history")
    #expect(mkfifo(pipe, 0o600) == 0)
    let output = Pipe()
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = [
      "-c", "SIMLAB_PARENT=\(parent) '\(BuiltCommand.path)' judge '\(pipe)' & wait",
    ]
    shell.standardOutput = output
    shell.standardError = output
    try shell.run()
    try output.fileHandleForWriting.close()
    // This waits for the command to open its end.
    return Stuck(
      shell: shell, output: output, writer: try #require(FileHandle(forWritingAtPath: pipe)))
  }

  @Test func aStuckCommandEndsWithItsParent() throws {
    let stuck = try start(naming: "$$")
    stuck.killShell()
    #expect(stuck.hasEnded())
    try stuck.writer.close()
    stuck.shell.waitUntilExit()
  }

  @Test func whoIsNoChildOfTheNamedOneIsLeftAlone() throws {
    let stuck = try start(naming: "\(getpid())")
    stuck.killShell()
    // It still waits for its history, and says of an empty one what there is to say.
    try stuck.writer.close()
    let words = String(
      decoding: stuck.output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(words.contains("pipe.history"))
    stuck.shell.waitUntilExit()
  }
}
