import FuzzHistory
import SimKernel

@testable import FuzzInvariants

/// Lifecycle events in a history built by hand.
extension StoryBuilder {
  /// Options with which lifecycle events are sent.
  static var lifecycle: HostOptions {
    var options = HostOptions()
    options.trackLifecycle = true
    return options
  }

  func appOpen(fromBackground: Bool = false) -> Message {
    event("$app_open", "{\"from_background\":\(fromBackground)}")
  }

  /// `$first_open` as of now.
  /// - Parameter attribution: what is told of Apple's answer, braces included.
  func firstOpen(id: String? = nil, attribution: String? = nil) -> Message {
    var message = event("$first_open", "{}", id: id)
    let known = attribution.map { "\"appleSearchAds\":\($0)," } ?? ""
    message.text = message.text.replacing(
      "\"library\":", with: "\"install\":{\(known)\"installer\":\"app_store\"},\"library\":")
    return message
  }

  func appUpdated(from version: String, _ build: String, id: String? = nil) -> Message {
    event(
      "$app_updated",
      "{\"build\":\"\(self.build)\",\"previous_build\":\"\(build)\","
        + "\"previous_version\":\"\(version)\",\"version\":\"\(self.version)\"}",
      id: id ?? "00000000-0000-8000-8000-0000000000a1")
  }

  func event(_ name: String, _ properties: String, id: String? = nil) -> Message {
    let id = id ?? drawId()
    return message(
      "\"event\":\"\(name)\",\"messageId\":\"\(id)\",\"properties\":\(properties)", id,
      type: "track", userId: userId)
  }

  /// The device is asked for the token of the install, and has none.
  func tellFacts() {
    record(.attributionTokenAsked)
    record(.attributionTokenTold(token: .empty))
  }

  /// Writes the record of the install.
  /// - Parameter marks: members before `version`.
  func keepInstall(_ marks: String) {
    let text = "{\"anonymousId\":\"\(anonymousId)\",\(marks),\"version\":1}"
    disk(.write, StoryBuilder.install, Array(text.utf8))
  }

  func pendingMark(_ id: String, time: Int64) -> String {
    "\"firstOpen\":{\"messageId\":\"\(id)\",\"sessionId\":\"\(sessionId)\",\"time\":\(time)}"
  }

  /// The process loads with the app in the foreground, having read the record of its install.
  /// - Returns: its `$app_open`.
  func loadInFront(_ options: HostOptions? = nil) -> Message {
    beginLoad(options ?? StoryBuilder.lifecycle)
    disk(.read, StoryBuilder.install)
    let open = appOpen()
    finishConfig()
    return open
  }

  /// The process ends, and another one of the same install and session is launched.
  func launchAgain(version: String? = nil, build: String? = nil) {
    pass(.seconds(3))
    end(.memoryKill)
    pass(.seconds(10))
    let (visitor, session, isFresh) = (anonymousId, sessionId, startsSession)
    self.version = version ?? self.version
    self.build = build ?? self.build
    launch()
    (anonymousId, sessionId, startsSession) = (visitor, session, isFresh)
  }
}
