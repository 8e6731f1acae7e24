import PlacesAPI

extension Console {
  /// Lists the providers that did not answer, on standard error.
  func note(_ reports: [ProviderReport]) {
    for report in reports where !report.outcome.isAnswer && report.outcome != .skipped {
      let wait = report.retryAfterMs.map { " (again in \(Format.duration(Double($0) / 1000)))" } ?? ""
      note("\(report.provider): \(printable(report.reason))\(wait)")
    }
  }

  /// Reports that nothing was found, the providers that were skipped because of the request's filters, and the providers' advice.
  func noteNothing(_ reports: [ProviderReport], complete: Bool) {
    for report in reports where report.outcome == .skipped && report.cause.map(Console.filters.contains) == true {
      note("\(report.provider): skipped: \(printable(report.reason))")
    }
    for report in reports where report.outcome == .empty {
      if let advice = report.message { note("\(report.provider): \(printable(advice))") }
    }
    note(complete ? "nothing found" : "nothing found by the providers that answered")
  }

  /// The causes of skipping that the user can change: filters of the request, or an enabled provider that does not run.
  private static let filters: Set<String> = [
    "country", "area", "restriction", "types", "open_now", "rating", "price_levels", "fields", "price", "letters", "starting", "failed",
  ]

  /// Shows the credits of an answer, each once.
  func credit(_ attributions: [AttributionRow]) {
    var seen: Set<String> = []
    let texts = attributions.filter { seen.insert($0.text).inserted }.map { printable($0.text) }
    if !texts.isEmpty { line(Styled(texts.joined(separator: " · "), .dim).text(colour: colour)) }
  }
}

extension ProviderReport {
  /// Why there is no answer, in words for users; `cause` is for programs.
  var reason: String {
    ProviderReport.words.reduce(message ?? cause ?? outcome.rawValue) { $0.replacing($1.key, with: $1.value) }
  }

  /// The protocol's parameters in words for users.
  private static let words: KeyValuePairs = [
    "by countries": "by country", "by types": "by type", "by collection": "by type", "by includedType": "by type",
    "by strictTypeFiltering": "strictly by type", "by openNow": "by opening hours", "by minRating": "by rating",
    "by priceLevels": "by price level", "by restrictionCircle": "to a circle", "by restrictionRectangle": "to a rectangle",
    "the field that openNow needs": "the opening hours that --open-now needs",
    "the field that minRating needs": "the ratings that --min-rating needs",
    "the field that priceLevels needs": "the prices that --price needs", "allowPrice: true permits it": "--allow-price permits it",
  ]
}
