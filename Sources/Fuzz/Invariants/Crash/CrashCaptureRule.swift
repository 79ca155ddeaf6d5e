import FuzzHistory
import SimKernel

/// Crashes: what analytics, option or switch turn off leaves neither record nor event.
extension INV45 {
  func judgeCrash(_ record: Record, _ context: JudgeContext) {
    switch record.fact {
    case .crashed:
      if context.model.isCaptureOff { antecedent() }
    case .disk(_, _, _, _, let path, _, _, let bytes):
      guard bytes.count > 0, context.model.dyingCrash >= 0, context.model.isCaptureOff,
        context.disk.isCrash(path)
      else { return }
      report(
        "a crash is recorded although it may not be", at: record, context,
        "Process \(record.process) wrote \(bytes.count) bytes to \(context.text(path)) as it died,"
          + " and it may not capture crashes.")
    case .requestStarted: judgeCrashes(record, context)
    default: break
    }
  }

  private func judgeCrashes(_ record: Record, _ context: JudgeContext) {
    for sighting in context.model.sightings where sighting.isFirst && sighting.expected >= 0 {
      guard let place = context.model.messages[Int(sighting.expected)].crash else { continue }
      let truth = context.model.crashes[place]
      if truth.isDropped {
        antecedent()
      } else if truth.madeAnalytics, truth.madeSwitch {
        continue
      }
      report(
        "a $crash is sent although it may not be", at: record, context,
        "The $crash of process \(truth.process) was queued although analytics, the option or the"
          + " switch was off when it would have been.")
    }
  }
}
