import PlacesAPI

/// What a list of suggestions shows.
public enum FetcherState: Sendable, Hashable {
  /// Nothing is typed, or too little to ask.
  case idle
  /// The answer for this text is awaited; rows shown before may stay.
  case waiting(text: String)
  /// Suggestions for this text; more may come while `isFinal` is false.
  case suggestions([SuggestionRow], text: String, isFinal: Bool, answer: Autocomplete.Result?)
  /// There is no answer; tried again by itself after so many seconds, where that may help.
  case failed(ClientError, text: String, retryAfter: Double?)
}
