import FuzzHistory
import FuzzScenario
import SimKernel

/// One device that lives through one scenario with the real SDK aboard.
public final class World {
  let scenario: Scenario
  let options: RunOptions

  public init(_ scenario: Scenario, options: RunOptions = RunOptions()) {
    self.scenario = scenario
    self.options = options
  }

  /// Runs the scenario to the end of its calm.
  public func run() -> RunResult {
    RunResult(history: History(header: HistoryHeader()))
  }
}
