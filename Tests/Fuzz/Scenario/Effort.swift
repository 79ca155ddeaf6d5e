/// How hard a property test tries: the many runs belong to release builds.
enum Effort {
  static func runs(_ debug: Int, release: Int) -> Int {
    #if DEBUG
      return debug
    #else
      return release
    #endif
  }
}
