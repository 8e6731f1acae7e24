import PlacesKit

/// A photo from Foursquare's image server. The address of a photo consists of a prefix, a size and a suffix. The id of a photo is its
/// address in full size, such as `https://fastly.4sqi.net/img/general/1920x1440/name.jpg`. Reference: Places Photos Guide.
enum FoursquarePhoto {
  static let host = "fastly.4sqi.net"

  /// The request for the image, which carries no key. The server crops an image if other proportions are requested, so the requested size
  /// has the proportions of the original. If the original's size is not known, the original is requested.
  static func request(for request: PhotoRequest) throws(ProviderError) -> HTTPRequest {
    guard var imagePath = path(of: request.id), let sizeIndex = imagePath.indices.dropLast().last else {
      throw ProviderError(.notFound, "this is not the id of a Foursquare photo")
    }
    if let (width, height) = size(imagePath[sizeIndex]) {
      let scale = min(1, Double(request.maxWidth) / Double(width), Double(request.maxHeight) / Double(height))
      imagePath[sizeIndex] = "\(max(1, Int(Double(width) * scale)))x\(max(1, Int(Double(height) * scale)))"
    }
    return HTTPRequest(host: host, path: imagePath, credential: CredentialPlacement.none)
  }

  private static func path(of id: String) -> [String]? {
    guard let address = ServiceURL(id), address.scheme == .https, address.port == nil, address.host == host, address.query.isEmpty,
      address.path.count > 1
    else { return nil }
    return address.path
  }

  private static func size(_ text: String) -> (width: Int, height: Int)? {
    let numbers = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let width = numbers[0], let height = numbers[1], (1...100_000).contains(width), (1...100_000).contains(height)
    else { return nil }
    return (width, height)
  }
}
