import PlacesKit
import Testing

@testable import Google

@Suite("Google: places that no longer exist or have moved, and refused requests") struct GoogleRefusalTests {
  @Test(
    "Only a details call reports a place as not found, and only if Google itself reports that",
    arguments: [
      (GoogleAnswerTests.envelope(404, "NOT_FOUND"), ProviderError.Cause.notFound), ("<html>404 Not Found</html>", .http), ("{}", .http),
      ("", .http),
    ])
  func gone(body: String, cause: ProviderError.Cause) async throws {
    let provider = try await Google(context: Answering([.success(reply(body, status: 404))]).context())
    let details = await #expect(throws: ProviderError.self) { try await provider.details(DetailsRequest(id: "A", fields: [.name])) }
    #expect(details?.cause == cause)
    for other in [
      await thrownBy { try await provider.search(SearchRequest(query: "x", fields: [.name])) },
      await thrownBy { try await provider.autocomplete(AutocompleteRequest(query: "x")) },
      await thrownBy { try await provider.reverse(ReverseRequest(location: .zero, fields: [.name])) },
    ] {
      #expect(other?.cause == .http)
      #expect(other?.message.contains("check base_url") == true)
    }
  }

  @Test(
    "The detail of a refused key is the SDK's error name",
    arguments: [
      ("SERVICE_DISABLED", "accessNotConfigured"), ("API_KEY_HTTP_REFERRER_BLOCKED", "accessNotConfigured"),
      ("API_KEY_IOS_APP_BLOCKED", "incorrectBundleIdentifier"), ("API_KEY_ANDROID_APP_BLOCKED", "incorrectBundleIdentifier"),
    ])
  func refusedKey(reason: String, detail: String) {
    let error = thrown { () throws(ProviderError) in
      try GoogleErrors.body(of: reply(GoogleAnswerTests.envelope(403, "PERMISSION_DENIED", reason), status: 403))
    }
    #expect(error?.cause == .credentials && error?.detail == detail)
  }

  @Test("A moved place has its new id as an equivalent, and is requested again if the old id has no data")
  func moved() async throws {
    let closed = #"{"id":"A","displayName":{"text":"Closed"},"movedPlaceId":"B"}"#
    let there = #"{"id":"B","displayName":{"text":"Forno"},"movedPlaceId":"C"}"#
    let bare = #"{"id":"A","movedPlace":"places/B","movedPlaceId":"B"}"#
    for (bodies, fields, name, asked, equivalents) in [
      ([closed, there], [.name], "Closed", ["A"], ["google:A", "google:B"]),
      ([bare, there], [.name, .types], "Forno", ["A", "B"], ["google:B", "google:C", "google:A"]),
      ([bare, there], [.placeID, .name], "Forno", ["A", "B"], ["google:B", "google:C", "google:A"]),
      // Only once.
      ([bare, #"{"id":"B","movedPlaceId":"C"}"#], [.name], nil, ["A", "B"], ["google:B", "google:C", "google:A"]),
      // A request for the id alone gets it.
      ([bare, there], [.placeID, .movedPlaceID], nil, ["A"], ["google:A", "google:B"]),
      ([bare, there], [.name, .movedPlaceID], "Forno", ["A", "B"], ["google:B", "google:C", "google:A"]),
      ([bare, there], [.placeID], nil, ["A"], ["google:A", "google:B"]), ([bare, there], [], nil, ["A"], ["google:A", "google:B"]),
      ([#"{"id":"A","movedPlaceId":"../x"}"#, there], [.name], nil, ["A"], ["google:A"]),
    ] as [([String], Set<PlaceField>, String?, [String], [String])] {
      let service = Answering(bodies.map { .success(reply($0)) })
      let place = try await Google(context: service.context()).details(DetailsRequest(id: "A", fields: fields, sessionToken: "t"))
      #expect(place.name == name && place.evidence.equivalents == equivalents)
      #expect(service.requests.compactMap(\.path.last) == asked)
      if fields.contains(.movedPlaceID) { #expect(place.values[.movedPlaceID] == "B") }
      #expect(service.requests.map { $0.query.contains { $0.name == "sessionToken" } } == asked.map { $0 == "A" })
    }
  }
}
