import PlacesKit
import Testing

@testable import Google

@Suite("Google: what is gone, has moved or is refused") struct GoogleRefusalTests {
  @Test(
    "A place that is gone is one that Google itself says not to know, in details alone",
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
    "Why a key is refused is told in the SDK's word",
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
}
