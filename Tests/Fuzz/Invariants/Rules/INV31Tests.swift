import FuzzHistory
import FuzzInvariants
import SimKernel
import Testing

@Suite("INV-31 No trait on disk")
struct INV31Tests {
  private static let trait = "ᎠᎵᏊᏟᎠᎵᏊᏟ"
  private static let property = "ᎡᎶᏋᏠᎡᎶᏋᏠ"

  private func start() -> WireHistory {
    let builder = WireHistory(canaries: [
      Canary(kind: .trait, text: INV31Tests.trait),
      Canary(kind: .property, text: INV31Tests.property),
    ])
    builder.launch()
    builder.load()
    builder.makeFolder()
    builder.call(
      .identify(userId: "u", traits: [PropertyEntry("email", .string(INV31Tests.trait))]))
    return builder
  }

  @Test("a property may be stored, a trait may be sent")
  func healthy() {
    let builder = start()
    builder.disk(.append, WireHistory.journal, bytes: Array(INV31Tests.property.utf8))
    expectHealthy(builder, antecedent: "INV-31")
  }

  @Test("a trait in a file is found", arguments: [DiskOperation.write, .append, .overwrite])
  func onDisk(operation: DiskOperation) {
    let builder = start()
    builder.disk(operation, "/x", bytes: Array("{\"a\":\"\(INV31Tests.trait)\"}".utf8))
    expectFinding("INV-31 a trait is on disk (plain)", at: builder.last, builder)
  }

  @Test("also a part of it, in base64, and in a file's name")
  func forms() {
    var builder = start()
    builder.disk(.append, "/x", bytes: Array(INV31Tests.trait.utf8.prefix(13)))
    expectFinding("INV-31 a trait is on disk (plain)", at: builder.last, builder)
    builder = start()
    builder.disk(.append, "/x", bytes: Base64.encode(Array("id=\(INV31Tests.trait)".utf8)))
    expectFinding("INV-31 a trait is on disk (base64)", at: builder.last, builder)
    builder = start()
    builder.disk(.write, "/x", bytes: [1])
    builder.disk(.rename, "/x", to: "/" + INV31Tests.trait)
    expectFinding("INV-31 a trait is on disk (plain)", at: builder.last, builder)
  }
}
