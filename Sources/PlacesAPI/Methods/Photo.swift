import PlacesKit

/// `places.photo`: a photograph of a place as a file.
public enum Photo: Method {
  public static let name = "places.photo"
  public static let summary = "Returns a photograph of a place as a file."
  public static let access = Access.everybody
  public static let reply = Shape.record(
    Record(
      "PhotoFile", "A photograph as a file.",
      [
        .required("contentType", .word(ImageFormat.self), "The format of the file."),
        .required("dataBase64", .string, "The file in base64 (RFC 4648, section 4), before encoding at most 2 MiB."), Shape.reports,
        Shape.attributions,
      ]))

  public struct Parameters: Sendable, Hashable {
    public var id: PlaceID
    /// The maximum width, 1…4,800 pixels.
    public var maxWidth = 1_024
    /// The maximum height, 1…4,800 pixels.
    public var maxHeight = 1_024
    public var deadlineMs = 10_000

    public init(id: PlaceID) { self.id = id }
  }

  public static let schema = Schema(
    Parameters(id: PlaceID(provider: "", native: "")),
    [
      .required("id", \.id, .placeID, "The id of the photograph, from `photos` of a place."),
      .withDefault(
        "maxWidth", \.maxWidth, .integer(PhotoRequest.sizes), 1_024,
        "The maximum width in pixels; the image keeps its proportions and is not enlarged."),
      .withDefault("maxHeight", \.maxHeight, .integer(PhotoRequest.sizes), 1_024, "The maximum height in pixels."),
      .withDefault(
        "deadlineMs", \.deadlineMs, .integer(10...30_000), 10_000,
        "The time within which the reply is sent, from the arrival of the request.", role: .delivery),
    ])

  public struct Result: MethodResult, Hashable {
    public var contentType: ImageFormat
    public var dataBase64: String
    public var providers: [ProviderReport]
    /// The credits of the service, and the credits of the photograph's authors if a recent answer contained them.
    public var attributions: [AttributionRow]

    public init(_ image: PhotoImage, providers: [ProviderReport], attributions: [AttributionRow]) {
      contentType = image.format
      dataBase64 = image.base64
      self.providers = providers
      self.attributions = attributions
    }

    /// The image file; nil if `dataBase64` is not valid base64.
    public var file: [UInt8]? { Base64.decode(dataBase64) }

    public func write(to writer: inout JSONWriter) {
      writer.object { writer in
        writer.member("contentType", contentType.rawValue)
        writer.member("dataBase64", dataBase64)
        writer.list("providers", providers)
        writer.list("attributions", attributions)
      }
    }
  }
}
