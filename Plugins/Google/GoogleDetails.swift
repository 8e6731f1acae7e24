import PlacesKit

/// `GET /v1/places/{id}`.
enum GoogleDetails {
  static func request(for request: DetailsRequest) throws(ProviderError) -> HTTPRequest {
    guard !request.id.isEmpty, request.id.unicodeScalars.allSatisfy(isIDCharacter) else {
      throw ProviderError(.notFound, "this is not the id of a Google place")
    }
    var query = [HTTPRequest.Item("languageCode", request.language ?? "en")]
    if let region = request.region { query.append(.init("regionCode", region.lowercased())) }
    if let token = request.sessionToken { query.append(.init("sessionToken", token)) }
    return HTTPRequest(
      host: GoogleRequests.host, path: ["v1", "places", request.id], query: query,
      headers: [.init("X-Goog-FieldMask", GoogleFields.mask(request.fields))])
  }

  /// Ids are URL-safe base64.
  private static func isIDCharacter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
    default: false
    }
  }

  static func place(from response: HTTPResponse, for request: DetailsRequest) throws(ProviderError) -> Place {
    guard !GoogleErrors.isNotFound(response) else {
      throw ProviderError(.notFound, "Google does not know this place any more", detail: "invalidRequest")
    }
    let body = try GoogleErrors.body(of: response)
    guard let place = GooglePlace.place(from: body, fields: request.fields, id: request.id) else {
      throw ProviderError(.decode, "Google's answer to a details call holds no place")
    }
    return place
  }
}
