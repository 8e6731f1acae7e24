import PlacesKit

extension ProviderSettings {
  /// Warnings, one line each: facts that are not mistakes and that an administrator should know.
  public func notes(for manifest: Manifest, locations: Locations = .current) -> [String] {
    [rateNote(for: manifest), budgetNote(for: manifest), credentialNote(locations: locations)].compactMap { $0 }
  }
}
