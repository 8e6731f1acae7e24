import PlacesKit

/// `GET /v1/places/{id}`.
enum GoogleDetails {
  static func request(for request: DetailsRequest) throws(ProviderError) -> HTTPRequest {
    guard isID(request.id) else {
      throw ProviderError(.notFound, "this is not the id of a Google place")
    }
    var query = [HTTPRequest.Item("languageCode", request.language ?? "en")]
    if let region = request.region { query.append(.init("regionCode", region.lowercased())) }
    if let token = request.sessionToken { query.append(.init("sessionToken", token)) }
    return HTTPRequest(
      host: GoogleRequests.host, path: ["v1", "places", request.id], query: query,
      headers: [.init("X-Goog-FieldMask", GoogleFields.mask(request.fields, also: ["movedPlaceId"]))])
  }

  /// Ids are URL-safe base64.
  static func isID(_ text: String) -> Bool {
    !text.isEmpty
      && text.unicodeScalars.allSatisfy { scalar in
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
        default: false
        }
      }
  }

  /// The place. If it has moved and the old id has none of the requested fields, `movedTo` is the new id, which the caller requests
  /// instead; otherwise it is nil.
  static func place(
    from response: HTTPResponse, for request: DetailsRequest
  ) throws(ProviderError) -> (place: Place, movedTo: String?) {
    guard !GoogleErrors.isNotFound(response) else {
      throw ProviderError(.notFound, "Google no longer has this place", detail: "invalidRequest")
    }
    let body = try GoogleErrors.body(of: response)
    guard var place = GooglePlace.place(from: body, fields: request.fields, id: request.id) else {
      throw ProviderError(.decode, "Google's answer to a details call contains no place")
    }
    guard let newID = body["movedPlaceId"]?.string, isID(newID), newID != place.id else { return (place, nil) }
    place.evidence.equivalents.append("google:\(newID)")
    // Every answer contains the ids, so an answer without any other value has none of the requested fields.
    let idFields: Set<PlaceField> = [.placeID, .movedPlaceID]
    let lacksOtherValues = !place.values.contains { !idFields.contains($0.key) && $0.value != [] }
    return (place, lacksOtherValues && !request.fields.isSubset(of: idFields) ? newID : nil)
  }
}
