import Linux
import PlacesKit

/// `[providers.ID.rate]`: rate limits that replace those of the manifest; nil for the manifest's value.
public struct RateSettings: Sendable, Hashable {
  public var perSecond: Double?
  public var burst: Int?
  public var concurrent: Int?

  public init() {}

  static var keys: [KeyDefinition<RateSettings>] {
    [
      KeyDefinition(optional: "per_second", \.perSecond, .number(0.001...10_000), "Calls per second."),
      KeyDefinition(optional: "burst", \.burst, .integer(1...10_000), "The maximum number of calls in a burst."),
      KeyDefinition(optional: "concurrent", \.concurrent, .integer(1...Rate.maxConcurrent), "The maximum number of concurrent calls."),
    ]
  }
}

extension ProviderSettings {
  /// The provider's rate limit. It is at most the manifest's, unless the service is self-hosted or a licence applies; in these cases, the
  /// configured limit applies. A self-hosted service at a private address has no limit of calls per second unless one is configured.
  public func rate(from manifest: Manifest) -> Rate {
    let isSelfHosted = usesSelfHostedService(manifest)
    let mayExceedManifest = isSelfHosted || licenseOverride != nil
    var result = manifest.rate
    // Without `base_url`, a service is self-hosted only if all its addresses are private.
    let host = baseURL.flatMap(ServiceURL.init)?.host
    if isSelfHosted, host.map(ProviderSettings.isPrivate) ?? true { result.perSecond = nil }
    if let perSecond = rate.perSecond { result.perSecond = mayExceedManifest ? perSecond : min(perSecond, result.perSecond ?? perSecond) }
    if let burst = rate.burst { result.burst = mayExceedManifest ? burst : min(burst, result.burst) }
    if let concurrent = rate.concurrent { result.concurrent = mayExceedManifest ? concurrent : min(concurrent, result.concurrent) }
    result.concurrent = min(result.concurrent, Rate.maxConcurrent)
    return result
  }

  /// A note that names the parts of `rate` that the manifest does not allow; nil if it allows all of them.
  public func rateNote(for manifest: Manifest) -> String? {
    let allowed = rate(from: manifest)
    var reducedValues: [String] = []
    if let configured = rate.perSecond, let perSecond = allowed.perSecond, perSecond < configured {
      reducedValues.append("per_second = \(perSecond)")
    }
    if let configured = rate.burst, allowed.burst < configured { reducedValues.append("burst = \(allowed.burst)") }
    if let configured = rate.concurrent, allowed.concurrent < configured { reducedValues.append("concurrent = \(allowed.concurrent)") }
    guard !reducedValues.isEmpty else { return nil }
    return
      "[providers.\(id)] is limited to \(reducedValues.joined(separator: ", ")) by its plugin's manifest: `rate` may exceed that only for a "
      + "service of your own or with `license_override`"
  }

  /// True if `base_url` names a self-hosted service. The host of such a service is neither one of the plugin's hosts nor in the parent
  /// domain of one: for a plugin of nominatim.openstreetmap.org, no server of openstreetmap.org is self-hosted. A plugin without
  /// hosts calls the addresses in its settings; they are self-hosted if all of them are private.
  public func usesSelfHostedService(_ manifest: Manifest) -> Bool {
    guard let labels = baseURL.flatMap(ServiceURL.init)?.host.split(separator: ".") else {
      let calledHosts = manifest.hosts.isEmpty ? settingsHosts(manifest) : []
      return !calledHosts.isEmpty && calledHosts.allSatisfy(ProviderSettings.isPrivate)
    }
    return !manifest.hosts.contains { host in
      let hostLabels = host.lowercased().split(separator: ".")
      return labels.suffix(hostLabels.count) == hostLabels[...]
        || hostLabels.count > 2 && labels.suffix(hostLabels.count - 1) == hostLabels.dropFirst()
    }
  }

  /// The public host whose rate limit the provider shares with all other providers that use this host without a key; nil for a self-hosted
  /// service, or if the limit applies to the key.
  public func sharedHost(_ manifest: Manifest) -> String? {
    guard !manifest.needsCredential, licenseOverride == nil, !usesSelfHostedService(manifest) else { return nil }
    return manifest.hosts.first?.lowercased() ?? settingsHosts(manifest).first
  }

  /// The hosts of the addresses in the plugin's own settings.
  private func settingsHosts(_ manifest: Manifest) -> [String] {
    manifest.settings.filter { $0.kind == .url }.compactMap { settings[$0.name]?.value.string.flatMap(ServiceURL.init)?.host }
  }

  /// The web origins (scheme, host and port) to which the provider may send requests: the origin of `base_url` or, without it, those of the
  /// manifest's hosts; and the origins of the addresses in the plugin's own settings.
  public func origins(_ manifest: Manifest) -> [String] {
    let addresses = manifest.settings.filter { $0.kind == .url }.compactMap { settings[$0.name]?.value.string }
    let serviceAddresses = baseURL.map { [$0] } ?? manifest.hosts.map { "https://\($0.lowercased())" }
    return (serviceAddresses + addresses).compactMap { ServiceURL($0)?.origin }
  }

  /// True if a host is a private address.
  static func isPrivate(_ host: String) -> Bool {
    host == "localhost" || InternetAddress(host.filter { $0 != "[" && $0 != "]" })?.isPublic == false
  }
}
