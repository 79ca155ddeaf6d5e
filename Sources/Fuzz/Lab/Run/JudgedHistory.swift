import FuzzHistory
import FuzzInvariants
import SimKernel

/// A stored history that was judged again.
public struct JudgedHistory {
  private let file: String
  private let history: History
  private let judgement: Judgement

  public var findings: [Finding] { judgement.findings }

  /// Reads and judges a history.
  /// - Throws: `InputError` with the line that is wrong and the mend.
  public init(reading file: String) throws {
    self.file = file
    let bytes = try InputFile.read(file)
    do {
      history = try HistoryFile.decode(bytes)
    } catch {
      throw InputError(file: file, sentence: error.description)
    }
    judgement = Judge.judge(history)
  }

  private var report: RunReport {
    var report = RunReport()
    report.messages = RunReport.Messages(judgement.messages)
    report.findings = findings.map { RunReport.ReportedFinding($0) }
    report.antecedents = Tally(judgement.antecedents)
    return report
  }

  /// What the judgement says, as an object.
  public var json: JSONValue {
    let report = report
    return .object([
      JSONEntry("history", .string(file)),
      JSONEntry("seed", .seed(history.header.seed)),
      JSONEntry("profile", .string(history.header.profile)),
      JSONEntry("name", .string(history.header.name)),
      JSONEntry("build", .string(history.header.build)),
      JSONEntry("verdict", .string(findings.isEmpty ? "pass" : "fail")),
      JSONEntry("records", .count(history.records.count)),
      JSONEntry("messages", report.messages.json),
      JSONEntry("findings", .array(report.findings.map(\.json))),
      JSONEntry("antecedents", report.antecedents.json),
    ])
  }

  /// What the judgement says, for people.
  public var lines: [String] {
    let command = "simlab judge \(file)"
    let subject = history.header.seed.map { "seed \($0) \(history.header.profile)" }
    var lines = [
      "\(file): \(subject ?? history.header.name), \(Figures.grouped(history.records.count)) "
        + "records of build \(history.header.build)  (again: \(command))"
    ]
    let narration = Narration(history, findings: findings)
    for finding in findings { lines += FindingText.lines(finding, narration: narration) + [""] }
    if findings.isEmpty { return lines + ["PASSED \(file)"] }
    return lines + ["FAILED \(file)  \(FindingText.count(findings.count))  (again: \(command))"]
  }
}
