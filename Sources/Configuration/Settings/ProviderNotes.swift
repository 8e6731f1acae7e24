import PlacesKit

extension ProviderSettings {
  /// One line for each fact that is not a mistake but that an administrator should know.
  public func notes(for manifest: Manifest, locations: Locations = .current) -> [String] {
    [rateNote(for: manifest), budgetNote(for: manifest), credentialNote(locations: locations)].compactMap { $0 }
  }
}
