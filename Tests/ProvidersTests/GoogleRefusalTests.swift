import PlacesKit
import Testing

@testable import Google

@Suite("Google: what is gone, has moved or is refused") struct GoogleRefusalTests {
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
