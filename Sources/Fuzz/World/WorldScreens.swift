import FuzzHistory
import FuzzScenario
import SDK
import SimKernel

/// Controllers that appear.
extension World {
  /// Controllers of the app appear in one turn of the main run loop; nothing happens while no code
  /// of the app can run.
  func appear(_ controllers: [ViewController], action: UInt32) {
    onThread(0) { self.show(controllers, action: action) }
  }

  private func show(_ controllers: [ViewController], action: UInt32) {
    guard let process = runningProcess else { return }
    if controllers.count > 1 { reach(.severalControllersAppeared) }
    if process.phase == .background { reach(.appearedInBackground) }
    for controller in controllers where process.isAlive {
      // One written form for one controller, however it came here.
      let bytes = recorder.history.storeName(controller.json.canonicalText())
      recorder.record(
        .controllerAppeared(
          controller: bytes, action: action,
          continuous: device.clocks.continuous(at: device.now)),
        process: process.ordinal, detail: UInt64(action), hashing: bytes)
      let facts = World.facts(controller)
      for hook in appearanceHooks {
        device.runCode(thread: 0) { hook(facts) }
      }
    }
  }

  private static func facts(_ controller: ViewController) -> ViewControllerFacts {
    func list(_ classes: [ControllerClass]) -> [ViewControllerClass] {
      classes.map { ViewControllerClass(name: $0.name, isFromApple: $0.isFromApple) }
    }
    return ViewControllerFacts(
      title: controller.title, classes: list(controller.classes),
      parents: controller.parents.map(list))
  }
}
