/// The properties of `$crash`, which tells of a crash or of a hang (CRA-05, HNG-01).
struct CrashProperties {
  var app: AppVersion
  var isFatal: Bool
  var kind: StaticString
  /// A signal has neither message nor stack (CRA-17).
  var message: String?
  /// The path of the screen that shows.
  var path: String
  var stack: String?
  var stackHash: String
  var thread: String
  var type: String

  /// A JSON object with sorted keys.
  var json: [UInt8] {
    var bytes: [UInt8] = []
    func add(_ key: StaticString, _ text: String?) {
      guard let text else { return }
      bytes.append(bytes.isEmpty ? 0x7B : 0x2C)
      bytes.append(ascii: key)
      bytes.append(jsonString: text)
    }
    add("\"app_build\":", app.build)
    add("\"app_version\":", app.version)
    bytes.append(ascii: isFatal ? ",\"fatal\":true" : ",\"fatal\":false")
    add("\"kind\":", "\(kind)")
    add("\"message\":", message)
    add("\"path\":", path)
    add("\"stack\":", stack)
    add("\"stack_hash\":", stackHash)
    add("\"thread\":", thread)
    add("\"type\":", type)
    bytes.append(0x7D)
    return bytes
  }
}
