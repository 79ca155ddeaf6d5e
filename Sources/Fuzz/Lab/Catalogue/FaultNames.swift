import SimKernel

extension FaultKind {
  /// The name in catalogues, scenarios and reports: `network.reset_after`.
  public var catalogueName: String {
    var words: [String] = [""]
    for character in String(describing: self) {
      if character.isUppercase { words.append("") }
      words[words.count - 1].append(contentsOf: character.lowercased())
    }
    return words.count == 1
      ? words[0] : words[0] + "." + words.dropFirst().joined(separator: "_")
  }
}
