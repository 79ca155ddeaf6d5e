import FuzzHistory
import SimKernel

/// What ends and begins sessions, and who an install is, in a history built by hand.
extension StoryBuilder {
  func leave() {
    record(.phase(.inactive))
    record(.phase(.background))
  }

  func comeBack() {
    record(.phase(.inactive))
    record(.phase(.active))
  }

  /// The record of the install is replaced.
  func replaceInstall(naming visitor: String) {
    let path = StoryBuilder.storage + "/install.json"
    disk(.write, path + ".new", Array("{\"anonymousId\":\"\(visitor)\",\"version\":1}".utf8))
    disk(.rename, path + ".new", target: path)
  }

  func beginSession() {
    sessionId = drawId()
    startsSession = true
  }

  /// The process ends after a while, and another one of the same install starts under consent.
  func relaunch(after span: TimeSpan = .seconds(10), _ options: HostOptions? = nil) {
    pass(.seconds(3))
    end(.memoryKill)
    pass(span)
    let (visitor, session, isFresh) = (anonymousId, sessionId, startsSession)
    launch()
    (anonymousId, sessionId, startsSession) = (visitor, session, isFresh)
    load(options)
  }
}
