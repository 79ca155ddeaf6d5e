import FuzzHistory
import SimKernel

/// What must have been sent, folded from the host calls by the requirements alone.
public final class ReferenceModel {
  let arena: UnsafeRawBufferPointer

  init(history: History, arena: UnsafeRawBufferPointer) {
    self.arena = arena
  }

  func take(_ record: Record, _ context: JudgeContext) {}

  func counts(_ context: JudgeContext) -> MessageCounts { MessageCounts() }
}
