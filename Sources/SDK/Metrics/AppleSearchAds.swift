/// Apple's attribution API (ATT-04 to ATT-08).
enum AppleSearchAds {
  private static let url = "https://api-adservices.apple.com/api/v1/"
  /// The members of an answer that are documented, sorted.
  private static let keys = [
    "adGroupId", "adId", "attribution", "campaignId", "claimType", "clickDate", "conversionType",
    "countryOrRegion", "keywordId", "orgId",
  ]
  /// An answer that would take more of a message than this is none.
  private static let mostBytes = 4_096
  /// The first system that has tokens.
  private static let firstSystem = (major: 14, minor: 3)

  /// Whether a system has tokens (OPT-16).
  static func isOffered(bySystem version: String) -> Bool {
    let parts = version.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
    guard let first = parts.first, let major = first else { return false }
    let minor = parts.count > 1 ? parts[1] ?? 0 : 0
    return (major, minor) >= firstSystem
  }

  /// The request with a token. Nothing in it is the app's or the user's, and none of it goes
  /// anywhere else.
  static func request(token: String, attempt: UInt32, policy: LanePolicy) -> HTTPRequest {
    HTTPRequest(
      purpose: "attribution", attempt: attempt, method: .post, url: url,
      headers: [
        HTTPHeader("Content-Type", "text/plain"), HTTPHeader("User-Agent", Library.userAgent),
      ], body: Array(token.utf8), idleTimeoutMilliseconds: policy.idleTimeoutMilliseconds,
      totalTimeoutMilliseconds: policy.totalTimeoutMilliseconds)
  }

  /// The documented part of an answer with its values as given (ATT-05); nil where there is none.
  static func documentedPart(of body: [UInt8]) -> [UInt8]? {
    guard let answer = JSONParser.parse(body), case .object = answer else { return nil }
    var bytes: [UInt8] = []
    for key in keys {
      guard let value = answer[key] else { continue }
      bytes.append(bytes.isEmpty ? 0x7B : 0x2C)
      bytes.append(jsonString: key)
      bytes.append(0x3A)
      append(value, to: &bytes)
      if bytes.count > mostBytes { return nil }
    }
    if bytes.isEmpty { return nil }
    bytes.append(0x7D)
    return bytes
  }

  /// Writes a value; numbers keep the form in which they were read.
  private static func append(_ value: JSONValue, to bytes: inout [UInt8]) {
    switch value {
    case .null: bytes.append(ascii: "null")
    case .bool(let value): bytes.append(ascii: value ? "true" : "false")
    case .number(let text): bytes.append(contentsOf: text.utf8)
    case .string(let text): bytes.append(jsonString: text)
    case .array(let elements):
      bytes.append(0x5B)
      for (place, element) in elements.enumerated() {
        if place > 0 { bytes.append(0x2C) }
        append(element, to: &bytes)
      }
      bytes.append(0x5D)
    case .object(let members):
      bytes.append(0x7B)
      for (place, member) in members.enumerated() {
        if place > 0 { bytes.append(0x2C) }
        bytes.append(jsonString: member.key)
        bytes.append(0x3A)
        append(member.value, to: &bytes)
      }
      bytes.append(0x7D)
    }
  }
}

/// What becomes known of an install while `$first_open` waits.
struct InstallFacts: Hashable, Sendable {
  /// The documented part of Apple's answer; nil where there is none.
  var appleSearchAds: [UInt8]?
}

extension Distribution {
  /// `context.install.installer` (ATT-02, ATT-03).
  var installer: String? {
    switch self {
    case .appStore: return "app_store"
    case .testFlight, .development: return "testflight"
    case .simulator: return nil
    }
  }
}

extension InstallFacts {
  /// `context.install` with its name and a trailing comma; what is not known is left out (ATT-01,
  /// LIF-10).
  static func member(_ facts: InstallFacts?, _ distribution: Distribution) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(ascii: "\"install\":{")
    if let attribution = facts?.appleSearchAds {
      bytes.append(ascii: "\"appleSearchAds\":")
      bytes.append(contentsOf: attribution)
    }
    if let installer = distribution.installer {
      if facts?.appleSearchAds != nil { bytes.append(0x2C) }
      bytes.append(ascii: "\"installer\":")
      bytes.append(jsonString: installer)
    }
    bytes.append(ascii: "},")
    return bytes
  }
}
