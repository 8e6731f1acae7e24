import PlacesKit

/// The default values of members that a provider leaves out of its JSON. A name has the same default in every object.
///
/// All other members are required: of a manifest `plugin`, `name`, `version`, `summary` and `terms.source`; of a suggestion `kind`
/// and `text`; of a place `id`.
enum WireDefaults {
  static let members: [String: JSONValue] = [
    // Pages and rows
    "rows": [], "exhaustive": false, "matches": [], "types": [], "attributions": [], "values": [:], "evidence": [:], "otherNames": [],
    "equivalents": [],
    // Manifests and capabilities
    "hosts": [], "settings": [], "credential": "none", "needsBaseURL": false, "needsCredential": false, "countries": [],
    "givesCoordinates": true, "givesLocalNames": false, "typeWords": [:], "rate": [:], "prices": [:], "parameters": [:],
    "minimumLetters": 1, "maximumRows": 20, "kinds": ["place"], "narrows": false, "fields": [], "pages": false,
    // Settings, rates, prices
    "required": false, "choices": [], "burst": 1, "concurrent": 8, "currency": "USD", "classes": [], "calls": [:], "fieldClasses": [:],
    "freePerMonth": 0, "idleSeconds": 180,
    // HTTP
    "method": "GET", "path": [], "query": [], "headers": [], "prefix": "",
  ]
}
