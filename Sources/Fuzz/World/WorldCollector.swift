import FuzzHistory
import SimKernel

/// What the collector does with what it accepted, written down.
extension World {
  /// An answer has gone out: what it accepts is taken in.
  func collect(_ exchange: UInt32, _ wire: WireRequest, _ answer: HostAnswer) {
    guard deeds != nil, (200..<300).contains(answer.status) else { return }
    guard let body = try? JSONValue.parse(answer.body.isEmpty ? Array("{}".utf8) : answer.body),
      body.object != nil
    else { return }
    let rejected = (body["rejected"]?.array ?? []).compactMap { $0["messageId"]?.string }
    let bytes = Array(recorder.history.bytes(wire.body))
    bytes.withUnsafeBytes { body in
      for (place, range) in (wire.messages ?? []).enumerated() {
        let message = UnsafeRawBufferPointer(rebasing: body[range])
        if !rejected.isEmpty, let id = (try? JSONValue.parse(message))?["messageId"]?.string,
          rejected.contains(id)
        {
          continue
        }
        take(message, wire, exchange, UInt16(place))
      }
    }
  }

  private func take(
    _ message: UnsafeRawBufferPointer, _ wire: WireRequest, _ exchange: UInt32, _ place: UInt16
  ) {
    guard
      let taken = deeds?.take(
        message, userAgent: wire.userAgent, exchange: exchange, place: place)
    else { return }
    for deed in taken.deeds { record(deed, exchange, place) }
    guard let number = taken.delivery, let settings = deeds?.settings else { return }
    simulation.schedule(
      Event(
        instant: device.now + .milliseconds(settings.deliveryMilliseconds), actor: 4,
        kind: EventKind.delivery, payload: UInt32(number)))
  }

  func deliverConversion(_ number: UInt32) {
    guard let delivery = deeds?.deliver(Int(number)) else { return }
    reach(.conversionDelivered)
    for deed in delivery.deeds {
      record(deed, delivery.conversion.exchange, delivery.conversion.place)
    }
  }

  private func record(_ deed: CollectorDeeds.Deed, _ exchange: UInt32, _ place: UInt16) {
    recorder.record(
      .collected(
        deed.kind, exchange: exchange, place: place, bytes: recorder.history.store(deed.bytes)),
      process: -1, detail: UInt64(exchange) << 16 | UInt64(deed.kind.rawValue))
  }
}
