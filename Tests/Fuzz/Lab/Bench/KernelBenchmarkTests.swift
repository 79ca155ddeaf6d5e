import SimKernel
import Testing

@testable import Fuzz

/// What is measured must be what is claimed: these tests say nothing about speed.
@Suite struct KernelBenchmarkTests {
  @Test func everyRunIsTheSameWork() {
    let first = KernelBenchmark.median(pending: 64, events: 2_000, repetitions: 3)
    let second = KernelBenchmark.median(pending: 64, events: 2_000, repetitions: 1)
    #expect(first.traceHash == second.traceHash)
    #expect(first.runs.count == 3)
    #expect(first.runs.sorted()[1] == first.eventsPerSecond)
    #expect(first.eventsPerSecond > 0 && first.baselineEventsPerSecond > 0)
    let other = KernelBenchmark.median(pending: 65, events: 2_000, repetitions: 1)
    #expect(other.traceHash != first.traceHash)
    #expect(KernelBenchmark.run(pending: 16, events: 500) > 0)
  }

  @Test func theQueueKeepsItsSize() {
    let simulation = Simulation(seed: 1)
    let model = HoldModel(simulation: simulation, warmUp: 1_000, measured: 4_000)
    for _ in 0..<100 { model.scheduleOne() }
    #expect(simulation.run(handler: model) == .stopped)
    #expect(simulation.pending == 100)
    #expect(simulation.delivered == 1_000)
    #expect(simulation.run(handler: model) == .stopped)
    #expect(simulation.pending == 100)
    #expect(simulation.delivered == 5_000)
  }

  /// Spans look like those of an exponential distribution: half of them below ln 2 of the mean, one
  /// in eight above three such halves.
  @Test func spansAreExponentialLike() {
    var random = RandomStream(state: 3)
    let spans = (0..<40_000).map { _ in HoldModel.increment(random.next()).nanoseconds }.sorted()
    #expect(spans[0] >= 0)
    let mean = spans.reduce(0, +) / 40_000
    #expect((1_400...1_600).contains(mean))
    #expect((980...1_070).contains(spans[20_000]), "the median is one doubling")
    #expect((3_000...3_150).contains(spans[35_000]), "an eighth lies beyond three doublings")
  }
}
