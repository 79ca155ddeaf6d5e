import CommandSupport
import Foundation
import Testing

/// A process that dies says how to meet its death again.
@Suite struct CrashTests {
  private let folder = TemporaryFolder()

  @Test func theLastWordsAreACommand() throws {
    // The command waits at a pipe for its history, and is then as good as in the middle of work.
    let pipe = folder.file("pipe.history")
    #expect(mkfifo(pipe, 0o600) == 0)
    let (process, finish) = try BuiltCommand.start(
      ["judge", pipe], environment: ["SWIFT_BACKTRACE": "enable=no"])
    let writer = try #require(FileHandle(forWritingAtPath: pipe))
    // The first is heard; the next meets nobody who listens, as an instruction does that fails
    // again.
    while process.isRunning { kill(process.processIdentifier, SIGSEGV) }
    let outcome = finish()
    try writer.close()
    #expect(process.terminationReason == .uncaughtSignal)
    #expect(outcome.errors.contains("(again: simlab judge \(pipe))"))
  }
}
