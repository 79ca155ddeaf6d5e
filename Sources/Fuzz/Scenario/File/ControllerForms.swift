import FuzzHistory
import SimKernel

extension Form where Value == ControllerClass {
  /// `Kiosk.HomeController`, or `apple/UIViewController` for one of the system's.
  static let controllerClass = Form<String>.text.map(
    to: { (text, place) throws(ScenarioFileError) in
      let value = ControllerClass(text: text)
      if value.name.isEmpty {
        throw place.error(
          "a class has no name",
          "write it like \"Kiosk.HomeController\" or \"apple/UIViewController\"")
      }
      return value
    }, from: { $0.text })
}

extension Form where Value == ViewController {
  /// A controller in one line: its title, its classes, and those of its parents.
  static let controller = Form(
    write: { controller in
      var writer = FieldWriter()
      writer.add("title", .text, ifPresent: controller.title)
      writer.add("classes", Form<ControllerClass>.controllerClass.list, controller.classes)
      writer.add(
        "parents", Form<ControllerClass>.controllerClass.list.list, controller.parents, unless: [])
      return writer.value
    },
    read: { (json, place) throws(ScenarioFileError) in
      var reader = try FieldReader(json, place, "a controller")
      let title = try reader.optional("title", .text)
      let classes = try reader.required("classes", Form<ControllerClass>.controllerClass.list)
      let parents = try reader.value(
        "parents", Form<ControllerClass>.controllerClass.list.list, else: [])
      try reader.finish()
      return ViewController(title: title, classes: classes, parents: parents)
    })
}
