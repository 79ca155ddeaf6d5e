/// One long option of a verb.
struct OptionDescription {
  var name: String
  /// What stands for the value in help; nil is a switch.
  var value: String?
  var help: String

  init(_ name: String, _ value: String? = nil, _ help: String) {
    self.name = name
    self.value = value
    self.help = help
  }
}

/// The words that follow a verb without an option.
struct OperandDescription {
  var name: String
  var least: Int
  var most: Int
  var help: String
}

/// Everything that the parser and `--help` need to know of a verb.
struct VerbDescription {
  var name: String
  /// One sentence.
  var abstract: String
  var usage: String
  var operands: OperandDescription?
  var options: [OptionDescription]
  var examples: [String]
  var notes: [String] = []

  /// The text of `simlab <verb> --help`.
  var help: String {
    var lines = [
      abstract, "", usage.isEmpty ? "usage: simlab \(name)" : "usage: simlab \(name) \(usage)",
    ]
    var rows: [(String, String)] = []
    if let operands { rows.append((operands.name, operands.help)) }
    for option in options + [OptionDescription("help", nil, "Shows this text.")] {
      rows.append(("--\(option.name)" + (option.value.map { " \($0)" } ?? ""), option.help))
    }
    lines.append("")
    lines.append(contentsOf: Columns.text(rows))
    if !notes.isEmpty { lines.append(contentsOf: [""] + notes) }
    lines.append(contentsOf: ["", examples.count == 1 ? "example:" : "examples:"])
    lines.append(contentsOf: examples.map { "  " + $0 })
    return lines.joined(separator: "\n") + "\n"
  }
}

/// Two columns of text, the second wrapped.
enum Columns {
  static func text(_ rows: [(String, String)], width: Int = 100) -> [String] {
    let left = (rows.map(\.0.count).max() ?? 0) + 4
    var lines: [String] = []
    for (name, help) in rows {
      var line = "  " + name + String(repeating: " ", count: left - name.count - 2)
      var isEmpty = true
      for word in help.split(separator: " ") {
        if !isEmpty, line.count + 1 + word.count > width {
          lines.append(line)
          line = String(repeating: " ", count: left)
          isEmpty = true
        }
        line += (isEmpty ? "" : " ") + word
        isEmpty = false
      }
      lines.append(line)
    }
    return lines
  }
}
