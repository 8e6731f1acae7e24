import PlacesKit
import Storage
import Text

extension Session {
  /// Derives an answer from the answer to a shorter text. Returns nil if no exhaustive answer to a shorter text is known, if that answer
  /// has rows but none of them matches the longer text, or if the manifest does not allow answers to be derived.
  func derivedAnswer(to call: ProviderCall, from client: ProviderClient) -> ProviderOutcome? {
    guard case .autocomplete(let request) = call, client.instance.manifest.autocomplete?.narrows == true,
      let earlierAnswer = exhaustiveAnswer(of: client.id), earlierAnswer.covers(request)
    else { return nil }
    let rows = earlierAnswer.rows.compactMap { $0.matched(with: request.query) }
    // The service may match rows by names that it does not return. So if no row matches here, the service must be called.
    guard !rows.isEmpty || earlierAnswer.rows.isEmpty else { return nil }
    remember(ExhaustiveAnswer(request: request, rows: rows, fetchedAt: earlierAnswer.fetchedAt), of: client.id)
    return .answered(.suggestions(Page(rows: rows, exhaustive: true)), served: .cache, fetchedAt: earlierAnswer.fetchedAt)
  }

  /// Stores an exhaustive answer, from which answers to longer texts can be derived. Other answers are ignored.
  func remember(_ outcome: ProviderOutcome, of call: ProviderCall, from client: ProviderClient) {
    guard client.instance.manifest.autocomplete?.narrows == true, case .autocomplete(let request) = call,
      case .suggestions(let page) = outcome.answer, page.exhaustive
    else { return }
    remember(ExhaustiveAnswer(request: request, rows: page.rows, fetchedAt: outcome.fetchedAt), of: client.id)
  }
}

extension ExhaustiveAnswer {
  /// True if the answer contains all rows of the request, because the request differs from the answered one only in a longer text, and
  /// perhaps in a lower limit of rows.
  fileprivate func covers(_ request: AutocompleteRequest) -> Bool {
    var answeredRequest = self.request
    guard request.query.hasPrefix(answeredRequest.query), request.query != answeredRequest.query, request.limit <= answeredRequest.limit
    else { return false }
    answeredRequest.query = request.query
    answeredRequest.limit = request.limit
    return answeredRequest == request
  }
}

extension Suggestion {
  /// The row with the matches of a longer text; nil if a word of the text is not a prefix of a word of the row.
  fileprivate func matched(with query: String) -> Suggestion? {
    let typedWords = Folding.words(of: query)
    let rowWords = Folding.words(of: ([text.text] + evidence.otherNames).joined(separator: " "))
    guard typedWords.allSatisfy({ word in rowWords.contains { $0.utf8.starts(with: word.utf8) } }) else { return nil }
    var row = self
    row.text = text.matched(with: query)
    row.primary = primary?.matched(with: query)
    row.secondary = secondary?.matched(with: query)
    return row
  }
}

extension FormattedText {
  fileprivate func matched(with query: String) -> FormattedText {
    FormattedText(
      text, matches: Highlighting.matches(of: query, in: text).map { TextRange(start: $0.lowerBound, end: $0.upperBound) })
  }
}
