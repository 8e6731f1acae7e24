import PlacesKit
import Testing

@testable import Geocoders

@Suite("Retry-After")
struct RetryAfterTests {
  /// Fri, 20 Nov 2026 12:00:00 GMT.
  private static let now = 1_795_176_000.0

  @Test(
    "is obeyed as seconds and as a date, with the service's clock or this machine's; past and absurd values are bounded",
    arguments: [
      ("120", nil, 120), ("Fri, 20 Nov 2026 12:02:00 GMT", nil, 120),
      ("Fri, 20 Nov 2026 12:02:00 GMT", "Fri, 20 Nov 2026 12:01:00 GMT", 60), ("Fri, 20 Nov 2026 11:00:00 GMT", nil, nil),
      ("Fri, 20 Nov 2099 12:00:00 GMT", nil, 86_400), ("99999999999999999999999", nil, 86_400), ("-5", nil, nil), ("0", nil, 0),
      ("soon", nil, nil), ("", nil, nil), ("1e9", nil, nil), ("Fri, 99 Nov 2026 12:00:00 GMT", nil, nil),
    ] as [(String, String?, Double?)])
  func retryAfter(text: String, date: String?, seconds: Double?) {
    var headers: [HTTPRequest.Item] = [.init("retry-after", text)]
    if let date { headers.append(.init("date", date)) }
    #expect(HTTPResponse(status: 503, headers: headers, body: []).retryAfterSeconds(now: Self.now) == seconds)
  }
}
