import PlacesKit
import Testing

@testable import Foursquare
@testable import Google

@Suite("Photos of places")
struct PhotoTests {
  private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0x00, 0x10]
  private static let google = PhotoRequest(id: "places/ChIJ2V-Mo_l1nkcRfZixfUq4DAE/photos/AUacShh3_Dd8-x", maxWidth: 400, maxHeight: 300)
  private static let uri = #"{"name":"n","photoUri":"https://lh3.googleusercontent.com/place-photos/AJn=s4800-w400-h300"}"#

  private static func image(_ bytes: [UInt8], status: Int = 200, type: String = "image/jpeg") -> HTTPResponse {
    HTTPResponse(status: status, headers: [.init("content-type", type)], body: bytes)
  }

  @Test("The request for an image's address has the key; the request for the image does not")
  func googleRequests() async throws {
    let service = Answering([.success(reply(Self.uri)), .success(Self.image(Self.jpeg))])
    let image = try await Google(context: service.context()).photo(Self.google)
    #expect(image == PhotoImage(format: .jpeg, bytes: Self.jpeg))
    #expect(
      service.requests.map(spelled) == [
        "GET places.googleapis.com /v1/places/ChIJ2V-Mo_l1nkcRfZixfUq4DAE/photos/AUacShh3_Dd8-x/media"
          + "?maxWidthPx=400&maxHeightPx=300&skipHttpRedirect=true",
        "GET lh3.googleusercontent.com /place-photos/AJn=s4800-w400-h300",
      ])
    #expect(service.requests.map(\.credential) == [nil, .some(CredentialPlacement.none)])
    #expect(Google.manifest.hosts.contains("lh3.googleusercontent.com"))
    #expect(Google.manifest.prices.priceClass(of: .photo)?.micros == 7_000)
    #expect(Google.manifest.terms.otherSeconds == 0, "a photo may not be stored")
  }

  @Test(
    "An id that is not a photo's is refused before anything is sent",
    arguments: [
      "", "places/A", "places/A/photos/", "places/../photos/x", "places/A/photos/x/media", "places/A/photos/x y", "cities/A/photos/B",
      "https://fastly.4sqi.net/img/general/original/x.jpg",
    ])
  func foreignIDs(_ id: String) async throws {
    let service = Answering(Self.uri)
    let google = try await Google(context: service.context())
    let error = await thrownBy { try await google.photo(PhotoRequest(id: id, maxWidth: 1, maxHeight: 1)) }
    #expect(error?.cause == .notFound && service.requests.isEmpty)
  }

  @Test(
    "An address on another host, by http or with a port is not asked for",
    arguments: ["https://evil.example/x", "http://lh3.googleusercontent.com/x", "https://lh3.googleusercontent.com:8443/x", "x", ""])
  func foreignHosts(_ uri: String) async throws {
    let service = Answering(#"{"photoUri":"\#(uri)"}"#)
    let google = try await Google(context: service.context())
    let error = await thrownBy { try await google.photo(Self.google) }
    #expect(error?.cause == .decode && service.requests.count == 1)
  }

  @Test("The cause that each answer without a photo is mapped to")
  func googleErrors() async throws {
    let gone = #"{"error":{"code":404,"message":"x","status":"NOT_FOUND"}}"#
    let expired = #"{"error":{"code":400,"message":"The photo resource in the request is invalid.","status":"INVALID_ARGUMENT"}}"#
    let badKey = """
      {"error":{"code":400,"message":"x","status":"INVALID_ARGUMENT","details":[\
      {"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"}]}}
      """
    let location = #"{"error":{"code":400,"message":"x","status":"FAILED_PRECONDITION"}}"#
    let refused = #"{"error":{"code":403,"message":"x","status":"PERMISSION_DENIED"}}"#
    let cases: [(first: HTTPResponse, second: HTTPResponse?, cause: ProviderError.Cause)] = [
      (reply(gone, status: 404), nil, .notFound), (reply(expired, status: 400), nil, .notFound),
      (reply(badKey, status: 400), nil, .credentials), (reply(location, status: 400), nil, .badRequest),
      (reply(refused, status: 403), nil, .credentials), (reply("{}"), nil, .decode), (reply("<html>"), nil, .decode),
      (reply(Self.uri), Self.image([], status: 403), .notFound), (reply(Self.uri), Self.image([], status: 500), .http),
      (reply(Self.uri), Self.image(Array("<html>".utf8)), .decode), (reply(Self.uri), Self.image([]), .decode),
      // The header does not decide.
      (reply(Self.uri), Self.image(Array("GIF89a".utf8)), .decode),
    ]
    for (first, second, cause) in cases {
      let service = Answering([.success(first)] + (second.map { [.success($0)] } ?? []))
      let google = try await Google(context: service.context())
      let error = await thrownBy { try await google.photo(Self.google) }
      #expect(error?.cause == cause, "\(first.status) \(second?.status ?? 0): \(String(describing: error))")
    }
  }

  @Test("Formats are recognised by their first bytes")
  func formats() {
    #expect(ImageFormat(of: Self.jpeg) == .jpeg)
    #expect(ImageFormat(of: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0]) == .png)
    #expect(ImageFormat(of: Array("RIFF1234WEBPVP8 ".utf8)) == .webp)
    for other in ["", "RIFF1234WAVE", "RIFF", "<svg", "GIF89a"] { #expect(ImageFormat(of: Array(other.utf8)) == nil) }
  }

  @Test(
    "The request to Foursquare's image server has the fitting size in the proportion of the original, without the key",
    arguments: [
      ("1920x1440", 400, 400, "400x300"), ("1920x1440", 4_000, 300, "400x300"), ("300x200", 1_024, 1_024, "300x200"),
      ("original", 100, 100, "original"), ("4000x2", 100, 100, "100x1"),
    ])
  func foursquare(_ size: String, _ width: Int, _ height: Int, _ sent: String) async throws {
    let service = Answering([.success(Self.image(Self.jpeg))])
    let id = "https://fastly.4sqi.net/img/general/\(size)/1049719_PiLE.jpg"
    let image = try await Foursquare(context: service.context()).photo(PhotoRequest(id: id, maxWidth: width, maxHeight: height))
    #expect(image.bytes == Self.jpeg)
    #expect(service.requests.map(spelled) == ["GET fastly.4sqi.net /img/general/\(sent)/1049719_PiLE.jpg"])
    #expect(service.requests.map(\.credential) == [.some(CredentialPlacement.none)])
    #expect(Foursquare.manifest.hosts.contains("fastly.4sqi.net") && Foursquare.manifest.prices.priceClass(of: .photo) == nil)
  }

  @Test("An address elsewhere is not the id of a photo of Foursquare", arguments: ["https://evil.example/a/100x100/b.jpg", "x", ""])
  func foreignPhotos(_ id: String) async throws {
    let service = Answering([.success(Self.image(Self.jpeg))])
    let foursquare = try await Foursquare(context: service.context())
    let error = await thrownBy { try await foursquare.photo(PhotoRequest(id: id, maxWidth: 9, maxHeight: 9)) }
    #expect(error?.cause == .notFound && service.requests.isEmpty)
  }

  @Test("The id of Foursquare's photo is its address in full size")
  func foursquareIDs() throws {
    let body = """
      {"fsq_place_id":"5a","name":"Café","photos":[\
      {"prefix":"https://fastly.4sqi.net/img/general/","suffix":"/a.jpg","width":1920,"height":1440},\
      {"prefix":"https://fastly.4sqi.net/img/general/","suffix":"/b.jpg"}]}
      """
    let place = try FoursquareDetails.place(from: reply(body), for: DetailsRequest(id: "5a", fields: [.photos]))
    #expect(
      place.values[.photos]?.array?.compactMap { $0["id"]?.string } == [
        "https://fastly.4sqi.net/img/general/1920x1440/a.jpg", "https://fastly.4sqi.net/img/general/original/b.jpg",
      ])
  }
}
