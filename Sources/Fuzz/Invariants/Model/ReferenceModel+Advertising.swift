import FuzzHistory
import SimKernel

/// Whether a message may, must or must not carry the advertising id in a request.
enum AdvertisingRule {
  case must
  case mustNot
  /// A death or a failed write leaves it open.
  case may
}

/// The advertising id by the requirements: decided at the call, filled in at each request.
extension ReferenceModel {
  /// Whether all three hold at the call (PRV-02).
  func mayHoldAdvertisingId(_ index: Int, _ process: Int) -> Bool {
    messages[index].marketing && messages[index].isTrackingAuthorized
      && processes[process].options.collectsAdvertisingId
  }

  func writeAdvertisingId() {
    buffer.add("\"advertisingId\":\"")
    buffer.add(advertisingId)
    buffer.add("\",")
  }

  /// The app has passed the flag. What was made up to a withdrawal gets the id never again: a grant
  /// that follows says so on disk, for the processes to come (S-02).
  func takeMarketing(_ isAllowed: Bool, _ process: Int) {
    let was = processes[process].marketing
    processes[process].marketing = isAllowed
    guard was != isAllowed else { return }
    let closed = processes[process].advertisingClosed
    if !isAllowed {
      processes[process].advertisingClosed = moment.occurrence
    } else if processes[process].isMemoryOnly {
      // Whether its word can be stored hangs on the files.
      advertisingOpen = max(advertisingOpen, closed)
    } else {
      advertisingClosed = max(advertisingClosed, closed)
    }
  }

  /// At the end of a process: where nobody can tell what the next one finds decided, nobody can
  /// tell either which messages it takes for closed.
  func noteAdvertising(_ process: Int) {
    if storedDecision == .open {
      advertisingOpen = max(advertisingOpen, processes[process].advertisingClosed)
    }
  }

  /// Whether a message carries the id in a request that starts now.
  func advertisingRule(_ index: Int, _ process: Int32, _ context: JudgeContext) -> AdvertisingRule {
    let number = Int(process)
    guard number >= 0, number < processes.count, !messages[index].advertising.isEmpty,
      processes[number].marketing, processes[number].options.collectsAdvertisingId,
      context.processes.tracking == .authorized
    else { return .mustNot }
    let occurrence = messages[index].occurrence
    if occurrence <= processes[number].advertisingClosed { return .mustNot }
    if occurrence <= advertisingOpen { return .may }
    // The event of a crash was sealed under what held when its process found the record, which is
    // open where the app has passed flags since.
    if messages[index].crash != nil, hasChangedMind(index) { return .may }
    return occurrence <= advertisingClosed ? .mustNot : .must
  }
}
