import PlacesAPI
import PlacesKit

extension Plan {
  /// The plan for an autocomplete request.
  static func autocomplete(_ request: AutocompleteRequest, _ manifest: Manifest) throws(Skip) -> Plan {
    var planner = try Planner(manifest, for: .autocomplete)
    let capability = planner.capability
    guard manifest.terms.autocompleteAllowed else {
      throw Skip("terms", "\(manifest.name) must not be called on keystrokes")
    }
    let kinds = request.kinds.intersection(capability.kinds)
    guard !kinds.isEmpty else {
      throw Skip("kind", "\(manifest.name) returns no rows of kind \(request.kinds.map(\.rawValue).sorted().joined(separator: " or "))")
    }
    var sent = request
    planner.cutAtCaret(&sent)
    // `endsWord` is removed for a service that ignores it. Otherwise the text with and without a trailing space would be two paid calls.
    sent.endsWord = request.endsWord && capability.support(.endsWord) == .native
    try planner.checkLength(of: sent.query)
    try planner.checkCoverage(countries: request.countries, restriction: request.restriction)

    sent.kinds = kinds
    planner.filter.kinds = kinds
    sent.language = planner.language(request.language)
    sent.region = planner.ifSupported(request.region, .region)
    sent.origin = planner.rounded(planner.ifSupported(request.origin, .origin))
    sent.restriction = try planner.restriction(request.restriction)
    // A service without restriction receives the area as a bias, so that rows remain after filtering.
    sent.bias = planner.bias(request.bias ?? (sent.restriction == nil ? request.restriction : nil))
    sent.countries = try planner.countries(request.countries)
    if !request.types.isEmpty, try !planner.applies(.types, cause: "types") {
      planner.filter.types = Set(request.types)
      sent.types = []
    }
    if let collection = request.collection, try !planner.applies(.collection, cause: "types") {
      planner.filter.collection = collection
      sent.collection = nil
    }
    // A service is requested to return more rows than are shown, even if it is the only one: more rows do not cost more, and the next
    // request may need them.
    let wanted = manifest.leavesMachine ? Autocomplete.depth(for: request.limit) : request.limit
    sent.limit = planner.filter.mayDropRows ? capability.maximumRows : min(wanted, capability.maximumRows)
    return Plan(call: .autocomplete(sent), filter: planner.filter)
  }
}

extension Planner {
  /// A service without a caret parameter receives only the text before the caret, if its manifest requests that.
  fileprivate func cutAtCaret(_ request: inout AutocompleteRequest) {
    guard let offset = request.inputOffset, capability.support(.inputOffset) != .native else { return }
    request.inputOffset = nil
    let before = String(String.UnicodeScalarView(request.query.unicodeScalars.prefix(offset)))
    if capability.support(.inputOffset) == .emulated, before.unicodeScalars.contains(where: { $0 != " " }) { request.query = before }
  }
}
