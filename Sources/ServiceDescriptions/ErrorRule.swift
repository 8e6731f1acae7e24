import Geocoders
import JSON
import PlacesKit
import TOML

/// A rule of `[[errors]]`: the condition for an error, and its cause.
struct ErrorRule: Sendable, Hashable {
  /// The causes and their words in a description. The cause is nil for `nothing_found`, which makes the error an answer without rows.
  static let causes: [(word: String, cause: ProviderError.Cause?)] = [
    ("credentials", .credentials), ("quota", .quota), ("rate_limit", .rateLimit), ("bad_request", .badRequest), ("not_found", .notFound),
    ("http", .http), ("unsupported", .unsupported), ("nothing_found", nil),
  ]

  /// The cause that a word means; nil for `nothing_found` and for an unknown word.
  static func cause(_ word: String) -> ProviderError.Cause? { causes.first { $0.word == word }?.cause }

  /// The position of the rule in the file.
  var origin: Origin
  /// The statuses to which the rule applies; if it is empty, every status outside 2xx.
  var statuses: [Int] = []
  /// The value of the answer that is compared; nil if the status alone decides.
  var path: RowPath?
  /// The value must be one of these texts; empty for any value.
  var exactTexts: [String] = []
  /// The value, in lower case, must contain one of these texts; empty for any value. If there are `exactTexts` too, the value
  /// must fulfil both conditions.
  var containedTexts: [String] = []
  /// The cause of the error; nil if the error means that nothing was found.
  var cause: ProviderError.Cause?
  /// The seconds to wait if the answer has no Retry-After header; nil if they are not known.
  var retryAfterSeconds: Double?
  /// The rest of a sentence that begins with the service's name; nil for the default sentence of the cause.
  var message: String?

  /// Whether the rule applies to an answer.
  /// - Parameter answer: nil if the body could not be parsed.
  func fits(_ status: Int, _ answer: JSONValue?) -> Bool {
    guard statuses.isEmpty ? !(200..<300).contains(status) : statuses.contains(status) else { return false }
    guard let path else { return true }
    guard let answer, let value = path.value(answer: answer, row: answer)?.shownText else { return false }
    guard exactTexts.isEmpty || exactTexts.contains(value) else { return false }
    guard !containedTexts.isEmpty else { return true }
    let lowercasedValue = value.lowercased()
    return containedTexts.contains { lowercasedValue.contains($0) }
  }

  /// The error to report for an answer that the rule fits; nil if the rule means that nothing was found. The service's own message is not
  /// quoted, because it may contain the query.
  func error(_ response: HTTPResponse, service: String) -> ProviderError? {
    guard let cause else { return nil }
    let sentence = message ?? ErrorRule.sentence(cause)
    var seconds = response.retryAfterSeconds ?? retryAfterSeconds
    // A rate limit whose end is not known is assumed to last a minute.
    if cause == .rateLimit { seconds = seconds ?? 60 }
    return ProviderError(cause, "\(service) \(sentence) (HTTP \(response.status))", retryAfterSeconds: seconds)
  }

  /// The default message for a cause: a sentence without its subject, the service's name.
  private static func sentence(_ cause: ProviderError.Cause) -> String {
    switch cause {
    case .credentials: "refuses the key: check it in api_key_file"
    case .quota: "reports that the allowance is used up"
    case .rateLimit: "received too many requests"
    case .badRequest: "refuses the request"
    case .notFound: "does not know this place"
    case .unsupported: "cannot do what the request asks"
    default: "answered with an error"
    }
  }
}
