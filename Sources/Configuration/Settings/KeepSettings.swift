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
    let years = 0.0...3_153_600_000.0
    return [
      KeyDefinition(optional: "ids_seconds", \.idsSeconds, .number(years), "How long ids are stored."),
      KeyDefinition(optional: "coordinates_seconds", \.coordinatesSeconds, .number(years), "How long coordinates are stored."),
      KeyDefinition(optional: "other_seconds", \.otherSeconds, .number(years), "How long everything else is stored."),
      KeyDefinition(optional: "negative_seconds", \.negativeSeconds, .number(years), "How long an empty answer is stored."),
      KeyDefinition(optional: "stale_seconds", \.staleSeconds, .number(years), "How long after its expiry an answer may still be served."),
    ]
  }
}

extension ProviderSettings {
  /// The terms of the instance: the manifest's, made stricter by the configuration or, under a licence, replaced by it.
  public func terms(from manifest: Manifest) -> Terms {
    let licensed = licenseOverride != nil
    // Nil means without limit in the contract, and not set in the configuration.
    func shorter(_ configured: Double?, _ contract: Double?) -> Double? {
      guard let configured else { return contract }
      return licensed ? configured : min(configured, contract ?? configured)
    }
    var terms = manifest.terms
    terms.idsSeconds = shorter(keep.idsSeconds, terms.idsSeconds)
    terms.coordinatesSeconds = shorter(keep.coordinatesSeconds, terms.coordinatesSeconds)
    terms.otherSeconds = shorter(keep.otherSeconds, terms.otherSeconds)
    terms.negativeSeconds = shorter(keep.negativeSeconds, terms.negativeSeconds) ?? 0
    terms.staleSeconds = shorter(keep.staleSeconds, terms.staleSeconds) ?? 0
    switch merge {
    case .terms: break
    case .never: terms.mixing = .never
    case .free: if licensed { terms.mixing = .free }
    }
    if shareBetweenUsers {
      if licensed { terms.isolation = .system }
    } else if manifest.leavesMachine, terms.isolation == .system {
      terms.isolation = .user
    }
    return terms
  }
}
