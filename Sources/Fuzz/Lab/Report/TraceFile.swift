import FuzzHistory
import FuzzScenario
import FuzzWorld
import SimKernel

/// Writes the trace of a run as JSON lines: a head that names the run, then a line an entry.
public final class TraceFile {
  /// What the first line of every trace file begins with.
  static let headStart = "{\"format\":\"simlab trace\""

  private let file: AtomicFile
  private var failure: (any Error)?
  /// Watches the run.
  public private(set) var sink: JSONLinesSink!

  /// Opens the file and writes its head.
  public init(path: String, scenario: Scenario) throws {
    file = try AtomicFile(path: path)
    let head = JSONValue.object([
      JSONEntry("format", .string("simlab trace")),
      JSONEntry("version", .int(1)),
      JSONEntry("seed", .seed(scenario.provenance?.seed)),
      JSONEntry("profile", .text(scenario.provenance?.profile)),
      JSONEntry("name", .string(scenario.name)),
      JSONEntry("build", .string(BuildIdentity.current)),
    ])
    try file.write(head.line + "\n")
    sink = JSONLinesSink(kindName: { TraceWords.kind($0) }) { [unowned self] bytes in
      if failure != nil { return }
      do { try file.write(bytes) } catch { failure = error }
    }
  }

  /// Whether a file begins as a trace does.
  /// - Throws: `InputError` if it cannot be read.
  public static func isTrace(_ path: String) throws -> Bool {
    try InputFile.read(path).starts(with: Array(headStart.utf8))
  }

  /// Gives the file its name.
  /// - Throws: the first error met while writing.
  public func finish() throws {
    sink.flush()
    if let failure { throw failure }
    try file.finish()
  }
}
