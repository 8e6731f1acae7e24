import PlacesKit

/// `[providers.ID.keep]`: how long data is stored, in seconds; nil for as long as the terms allow.
public struct KeepSettings: Sendable, Hashable {
  public var idsSeconds: Double?
  public var coordinatesSeconds: Double?
  public var otherSeconds: Double?
  public var negativeSeconds: Double?
  public var staleSeconds: Double?

  public init() {}

  static var keys: [KeyDefinition<KeepSettings>] {
    let upToHundredYears = 0.0...3_153_600_000.0
    return [
      KeyDefinition(optional: "ids_seconds", \.idsSeconds, .number(upToHundredYears), "How long ids are stored."),
      KeyDefinition(optional: "coordinates_seconds", \.coordinatesSeconds, .number(upToHundredYears), "How long coordinates are stored."),
      KeyDefinition(optional: "other_seconds", \.otherSeconds, .number(upToHundredYears), "How long everything else is stored."),
      KeyDefinition(optional: "negative_seconds", \.negativeSeconds, .number(upToHundredYears), "How long an empty answer is stored."),
      KeyDefinition(
        optional: "stale_seconds", \.staleSeconds, .number(upToHundredYears), "How long after its expiry an answer may still be served."),
    ]
  }
}

extension ProviderSettings {
  /// The provider's terms: those of the manifest, made stricter by the configuration or, under a licence, replaced by the configuration.
  public func terms(from manifest: Manifest) -> Terms {
    let isLicensed = licenseOverride != nil
    // In the terms, nil means that there is no limit; in the configuration, that the key is not set.
    func duration(_ configured: Double?, _ allowed: Double?) -> Double? {
      guard let configured else { return allowed }
      return isLicensed ? configured : min(configured, allowed ?? configured)
    }
    var terms = manifest.terms
    terms.idsSeconds = duration(keep.idsSeconds, terms.idsSeconds)
    terms.coordinatesSeconds = duration(keep.coordinatesSeconds, terms.coordinatesSeconds)
    terms.otherSeconds = duration(keep.otherSeconds, terms.otherSeconds)
    terms.negativeSeconds = duration(keep.negativeSeconds, terms.negativeSeconds) ?? 0
    terms.staleSeconds = duration(keep.staleSeconds, terms.staleSeconds) ?? 0
    switch merge {
    case .terms: break
    case .never: terms.mixing = .never
    case .free: if isLicensed { terms.mixing = .free }
    }
    if shareBetweenUsers {
      if isLicensed { terms.isolation = .system }
    } else if manifest.leavesMachine, terms.isolation == .system {
      terms.isolation = .user
    }
    return terms
  }
}
