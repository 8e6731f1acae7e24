import Geocoders
import JSON
import PlacesKit
import TOML

/// A rule of `[[errors]]`: the condition for an error, and its cause.
struct ErrorRule: Sendable, Hashable {
  /// A cause by its word in a description; nil for an answer without rows.
  static let causes: [(word: String, cause: ProviderError.Cause?)] = [
    ("credentials", .credentials), ("quota", .quota), ("rate_limit", .rateLimit), ("bad_request", .badRequest), ("not_found", .notFound),
    ("http", .http), ("unsupported", .unsupported), ("nothing_found", nil),
  ]

  /// The cause that a word means; nil for an answer without rows.
  static func cause(_ word: String) -> ProviderError.Cause? { causes.first { $0.word == word }?.cause }

  /// The place of the rule in the file.
  var origin: Origin
  /// Empty for every status outside 2xx.
  var statuses: [Int] = []
  var path: RowPath?
  /// The value must be one of these; empty for any.
  var words: [String] = []
  /// The value must contain one of these, in lower case; empty for any.
  var pieces: [String] = []
  /// Nil for an answer without rows.
  var cause: ProviderError.Cause?
  var retryAfterSeconds: Double?
  var message: String?

  func fits(_ status: Int, _ answer: JSONValue?) -> Bool {
    guard statuses.isEmpty ? !(200..<300).contains(status) : statuses.contains(status) else { return false }
    guard let path else { return true }
    guard let answer, let value = path.value(answer: answer, row: answer)?.shownText else { return false }
    if !words.isEmpty { return words.contains(value) }
    guard !pieces.isEmpty else { return true }
    let lower = value.lowercased()
    return pieces.contains { lower.contains($0) }
  }

  /// The error; the service's own sentence is not quoted, since it may repeat the query.
  func error(_ response: HTTPResponse, service: String) -> ProviderError? {
    guard let cause else { return nil }
    let sentence = message ?? ErrorRule.sentence(cause)
    var seconds = response.retryAfterSeconds ?? retryAfterSeconds
    if cause == .rateLimit { seconds = seconds ?? 60 }
    return ProviderError(cause, "\(service) \(sentence) (HTTP \(response.status))", retryAfterSeconds: seconds)
  }

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
