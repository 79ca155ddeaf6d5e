import Foundation

/// A process that reads work on its standard input and writes a line of JSON for each piece.
///
/// Seeds run in processes of their own so that a trap, a runaway loop or memory without end is a
/// finding and not the end of the campaign.
final class WorkerProcess {
  let identifier: pid_t
  /// Where its answers come from; does not block.
  let output: Int32
  /// Where its last words come from; does not block.
  let errors: Int32

  private var input: Int32
  private var received: [UInt8] = []
  private var words: [UInt8] = []
  private var isReaped = false

  /// Starts a program.
  /// - Parameters:
  ///   - program: its path, or a name that is looked up as a shell does.
  ///   - arguments: what follows its name.
  ///   - environment: variables that it has beside those of this process.
  init(program: String, arguments: [String], environment: [(name: String, value: String)] = [])
    throws
  {
    // Writing to a worker that has died is an error to be told, not a reason to die too.
    signal(SIGPIPE, SIG_IGN)
    let toChild = try WorkerProcess.pipe()
    let fromChild = try WorkerProcess.pipe()
    let wordsOfChild = try WorkerProcess.pipe()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, toChild.read, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, fromChild.write, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, wordsOfChild.write, STDERR_FILENO)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A group of its own: Ctrl-C reaches the campaign alone, which then ends its workers in order.
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF))
    var defaults = sigset_t()
    sigemptyset(&defaults)
    sigaddset(&defaults, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &defaults)

    let own = (name: ParentWatch.variable, value: "\(getpid())")
    var child = pid_t()
    var status: Int32 = 0
    for _ in 0..<100 {
      status = WorkerProcess.withStrings([program] + arguments) { arguments in
        WorkerProcess.withStrings(WorkerProcess.merged(environment + [own])) { variables in
          posix_spawnp(&child, program, &actions, &attributes, arguments, variables)
        }
      }
      // What was written a moment ago may still be open in a process that is about to start.
      if status != ETXTBSY { break }
      usleep(10_000)
    }
    for descriptor in [toChild.read, fromChild.write, wordsOfChild.write] { close(descriptor) }
    identifier = child
    input = toChild.write
    output = fromChild.read
    errors = wordsOfChild.read
    guard status == 0 else {
      isReaped = true
      throw LabError("\(program) cannot be started: \(String(cString: strerror(status)))")
    }
    for descriptor in [output, errors] {
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }
  }

  deinit {
    closeInput()
    for descriptor in [output, errors] { close(descriptor) }
    if !isReaped {
      kill(identifier, SIGKILL)
      reap()
    }
  }

  /// Gives it a line of work; a dead process is noticed when its output ends.
  func send(_ line: String) {
    var bytes = Array(line.utf8)
    bytes.append(UInt8(ascii: "\n"))
    var offset = 0
    while offset < bytes.count {
      let count = bytes.withUnsafeBytes {
        write(input, $0.baseAddress! + offset, bytes.count - offset)
      }
      if count < 0 {
        if errno == EINTR { continue }
        return
      }
      offset += count
    }
  }

  /// Tells it that no more work will come.
  func closeInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  /// Waits until it writes something or ends.
  func waitForWords(milliseconds: Int32) {
    var polled = [
      pollfd(fd: output, events: Int16(POLLIN), revents: 0),
      pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
    ]
    _ = poll(&polled, nfds_t(polled.count), milliseconds)
    if polled[1].revents != 0 { receiveWords() }
  }

  /// The whole lines that have come in.
  /// - Returns: the lines, and whether the output has ended.
  func receive() -> (lines: [[UInt8]], hasEnded: Bool) {
    let hasEnded = WorkerProcess.drain(output, into: &received)
    var lines: [[UInt8]] = []
    var start = 0
    while let end = received[start...].firstIndex(of: UInt8(ascii: "\n")) {
      lines.append(Array(received[start..<end]))
      start = end + 1
    }
    received.removeFirst(start)
    return (lines, hasEnded)
  }

  /// Takes in what it wrote to its standard error; only the newest is kept.
  func receiveWords() {
    _ = WorkerProcess.drain(errors, into: &words)
    if words.count > 1 << 16 { words.removeFirst(words.count - (1 << 15)) }
  }

  /// What it wrote to its standard error.
  var lastWords: String { String(decoding: words, as: UTF8.self) }

  /// Ends it at once.
  func end() { kill(identifier, SIGKILL) }

  /// Waits for its end.
  /// - Returns: the signal that ended it, or its exit code.
  @discardableResult
  func reap() -> (signal: Int32?, code: Int32) {
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
    isReaped = true
    receiveWords()
    let ending = status & 0x7f
    return ending == 0 ? (nil, (status >> 8) & 0xff) : (ending, 0)
  }

  private static func drain(_ descriptor: Int32, into bytes: inout [UInt8]) -> Bool {
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = block.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count == 0 { return true }
      if count < 0 {
        if errno == EINTR { continue }
        return false
      }
      bytes.append(contentsOf: block[..<count])
      if count < block.count { return false }
    }
  }

  private static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    guard Foundation.pipe(&ends) == 0 else {
      throw LabError("no pipe can be made: \(String(cString: strerror(errno)))")
    }
    // No other child may hold these ends open, or the end of a worker would never be seen.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  private static func merged(_ changes: [(name: String, value: String)]) -> [String] {
    var variables: [String] = []
    var place = environ
    while let entry = place.pointee {
      let text = String(cString: entry)
      if !changes.contains(where: { text.hasPrefix($0.name + "=") }) { variables.append(text) }
      place += 1
    }
    return variables + changes.map { "\($0.name)=\($0.value)" }
  }

  private static func withStrings<Result>(
    _ texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var pointers: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) }
    pointers.append(nil)
    defer { for pointer in pointers { free(pointer) } }
    return pointers.withUnsafeMutableBufferPointer { body($0.baseAddress!) }
  }
}
