import PlacesKit

extension ProviderSettings {
  /// What is no mistake and should be known all the same: a line each, the same for everybody who checks a configuration.
  public func notes(for manifest: Manifest, locations: Locations = .current) -> [String] {
    [rateNote(for: manifest), budgetNote(for: manifest), credentialNote(locations: locations)].compactMap { $0 }
  }
}
