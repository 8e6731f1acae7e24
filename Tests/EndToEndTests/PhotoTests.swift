import Foundation
import JSON
import PlacesTesting
import Testing

@Suite("Photos")
struct PhotoTests {
  private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }

  @Test("A photo reaches a client and a file whole, with its author's credit, and only Google's API gets the key")
  func photo() async throws {
    let author = ##"{"displayName":"A. Author","uri":"//maps.google.com/a"}"##
    let photo = ##"{"name":"places/A1/photos/P1","widthPx":10,"heightPx":10,"authorAttributions":[\##(author)]}"##
    let details = ##"{"id":"A1","photos":[\##(photo)]}"##
    let server = try ScriptedServer { request in
      if request.target.contains("/media?") {
        return [.answer(#"{"photoUri":"https://lh3.googleusercontent.com/place-photos/x=w40"}"#)]
      }
      if request.target.hasPrefix("/place-photos/") { return [.answer(headers: [("Content-Type", "image/jpeg")], Self.jpeg)] }
      return [.answer(details)]
    }
    defer { server.stop() }
    let home = try Home()
    try home.configureGoogle(
      at: server.url,
      """
      prices.photo = { per_thousand = 7, free_per_month = 0 }
      budget.money_per_day = 0.02
      budget.user_share = 1
      """)
    try await withDaemon(home) { daemon in
      let client = try await daemon.connect()
      try await client.ready("google")
      let place = try await client.call("places.details", ["id": "google:A1", "fields": ["photos"]])
      let id = try #require(place["result"]?["place"]?["photos"]?[0]?["id"]?.string, "\(place.text)")
      #expect(id == "google:places/A1/photos/P1")

      let reply = try await client.call("places.photo", ["id": .string(id), "maxWidth": 40])
      #expect(reply["result"]?["contentType"] == "image/jpeg", "\(reply.text.prefix(500))")
      #expect(reply["result"]?["dataBase64"]?.string.flatMap { Data(base64Encoded: $0) } == Data(Self.jpeg))
      #expect(reply["result"]?["attributions"]?.array?.compactMap { $0["text"]?.string } == ["Google Maps", "A. Author"])

      let sent = server.requests.suffix(2)
      #expect(
        sent.map(\.target) == [
          "/v1/places/A1/photos/P1/media?maxWidthPx=40&maxHeightPx=1024&skipHttpRedirect=true", "/place-photos/x=w40",
        ])
      #expect(sent.map { $0.header("x-goog-api-key") } == ["a-key", nil])

      let file = home.folder.path + "/photo.jpg"
      let ran = try await ProgramRun(
        "placesctl", ["photo", id, "-o", file, "--max-width", "40"], environment: ["PLACES_SOCKET": home.socket])
      #expect(ran.exit == 0 && ran.output.contains("image/jpeg") && ran.output.contains("A. Author"), "\(ran)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data(Self.jpeg))

      // Two photos cost 0.014, a third would exceed the budget of 0.02: its address is not requested.
      let refused = try await client.call("places.photo", ["id": .string(id)])
      #expect(refused["error"]?["data"]?["providers"]?[0]?["outcome"] == "over_budget", "\(refused.text.prefix(500))")
      #expect(server.requests.count { $0.target.contains("/media?") } == 2)
      let budget = try await client.call("budget.get", [:])
      let row = budget["result"]?["providers"]?.array?.first { $0["provider"] == "google" }
      #expect(row?["day"]?["spent"]?["micros"] == 14_000, "\(budget.text)")
    }
  }
}
