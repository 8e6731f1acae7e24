import JSON

/// A service that returns the photographs that its details name. A provider that offers photographs conforms to this protocol, and declares
/// the parameter `photo` in the capability of its details. The protocol is separate from `PlaceService`, because a new requirement of
/// `PlaceService` would make all existing plugins unusable.
public protocol PhotoService: Sendable {
  /// Throws `notFound` for an id that the service does not have (or no longer has), and `tooLarge` if the image is larger than allowed.
  func photo(_ request: PhotoRequest) async throws(ProviderError) -> PhotoImage
}

/// A request for a photograph of a place.
public struct PhotoRequest: Sendable, Hashable, Codable {
  /// The permitted widths and heights, in pixels.
  public static let sizes = 1...4_800

  /// The provider's own id, from the field `photos` of a place.
  public var id: String
  /// The maximum width in pixels. The image keeps its proportions and is not enlarged.
  public var maxWidth: Int
  /// The maximum height in pixels.
  public var maxHeight: Int

  public init(id: String, maxWidth: Int, maxHeight: Int) {
    self.id = id
    self.maxWidth = maxWidth
    self.maxHeight = maxHeight
  }
}

/// The formats of photographs.
public enum ImageFormat: String, Sendable, Hashable, Codable, CaseIterable {
  case jpeg = "image/jpeg"
  case png = "image/png"
  case webp = "image/webp"

  /// The format that the first bytes of a file show, because the `Content-Type` header may be wrong; nil for any other format.
  /// Sources: ISO/IEC 10918-1 B.1.1.3, PNG (third edition) 5.2, RFC 9649 2.4.
  public init?(of bytes: [UInt8]) {
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if bytes.count >= 12, bytes.starts(with: Array("RIFF".utf8)), bytes[8..<12].elementsEqual("WEBP".utf8) {
      self = .webp
    } else {
      return nil
    }
  }
}

/// The file of a photograph.
public struct PhotoImage: Sendable, Hashable, Codable {
  public var format: ImageFormat
  public var bytes: [UInt8]
  /// The credits that must be shown with the image, if the service returns them with the file.
  public var attributions: [Attribution]

  public init(format: ImageFormat, bytes: [UInt8], attributions: [Attribution] = []) {
    self.format = format
    self.bytes = bytes
    self.attributions = attributions
  }

  /// Reads the image from a response.
  /// - Parameters:
  ///   - response: the response of the image's server.
  ///   - service: the service's name, for messages.
  /// - Throws: `notFound` for the statuses 403, 404 and 410, which image servers send for an address that has expired; `http` for any
  ///   other status except 200; `decode` for a body that is not an image.
  public init(from response: HTTPResponse, of service: String) throws(ProviderError) {
    switch response.status {
    case 200: break
    case 403, 404, 410: throw ProviderError(.notFound, "\(service) no longer has this photo: request the place's photos again")
    default: throw ProviderError(.http, "\(service)'s image server answered with an error (HTTP \(response.status))")
    }
    guard let format = ImageFormat(of: response.body) else {
      throw ProviderError(.decode, "\(service) returned a file that is not a JPEG, PNG or WebP image")
    }
    self.init(format: format, bytes: response.body)
  }

  private enum CodingKeys: String, CodingKey { case contentType, dataBase64, attributions }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    format = try container.decode(ImageFormat.self, forKey: .contentType)
    guard let bytes = Base64.decode(try container.decode(String.self, forKey: .dataBase64)) else {
      throw DecodingError.dataCorruptedError(forKey: .dataBase64, in: container, debugDescription: "it must be base64")
    }
    self.bytes = bytes
    attributions = try container.decode([Attribution].self, forKey: .attributions)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(format, forKey: .contentType)
    try container.encode(base64, forKey: .dataBase64)
    try container.encode(attributions, forKey: .attributions)
  }

  /// The bytes in base64 (RFC 4648, section 4).
  public var base64: String { Base64.encode(bytes) }
}

extension Manifest {
  /// True if the provider supports the call.
  public func offers(_ call: Call) -> Bool { call == .photo ? details?.support(.photo) == .native : capability(call) != nil }
}

extension PlaceService {
  /// Calls the service's `photo`.
  /// - Throws: `unsupported` if the service has no photographs.
  public func photoIfOffered(_ request: PhotoRequest) async throws(ProviderError) -> PhotoImage {
    guard let service = self as? any PhotoService else { throw ProviderError(.unsupported, "\(manifest.name) has no photos") }
    return try await service.photo(request)
  }
}
