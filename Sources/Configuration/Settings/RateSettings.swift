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
      Key(optional: "concurrent", \.concurrent, .integer(1...Rate.mostConcurrent), "Calls at once."),
    ]
  }
}

extension ProviderSettings {
  /// The rate that the instance keeps: at most the manifest's, except at a service of one's own or under a licence, where the
  /// configuration decides.
  public func rate(from manifest: Manifest) -> Rate {
    let free = asksOwnService(manifest) || licenseOverride != nil
    var result = manifest.rate
    if let perSecond = rate.perSecond { result.perSecond = free ? perSecond : min(perSecond, result.perSecond ?? perSecond) }
    if let burst = rate.burst { result.burst = free ? burst : min(burst, result.burst) }
    if let concurrent = rate.concurrent { result.concurrent = free ? concurrent : min(concurrent, result.concurrent) }
    result.concurrent = min(result.concurrent, Rate.mostConcurrent)
    return result
  }

  /// Whether `base_url` names a service of one's own. The plugin's hosts and their neighbours, such as every server of
  /// openstreetmap.org for one that asks nominatim.openstreetmap.org, stay their operator's, however they are written.
  func asksOwnService(_ manifest: Manifest) -> Bool {
    guard let labels = baseURL.flatMap(ServiceURL.init)?.host.split(separator: ".") else { return false }
    return !manifest.hosts.contains { host in
      let operators = host.lowercased().split(separator: ".")
      return labels.suffix(operators.count) == operators[...]
        || operators.count > 2 && labels.suffix(operators.count - 1) == operators.dropFirst()
    }
  }
}
