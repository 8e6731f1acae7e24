import PlacesKit

/// `GET /places/{fsq_place_id}`. Foursquare documents no session token for this call.
enum FoursquareDetails {
  static func request(for request: DetailsRequest) throws(ProviderError) -> HTTPRequest {
    guard isID(request.id) else { throw ProviderError(.notFound, "Foursquare has no such id") }
    return FoursquareRequests.get(["places", request.id], query: [.init("fields", FoursquareFields.mask(request.fields))])
  }

  /// Ids are lower-case hexadecimal.
  static func isID(_ id: String) -> Bool {
    !id.isEmpty
      && id.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
  }

  static func place(from response: HTTPResponse, for request: DetailsRequest) throws(ProviderError) -> Place {
    guard !FoursquareErrors.isNotFound(response) else { throw ProviderError(.notFound, "Foursquare does not know this place") }
    let body = try FoursquareErrors.body(of: response)
    guard let place = FoursquarePlace.place(from: body, fields: request.fields) else {
      throw ProviderError(.decode, "Foursquare's answer to a details call contains no place")
    }
    return place
  }
}
