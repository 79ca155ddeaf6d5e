import Testing

@testable import SDK

@Suite("Requests")
struct ConnectionTests {
  @Test("URLs, credentials and the name of the SDK")
  func requests() {
    let connection = Connection(host: "https://e.postlip.com", writeKey: "pk_live/ü?1")
    let config = connection.configRequest()
    #expect(config.url == "https://e.postlip.com/v1/config/pk_live%2F%C3%BC%3F1")
    #expect(config.method == .get)
    #expect(config.headers == [HTTPHeader("User-Agent", "postlip-metrics-swift/0.1.0")])
    #expect(config.totalTimeoutMilliseconds == 3_000)
    let batch = connection.batchRequest([1], attempt: 4, policy: .postlip(flushAt: 20))
    #expect(batch.url == "https://e.postlip.com/v1/batch")
    #expect(batch.method == .post)
    #expect(batch.attempt == 4)
    #expect(
      batch.headers.first { $0.name == "Authorization" }?.value == "Basic cGtfbGl2ZS/DvD8xOg==")
    #expect(batch.headers.first { $0.name == "Content-Type" }?.value == "application/json")
    #expect(batch.idleTimeoutMilliseconds == 20_000)
    #expect(batch.totalTimeoutMilliseconds == 120_000)
  }

  @Test(
    "hosts that are taken",
    arguments: [
      ("https://e.postlip.com", "https://e.postlip.com"),
      ("https://e.postlip.com///", "https://e.postlip.com"), ("HTTP://a", "HTTP://a"),
      ("http://127.0.0.1:8080/", "http://127.0.0.1:8080"),
      ("https://[::1]:8443", "https://[::1]:8443"),
      ("https://proxy.example/metrics/", "https://proxy.example/metrics"),
    ])
  func validHosts(_ text: String, _ expected: String) {
    #expect(Host.parse(text) == expected)
  }

  @Test(
    "hosts that are not",
    arguments: [
      "", "/", "e.postlip.com", "https://", "https:///", "ftp://e.postlip.com", "https://a b",
      "https://user:pw@host", "https://host:port", "https://host:0", "https://host:65536",
      "https://host:", "https://é.com", "https://host?x", "https://host#x", "https://host/a?b",
      "https://-a", "https://.a", "https://[::1", "https://[xyz]", "https://a\n", "https//a",
      "://a",
    ])
  func invalidHosts(_ text: String) {
    #expect(Host.parse(text) == nil)
  }
}
