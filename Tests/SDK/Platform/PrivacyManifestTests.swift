import Foundation
import Testing

@testable import SDK

@Suite("The privacy manifest")
struct PrivacyManifestTests {
  private func manifest() throws -> [String: Any] {
    let url = try #require(
      Bundle.module.url(forResource: "PrivacyInfo", withExtension: "xcprivacy"))
    let value = try PropertyListSerialization.propertyList(
      from: Data(contentsOf: url), format: nil)
    return try #require(value as? [String: Any])
  }

  @Test("it is a resource of the package, with four parts (PRV-15)")
  func parts() throws {
    #expect(
      try manifest().keys.sorted() == [
        "NSPrivacyAccessedAPITypes", "NSPrivacyCollectedDataTypes", "NSPrivacyTracking",
        "NSPrivacyTrackingDomains",
      ])
  }

  @Test("nobody is tracked, and no domain tracks (PRV-10)")
  func tracking() throws {
    let manifest = try manifest()
    #expect(manifest["NSPrivacyTracking"] as? Bool == false)
    #expect((manifest["NSPrivacyTrackingDomains"] as? [String])?.isEmpty == true)
  }

  @Test("it declares seven kinds of data, and no contact data (PRV-11, PRV-13, PRV-14)")
  func collected() throws {
    let types = try #require(
      try manifest()["NSPrivacyCollectedDataTypes"] as? [[String: Any]])
    let prefix = "NSPrivacyCollectedDataType"
    let names = try types.map { type in
      let name = try #require(type[prefix] as? String)
      #expect(name.hasPrefix(prefix))
      #expect(type[prefix + "Tracking"] as? Bool == false)
      #expect(type[prefix + "Linked"] as? Bool == true)
      #expect(type[prefix + "Purposes"] as? [String] == [prefix + "PurposeAnalytics"])
      return String(name.dropFirst(prefix.count))
    }
    #expect(
      names == [
        "ProductInteraction", "CrashData", "PerformanceData", "DeviceID", "UserID",
        "AdvertisingData", "CoarseLocation",
      ])
  }

  @Test("the boot time is the one interface that needs a reason (PRV-12)")
  func reasons() throws {
    let types = try #require(try manifest()["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
    #expect(types.count == 1)
    #expect(
      types.first?["NSPrivacyAccessedAPIType"] as? String
        == "NSPrivacyAccessedAPICategorySystemBootTime")
    #expect(types.first?["NSPrivacyAccessedAPITypeReasons"] as? [String] == ["35F9.1"])
  }
}
