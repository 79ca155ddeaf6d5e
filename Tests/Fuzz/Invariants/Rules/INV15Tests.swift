import FuzzHistory
import FuzzInvariants
import SimKernel
import Testing

private let usualCredentials =
  "Authorization: Basic " + Base64.text((WireHistory.writeKey + ":").utf8)
private let usualAgent = "User-Agent: " + WireHistory.agent

@Suite("INV-15 What a request shows, and its end")
struct INV15Tests {
  private func start(_ options: HostOptions = HostOptions()) -> WireHistory {
    let builder = WireHistory(canaries: [
      Canary(kind: .appIdentity, text: "Kiosk"), Canary(kind: .appIdentity, text: "iPhone15,2"),
    ])
    builder.launch()
    builder.load(options)
    return builder
  }

  private func batch(_ headers: String) -> WireHistory {
    let builder = start()
    builder.batch(["a"], headers: headers)
    return builder
  }

  @Test("a config request and a batch as they should be")
  func healthy() {
    let builder = start()
    builder.exchange(["a"], 200)
    expectHealthy(builder, antecedent: "INV-15")
  }

  @Test(
    "credentials",
    arguments: [
      "", "Authorization: Basic cGs6", "Authorization: Bearer \(WireHistory.writeKey)",
      usualCredentials + "\nauthorization: Basic cGs6",
    ])
  func credentials(headers: String) {
    let builder = batch(usualAgent + (headers.isEmpty ? "" : "\n" + headers))
    expectFinding(
      "INV-15 a batch request has not the credentials of the write key", at: builder.last, builder)
  }

  @Test(
    "cookies and caches",
    arguments: [
      ("Cookie: a=b", "cookie"), ("If-None-Match: x", "if-none-match"),
      ("if-modified-since: x", "if-modified-since"),
    ])
  func cookies(header: String, name: String) {
    let builder = batch([usualCredentials, usualAgent, header].joined(separator: "\n"))
    expectFinding("INV-15 a request carries \(name)", at: builder.last, builder)
  }

  @Test(
    "a User-Agent of another shape",
    arguments: [
      "", "\nUser-Agent: Kiosk-like/1 CFNetwork/1", "\nUser-Agent: postlip-metrics-swift/",
      "\nUser-Agent: postlip-metrics-swift/0.1.0 (tablet)",
    ])
  func agents(agent: String) {
    let builder = batch(usualCredentials + agent)
    let findings = judgeWire(builder).findings
    #expect(findings.first?.signature == "INV-15 a User-Agent does not name the SDK")
    #expect(findings.first?.instant == builder.now)
  }

  @Test("a User-Agent with a name of the app")
  func identity() {
    let builder = batch(
      usualCredentials + "\nUser-Agent: postlip-metrics-swift/0.1.0-Kiosk")
    #expect(
      judgeWire(builder).findings.map(\.signature) == [
        "INV-15 a User-Agent does not name the SDK", "INV-15 a User-Agent names the app or device",
      ])
  }

  @Test("slashes of the host are cut, the key stands in the address of the config")
  func addresses() {
    var options = HostOptions()
    options.host = "https://h.example///"
    let builder = WireHistory()
    builder.launch()
    builder.call(.load(writeKey: "k", options: options))
    for (url, isRight) in [
      ("https://h.example/v1/config/k", true), ("https://h.example///v1/config/k", false),
      ("https://h.example/v1/config/", false), ("https://e.postlip.com/v1/config/k", false),
    ] {
      _ = builder.start(
        .config, url: url, headers: usualAgent, body: "", idle: 3_000, total: 3_000)
      #expect(judgeWire(builder).findings.isEmpty == isRight, "\(url)")
    }
    #expect(
      judgeWire(builder).findings.allSatisfy {
        $0.signature == "INV-15 a request goes to another address"
      })
  }

  @Test("a config request shows no credentials")
  func config() {
    let builder = WireHistory()
    builder.launch()
    builder.call(.load(writeKey: WireHistory.writeKey, options: HostOptions()))
    _ = builder.start(
      .config, url: "https://e.postlip.com/v1/config/" + WireHistory.writeKey,
      headers: usualAgent + "\n" + usualCredentials, body: "", idle: 3_000, total: 3_000
    )
    expectFinding("INV-15 a config request carries credentials", at: builder.last, builder)
  }

  @Test("timeouts", arguments: [(20_000 as UInt32, 60_000 as UInt32), (60_000, 120_000)])
  func timeouts(idle: UInt32, total: UInt32) {
    let builder = start()
    _ = builder.start(
      .collector, url: "https://e.postlip.com/v1/batch",
      headers: usualAgent + "\n" + usualCredentials,
      body: builder.body([builder.message("a")]), idle: idle, total: total)
    expectFinding("INV-15 a request has other timeouts", at: builder.last, builder)
  }

  @Test("a request that outlives its timeout, unless the process was suspended")
  func outlives() {
    let builder = start()
    let number = builder.batch(["a"])
    builder.wait(.seconds(122))
    builder.add(
      .exchangeEnded(exchange: number, end: .timedOut, status: 0, headers: .empty, body: .empty))
    expectFinding("INV-15 a request does not end by its timeout", at: builder.last, builder)
    let other = start()
    let second = other.batch(["a"])
    other.leave()
    other.add(.phase(.suspended))
    other.wait(.hours(1))
    other.add(.phase(.resumed))
    other.fail(second)
    expectHealthy(other, antecedent: "INV-15")
  }
}
