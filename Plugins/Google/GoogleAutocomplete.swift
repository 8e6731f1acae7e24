import Geocoders
import PlacesKit

/// `POST /v1/places:autocomplete`.
enum GoogleAutocomplete {
  static func request(for request: AutocompleteRequest) throws(ProviderError) -> HTTPRequest {
    var body: JSONObject = ["input": .string(request.query)]
    if let restriction = request.restriction {
      body["locationRestriction"] = GoogleRequests.area(restriction)
    } else {
      // Without a bias, Google prefers places near the network address of this machine.
      body["locationBias"] = request.bias.map(GoogleRequests.area) ?? GoogleRequests.world
    }
    let googleTypes = try types(for: request)
    if !googleTypes.isEmpty { body["includedPrimaryTypes"] = .array(googleTypes.map(JSONValue.string)) }
    if !request.countries.isEmpty { body["includedRegionCodes"] = .array(request.countries.map { .string($0.lowercased()) }) }
    // Google's documents contradict each other about the default, so a language is always sent.
    body["languageCode"] = .string(request.language ?? "en")
    if let region = request.region { body["regionCode"] = .string(region.lowercased()) }
    if let origin = request.origin { body["origin"] = origin.json }
    if let offset = request.inputOffset { body["inputOffset"] = .integer(Int64(offset)) }
    if request.kinds.contains(.query), request.countries.isEmpty, googleTypes.isEmpty { body["includeQueryPredictions"] = true }
    if let token = request.sessionToken { body["sessionToken"] = .string(token) }
    return GoogleRequests.post("autocomplete", body: body, mask: nil)
  }

  /// Google's names of the requested types. Google accepts five at most.
  private static func types(for request: AutocompleteRequest) throws(ProviderError) -> [String] {
    if let collection = request.collection { return types(of: collection) }
    var googleTypes: [String] = []
    for type in request.types {
      guard let googleType = GoogleTypes.googleType(for: type) else {
        throw ProviderError(.unsupported, "Google has no type for \(type.rawValue)", detail: "types")
      }
      if !googleTypes.contains(googleType) { googleTypes.append(googleType) }
    }
    guard googleTypes.count <= 5 else {
      throw ProviderError(.unsupported, "Google accepts five types at most, not \(googleTypes.count): request fewer", detail: "types")
    }
    return googleTypes
  }

  private static func types(of collection: TypeCollection) -> [String] {
    switch collection {
    case .regions, .cities, .geocode, .establishment: [collection.rawValue]
    case .address: ["street_address", "premise", "subpremise", "route"]
    }
  }

  static func page(from response: HTTPResponse, for request: AutocompleteRequest) throws(ProviderError) -> Page<Suggestion> {
    let body = try GoogleErrors.body(of: response)
    let rows = (body["suggestions"]?.array ?? []).compactMap(suggestion)
    return Page(rows: Array(rows.filter { request.kinds.contains($0.kind) }.prefix(request.limit)))
  }

  /// The suggestion of a row; nil if the row has no text, or is a place without an id.
  private static func suggestion(_ row: JSONValue) -> Suggestion? {
    if let place = row["placePrediction"] {
      guard let id = place["placeId"]?.string, !id.isEmpty, let label = text(place["text"]) else { return nil }
      var suggestion = Suggestion(kind: .place, id: id, text: label)
      suggestion.primary = text(place["structuredFormat"]?["mainText"])
      suggestion.secondary = text(place["structuredFormat"]?["secondaryText"])
      suggestion.types = GoogleTypes.types(from: place["types"])
      // Google omits the distance of a road, because its nearest point is not known. It also omits a distance of 0, which is therefore
      // treated as unknown.
      suggestion.distance = place["distanceMeters"]?.double
      suggestion.evidence.equivalents = ["google:\(id)"]
      return suggestion
    }
    guard let prediction = row["queryPrediction"], let label = text(prediction["text"]) else { return nil }
    var suggestion = Suggestion(kind: .query, text: label)
    suggestion.primary = text(prediction["structuredFormat"]?["mainText"])
    suggestion.secondary = text(prediction["structuredFormat"]?["secondaryText"])
    return suggestion
  }

  /// Converts a `FormattableText`. Its offsets count code points; an omitted offset is 0.
  static func text(_ value: JSONValue?) -> FormattedText? {
    guard let plainText = value?["text"]?.string, !plainText.isEmpty else { return nil }
    let length = plainText.unicodeScalars.count
    var matches: [TextRange] = []
    for match in value?["matches"]?.array ?? [] {
      let start = min(max(match["startOffset"]?.integer ?? 0, matches.last?.end ?? 0), length)
      let end = min(match["endOffset"]?.integer ?? 0, length)
      if start < end { matches.append(TextRange(start: start, end: end)) }
    }
    return FormattedText(plainText, matches: matches)
  }
}
