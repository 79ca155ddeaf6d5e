/// Where an install came from, as the device and Apple tell it.
public struct AttributionSource: Hashable, Sendable {
  /// The token of AdServices; empty where there is none, as in the simulator.
  public var token: String = ""
  /// How long the device takes for it, in milliseconds while it is awake.
  public var delay: Int64 = 300
  /// The device never tells it.
  public var isNever: Bool = false
  /// What Apple answers to the token.
  public var answer: String = AttributionSource.usualAnswer

  public init() {}

  /// The members that Apple documents, with values as its documentation shows them.
  public static let usualAnswer =
    #"{"attribution":true,"orgId":1234567,"campaignId":542370539,"conversionType":"Download","#
    + #""claimType":"Click","adGroupId":542317095,"countryOrRegion":"US","keywordId":87675432,"#
    + #""adId":542317136}"#
}
