import Foundation

/// What the machine says of its processes.
public enum Machine {
  /// Processor time of a process in seconds; 0 when it is gone.
  static func cpuSeconds(of process: pid_t) -> Double {
    guard let text = text(of: "/proc/\(process)/stat"),
      let afterName = text.lastIndex(of: ")")
    else { return 0 }
    // After the name: state is field 3, user and system time are fields 14 and 15, in ticks.
    let fields = text[afterName...].split(separator: " ")
    guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13])
    else { return 0 }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// Resident memory of a process in bytes; 0 when it is gone.
  static func residentBytes(of process: pid_t) -> Int {
    guard let text = text(of: "/proc/\(process)/statm") else { return 0 }
    let fields = text.split(separator: " ")
    guard fields.count > 1, let pages = Int(fields[1]) else { return 0 }
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  /// Resident memory of this process in bytes.
  public static var ownResidentBytes: Int { residentBytes(of: getpid()) }

  /// The most resident memory this process ever had, in bytes.
  public static var ownPeakBytes: Int {
    var usage = rusage()
    guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return 0 }
    return usage.ru_maxrss * 1_024
  }

  /// How many processors this process may use.
  public static var processors: Int { max(1, ProcessInfo.processInfo.activeProcessorCount) }

  /// Files of `/proc` say that they are empty, so they are read until they end.
  private static func text(of path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { return nil }
    defer { close(descriptor) }
    var block = [UInt8](repeating: 0, count: 4_096)
    let count = block.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
    return count > 0 ? String(decoding: block[..<count], as: UTF8.self) : nil
  }
}
