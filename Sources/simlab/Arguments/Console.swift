import Foundation

/// Standard output for results, standard error for everything else.
enum Console {
  /// Writes text to standard output.
  static func out(_ text: String) { write(text, to: STDOUT_FILENO) }

  /// Writes a line to standard output.
  static func line(_ text: String = "") { out(text + "\n") }

  /// Writes a line to standard error.
  static func note(_ text: String) { write(text + "\n", to: STDERR_FILENO) }

  private static func write(_ text: String, to descriptor: Int32) {
    var text = text
    text.withUTF8 { bytes in
      var offset = 0
      while offset < bytes.count {
        let count = Foundation.write(descriptor, bytes.baseAddress! + offset, bytes.count - offset)
        if count < 0 && errno != EINTR { return }
        if count > 0 { offset += count }
      }
    }
  }
}
