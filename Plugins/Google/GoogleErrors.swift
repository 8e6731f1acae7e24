import Geocoders
import PlacesKit

/// Converts Google's errors to `ProviderError`. `detail` is the name of the corresponding GMSPlacesErrorCode.
enum GoogleErrors {
  /// The body of a successful answer. Throws the error that any other answer reports.
  static func body(of response: HTTPResponse) throws(ProviderError) -> JSONValue {
    let body = try? JSONValue(parsing: response.body)
    guard response.status != 200 else {
      guard let body, body.object != nil else { throw ProviderError(.decode, "Google's answer is not a JSON object") }
      return body
    }
    throw error(status: response.status, body: body, retryAfter: response.retryAfterSeconds)
  }

  /// True if Google reports that the place does not exist. The body of any other 404 lacks this status.
  static func isNotFound(_ response: HTTPResponse) -> Bool {
    response.status == 404 && statusName(in: response) == "NOT_FOUND"
  }

  /// True if Google refuses a part of the request, which may be the key.
  static func isInvalidArgument(_ response: HTTPResponse) -> Bool {
    response.status == 400 && statusName(in: response) == "INVALID_ARGUMENT"
  }

  private static func statusName(in response: HTTPResponse) -> String? {
    (try? JSONValue(parsing: response.body))?["error"]?["status"]?.string
  }

  /// The error of an answer whose HTTP status is not 200. The reason in its `ErrorInfo` is more specific than the status, so it is compared
  /// first.
  private static func error(status: Int, body: JSONValue?, retryAfter: Double?) -> ProviderError {
    let googleStatus = body?["error"]?["status"]?.string
    let info = (body?["error"]?["details"]?.array ?? []).first { $0["@type"]?.string?.hasSuffix("google.rpc.ErrorInfo") == true }
    let reason = info?["reason"]?.string ?? ""
    let shownReason = reason.isEmpty ? (googleStatus ?? "HTTP \(status)") : reason
    switch (status, googleStatus) {
    case (_, _) where ["API_KEY_INVALID", "API_KEY_EXPIRED"].contains(reason), (401, _):
      return ProviderError(
        .credentials, "Google refuses the key (\(shownReason)): put a valid one into api_key_file",
        detail: reason == "API_KEY_EXPIRED" ? "keyExpired" : "keyInvalid")
    case (403, _) where ["API_KEY_IOS_APP_BLOCKED", "API_KEY_ANDROID_APP_BLOCKED"].contains(reason):
      return ProviderError(
        .credentials,
        "Google restricts this key to mobile apps (\(shownReason)): lift the restriction to apps, or put another key into api_key_file",
        detail: "incorrectBundleIdentifier")
    case (403, _):
      return ProviderError(
        .credentials,
        "Google does not let this key use the service (\(shownReason)): enable the API and billing, and lift referrer restrictions",
        detail: "accessNotConfigured")
    case (429, _):
      let limit = info?["metadata"]?["quota_limit"]?.string ?? ""
      if limit.contains("PerDay") {
        return ProviderError(
          .quota, "Google's quota for today is used up (\(shownReason))", retryAfterSeconds: retryAfter, detail: "usageLimitExceeded")
      }
      return ProviderError(
        .rateLimit, "Google's limit of requests a minute is reached (\(shownReason))", retryAfterSeconds: retryAfter ?? 60,
        detail: "rateLimitExceeded")
    // Calls for details and photos check `isNotFound` before this function. Any other 404 means that the address is wrong.
    case (404, _):
      return ProviderError(.http, "there is no such call at this address (\(shownReason)): check base_url", detail: "serverError")
    case (400..<500, _): return ProviderError(.badRequest, "Google refuses the request (\(shownReason))", detail: "invalidRequest")
    default:
      return ProviderError(.http, "Google answered with an error (\(shownReason))", retryAfterSeconds: retryAfter, detail: "serverError")
    }
  }
}
