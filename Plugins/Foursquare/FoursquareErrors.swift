import Geocoders
import PlacesKit

/// Converts Foursquare's errors to `ProviderError`. The text in `message` or `error_detail` of an answer is not shown to the user, because
/// it may repeat the request.
enum FoursquareErrors {
  /// The body of a successful answer. Throws the error that any other answer reports.
  static func body(of response: HTTPResponse) throws(ProviderError) -> JSONValue {
    let retryAfter = response.retryAfterSeconds
    switch response.status {
    case 200:
      guard let body = try? JSONValue(parsing: response.body), body.object != nil else {
        throw ProviderError(.decode, "Foursquare's answer is not a JSON object")
      }
      return body
    case 401, 403:
      throw ProviderError(.credentials, "Foursquare refuses the key: put a valid service key into api_key_file", detail: "keyInvalid")
    // A details call checks `isNotFound` before this function. Any other 404 means that the address is wrong.
    case 404: throw ProviderError(.http, "there is no such call at this address (HTTP 404): check base_url", detail: "serverError")
    case 429 where retryAfter == nil && isCreditUsedUp(response.body):
      throw ProviderError(.quota, "the monthly credit at Foursquare is used up", detail: "usageLimitExceeded")
    case 429:
      throw ProviderError(
        .rateLimit, "Foursquare's limit of requests a second is reached", retryAfterSeconds: retryAfter ?? 60, detail: "rateLimitExceeded")
    case 400..<500: throw ProviderError(.badRequest, "Foursquare refuses the request (HTTP \(response.status))", detail: "invalidRequest")
    default:
      throw ProviderError(
        .http, "Foursquare answered with an error (HTTP \(response.status))", retryAfterSeconds: retryAfter, detail: "serverError")
    }
  }

  /// True if Foursquare reports that the place does not exist. The body of any other 404 is not JSON.
  static func isNotFound(_ response: HTTPResponse) -> Bool {
    response.status == 404 && (try? JSONValue(parsing: response.body))?.object != nil
  }

  private static func isCreditUsedUp(_ body: [UInt8]) -> Bool {
    let value = try? JSONValue(parsing: body)
    let text = (value?["message"]?.string ?? value?["error_detail"]?.string ?? "").lowercased()
    return text.contains("credit") || text.contains("quota")
  }
}
