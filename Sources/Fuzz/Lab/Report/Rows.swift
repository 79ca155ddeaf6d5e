/// Lines of a report: a short name, then text, wrapped under itself.
enum Rows {
  private static let indent = 9
  private static let width = 110

  static func lines(_ name: String, _ text: String) -> [String] {
    let blank = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = name + String(repeating: " ", count: max(1, indent - name.count))
    var isEmpty = true
    for word in text.split(separator: " ") {
      if !isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = blank
        isEmpty = true
      }
      line += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    return lines + [line]
  }
}
