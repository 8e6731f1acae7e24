import PlacesKit

/// `[providers.ID.rate]`: what replaces the manifest's rate; nil keeps it.
public struct RateSettings: Sendable, Hashable {
  public var perSecond: Double?
  public var burst: Int?
  public var concurrent: Int?

  public init() {}

  static var keys: [Key<RateSettings>] {
    [
      Key(optional: "per_second", \.perSecond, .number(0.001...10_000), "Calls a second."),
      Key(optional: "burst", \.burst, .integer(1...10_000), "Calls that may come at once after a quiet time."),
      Key(optional: "concurrent", \.concurrent, .integer(1...1_000), "Calls at once."),
    ]
  }
}

extension ProviderSettings {
  /// The rate that the instance keeps: at most the manifest's, except at a service of one's own (`base_url`) or under a
  /// licence, where the configuration decides.
  public func rate(from manifest: Rate) -> Rate {
    let free = baseURL != nil || licenseOverride != nil
    var result = manifest
    if let perSecond = rate.perSecond { result.perSecond = free ? perSecond : min(perSecond, manifest.perSecond ?? perSecond) }
    if let burst = rate.burst { result.burst = free ? burst : min(burst, manifest.burst) }
    if let concurrent = rate.concurrent { result.concurrent = free ? concurrent : min(concurrent, manifest.concurrent) }
    return result
  }
}
