/// Why bytes are no JSON document, and where.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong with a text.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case unexpectedByte = "a byte that cannot stand here"
    case unexpectedEnd = "the bytes end too early"
    case invalidNumber = "a malformed number"
    case numberOutOfRange = "a number that no double holds"
    case invalidEscape = "a malformed escape"
    case invalidUTF8 = "bytes that are not UTF-8"
    case controlCharacter = "a bare control character in a string"
    case tooDeep = "nesting beyond the bound"
    case trailingBytes = "bytes after the end of the document"
  }

  public var kind: Kind
  /// The byte at which reading stopped, from 0.
  public var offset: Int

  public init(_ kind: Kind, at offset: Int) {
    self.kind = kind
    self.offset = offset
  }

  public var description: String { "\(kind.rawValue), at byte \(offset)" }
}
