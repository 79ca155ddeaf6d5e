import Foundation
import FuzzHistory

/// Requests and answers in words.
enum RequestWords {
  /// What a request carries: method, path, messages and who sends them, bytes.
  /// - Parameters:
  ///   - clock: what the clock of the device shows.
  ///   - senders: those who sent before, and now these.
  static func text(
    isPost: Bool, url: String, body: ArraySlice<UInt8>, clock: String,
    senders: inout SenderWords
  ) -> String {
    var text = (isPost ? "POST " : "GET ") + path(of: url)
    if let json = try? JSONValue.parse(body), let batch = json["batch"]?.array {
      text += ", \(batch.count) message\(batch.count == 1 ? "" : "s")"
      let names = batch.prefix(3).compactMap { message in
        (message["event"] ?? message["name"] ?? message["type"])?.string.map {
          CallWords.quoted($0)
        }
      }
      if !names.isEmpty {
        text += " (\(names.joined(separator: " "))\(batch.count > names.count ? " …" : ""))"
      }
      text += senders.text(json, clock: clock)
    }
    return body.isEmpty ? text : text + ", \(body.count) bytes"
  }

  /// What an answer says beyond its status.
  static func answer(headers: String, body: ArraySlice<UInt8>) -> String {
    var words: [String] = []
    for line in headers.split(separator: "\n") where line.lowercased().hasPrefix("retry-after") {
      words.append(String(line))
    }
    let json = try? JSONValue.parse(body)
    if let rejected = json?["rejected"]?.array, !rejected.isEmpty {
      words.append("\(rejected.count) rejected")
    }
    if let warnings = json?["warnings"]?.array, !warnings.isEmpty {
      words.append("\(warnings.count) warnings")
    }
    if json == nil, !body.isEmpty { words.append("\(body.count) bytes that are no JSON") }
    return words.isEmpty ? "" : " (\(words.joined(separator: ", ")))"
  }

  private static func path(of url: String) -> String {
    guard let scheme = url.range(of: "://") else { return url }
    guard let slash = url[scheme.upperBound...].firstIndex(of: "/") else { return "/" }
    return String(url[slash...])
  }
}
