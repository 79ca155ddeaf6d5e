import Foundation

/// Runs a program to its end.
enum ChildRun {
  struct Outcome {
    var signal: Int32?
    var code: Int32
    var output: [[UInt8]]
    var words: String
  }

  /// Runs a program with nothing on its standard input.
  /// - Parameter tick: is called now and then while it runs.
  @discardableResult
  static func run(
    _ program: String, _ arguments: [String],
    environment: [(name: String, value: String)] = [], tick: () -> Void = {}
  ) throws -> Outcome {
    let process = try WorkerProcess(
      program: program, arguments: arguments, environment: environment)
    process.closeInput()
    var output: [[UInt8]] = []
    while true {
      process.waitForWords(milliseconds: 200)
      process.receiveWords()
      let (lines, hasEnded) = process.receive()
      output.append(contentsOf: lines)
      tick()
      if hasEnded { break }
    }
    let end = process.reap()
    return Outcome(signal: end.signal, code: end.code, output: output, words: process.lastWords)
  }
}
