import PlacesKit

/// A photo needs two requests. `GET /v1/places/{id}/photos/{reference}/media` returns the address of the image; without `skipHttpRedirect`,
/// its answer would be a redirection, which the daemon does not follow. The second request gets the image from Google's image server.
enum GooglePhoto {
  static let host = "lh3.googleusercontent.com"

  static func request(for request: PhotoRequest) throws(ProviderError) -> HTTPRequest {
    let parts = request.id.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 4, parts[0] == "places", parts[2] == "photos", GoogleDetails.isID(parts[1]), GoogleDetails.isID(parts[3]) else {
      throw ProviderError(.notFound, "this is not the id of a Google photo")
    }
    return HTTPRequest(
      host: GoogleRequests.host, path: ["v1"] + parts + ["media"],
      query: [
        .init("maxWidthPx", String(request.maxWidth)), .init("maxHeightPx", String(request.maxHeight)), .init("skipHttpRedirect", "true"),
      ])
  }

  /// The request for the image at the address that the first answer contains. It carries no key.
  static func imageRequest(from response: HTTPResponse) throws(ProviderError) -> HTTPRequest {
    guard !GoogleErrors.isNotFound(response) else { throw ProviderError(.notFound, "Google no longer has this photo") }
    let body: JSONValue
    do throws(ProviderError) { body = try GoogleErrors.body(of: response) } catch
      where error.cause == .badRequest && GoogleErrors.isInvalidArgument(response)
    {
      // The id has a valid form, so Google's refusal means that it has expired.
      throw ProviderError(.notFound, "Google no longer has this photo")
    }
    guard let address = body["photoUri"]?.string.flatMap({ ServiceURL($0) }), address.scheme == .https, address.port == nil,
      address.host == host
    else { throw ProviderError(.decode, "Google's answer contains no address of a photo on \(host)") }
    return HTTPRequest(host: host, path: address.path, query: address.query, credential: CredentialPlacement.none)
  }
}
