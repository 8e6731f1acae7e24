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
    var sentRequest = request
    planner.cutAtCaret(&sentRequest)
    // `endsWord` is removed for a service that ignores it. Otherwise the text with and without a trailing space would be two paid calls.
    sentRequest.endsWord = request.endsWord && capability.support(.endsWord) == .native
    try planner.checkLength(of: sentRequest.query)
    try planner.checkCoverage(countries: request.countries, restriction: request.restriction)

    sentRequest.kinds = kinds
    planner.filter.kinds = kinds
    sentRequest.language = planner.language(request.language)
    sentRequest.region = planner.ifSupported(request.region, .region)
    sentRequest.origin = planner.rounded(planner.ifSupported(request.origin, .origin))
    sentRequest.restriction = try planner.restriction(request.restriction)
    // A service without restriction receives the area as a bias, so that rows remain after filtering.
    sentRequest.bias = planner.bias(request.bias ?? (sentRequest.restriction == nil ? request.restriction : nil))
    sentRequest.countries = try planner.countries(request.countries)
    if !request.types.isEmpty, try !planner.serviceApplies(.types, cause: "types") {
      planner.filter.types = Set(request.types)
      sentRequest.types = []
    }
    if let collection = request.collection, try !planner.serviceApplies(.collection, cause: "types") {
      planner.filter.typeCollection = collection
      sentRequest.collection = nil
    }
    // A service on the network is requested to return more rows than are shown, even if it is the only provider: more rows do not cost
    // more, and the next request may need them.
    let rowCount = manifest.leavesMachine ? Autocomplete.depth(for: request.limit) : request.limit
    sentRequest.limit = planner.filter.mayDropRows ? capability.maximumRows : min(rowCount, capability.maximumRows)
    return Plan(call: .autocomplete(sentRequest), filter: planner.filter)
  }
}

extension Planner {
  /// Removes the caret's position for a service that does not support it. If the manifest states `emulated`, also removes the text after
  /// the caret.
  fileprivate func cutAtCaret(_ request: inout AutocompleteRequest) {
    guard let offset = request.inputOffset, capability.support(.inputOffset) != .native else { return }
    request.inputOffset = nil
    let textBeforeCaret = String(String.UnicodeScalarView(request.query.unicodeScalars.prefix(offset)))
    if capability.support(.inputOffset) == .emulated, textBeforeCaret.unicodeScalars.contains(where: { $0 != " " }) {
      request.query = textBeforeCaret
    }
  }
}
