import PlacesAPI

/// The contents of a list of suggestions.
public enum FetcherState: Sendable, Hashable {
  /// The text is empty, or too short for a request.
  case idle
  /// The answer for this text is awaited; earlier rows may stay visible.
  case waiting(text: String)
  /// There are suggestions for this text; more may come while `isFinal` is false. `answer` has the credits that must be shown with these
  /// rows, and the reports of the providers that have answered so far.
  case suggestions([SuggestionRow], text: String, isFinal: Bool, answer: Autocomplete.Result?)
  /// The request failed. If a retry may succeed, it is sent again automatically after `retryAfter` seconds; otherwise `retryAfter` is nil.
  case failed(ClientError, text: String, retryAfter: Double?)
}
