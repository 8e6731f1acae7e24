import PlacesAPI

extension Console {
  /// Tells of the providers that did not answer, on standard error.
  func note(_ reports: [ProviderReport]) {
    for report in reports where !report.outcome.isAnswer && report.outcome != .skipped {
      let why = report.message ?? report.cause ?? report.outcome.rawValue
      let wait = report.retryAfterMs.map { " (again in \(Words.duration(Double($0) / 1000)))" } ?? ""
      note("\(report.provider): \(printable(why))\(wait)")
    }
  }

  /// Shows the credits of an answer, each once.
  func credit(_ attributions: [AttributionRow]) {
    var seen: Set<String> = []
    let texts = attributions.filter { seen.insert($0.text).inserted }.map { printable($0.text) }
    if !texts.isEmpty { line(Styled(texts.joined(separator: " · "), .dim).text(colour: colour)) }
  }
}
