/// A finished run as one page of HTML that needs nothing from outside.
public struct RunPage {
  private let text: RunText
  private let narration: Narration

  public init(_ text: RunText) {
    self.text = text
    narration = Narration(text.run.result.history, findings: text.run.findings)
  }

  /// The whole document.
  public var html: String {
    let title = RunPage.escaped(text.verdict)
    let lines =
      ["<!doctype html>", "<html lang=\"en\">", "<head>", "<meta charset=\"utf-8\">"]
      + ["<title>\(title)</title>", "<style>\(RunPage.style)</style>", "</head>", "<body>"]
      + ["<h1 class=\"\(text.run.findings.isEmpty ? "pass" : "fail")\">\(title)</h1>"]
      + ["<pre>\(RunPage.escaped((text.head + text.counts).joined(separator: "\n")))</pre>"]
      + findings + timeline + ["</body>", "</html>"]
    return lines.joined(separator: "\n") + "\n"
  }

  private var findings: [String] {
    var lines = ["<h2>Findings</h2>"]
    if text.run.findings.isEmpty { return lines + ["<p>None.</p>"] }
    for finding in text.run.report.findings {
      lines.append("<section class=\"finding\">")
      lines.append("<h3>\(RunPage.escaped(finding.invariant))</h3>")
      lines.append("<p>\(RunPage.escaped(finding.message))</p>")
      let requirements = finding.requirements.joined(separator: ", ")
      let place = finding.process < 0 ? "" : ", process \(finding.process)"
      lines.append(
        "<p class=\"small\">at \(finding.atSeconds) s\(place) · \(RunPage.escaped(requirements)) · "
          + "signature <code>\(RunPage.escaped(finding.signature))</code></p>")
      lines.append("</section>")
    }
    return lines
  }

  private var timeline: [String] {
    var lines = ["<h2>Timeline</h2>", "<table>"]
    lines.append(
      "<tr><th>device clock (UTC)</th><th>true time</th><th>who</th><th>what happens</th></tr>")
    for line in narration.lines {
      let who = line.process.map { "p\($0)" } ?? ""
      lines.append(
        "<tr class=\"\(line.weight.rawValue)\"><td>\(line.deviceClock)</td>"
          + "<td>\(line.trueTime)</td><td>\(who)</td><td>\(RunPage.escaped(line.text))</td></tr>")
    }
    return lines + ["</table>"]
  }

  /// Text that stands for itself inside HTML.
  static func escaped(_ text: String) -> String {
    var html = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": html += "&amp;"
      case "<": html += "&lt;"
      case ">": html += "&gt;"
      case "\"": html += "&quot;"
      default: html.unicodeScalars.append(character)
      }
    }
    return html
  }

  private static let style = """
    body{font:14px/1.45 system-ui,sans-serif;margin:2em;color:#222;background:#fff}
    h1{font-size:1.2em}h1.pass{color:#176b2c}h1.fail{color:#b00020}
    pre{background:#f4f4f2;padding:1em;white-space:pre-wrap}
    table{border-collapse:collapse;font-size:13px}
    td,th{padding:1px 12px 1px 0;text-align:left;vertical-align:top}
    td:nth-child(-n+3){white-space:nowrap;color:#777;font-family:ui-monospace,monospace}
    td:nth-child(4){white-space:pre-wrap}
    tr.device td:nth-child(4){font-weight:600}tr.disk td:nth-child(4),tr.log td:nth-child(4){color:#777}
    tr.call td:nth-child(4){color:#123e7a}tr.fault td:nth-child(4){color:#a04c00}
    tr.finding td:nth-child(4){color:#b00020;font-weight:600}
    .finding{border-left:4px solid #b00020;padding-left:1em}.small{color:#666}
    """
}
