import PlacesAPI

extension Console {
  /// Lists the providers that did not answer, on standard error. The reasons name the options of the command instead of parameters.
  func noteUnanswered(_ reports: [ProviderReport], of invocation: Invocation) {
    for report in reports where !report.outcome.isAnswer && report.outcome != .skipped {
      let retryTime = report.retryAfterMs.map { " (again in \(Format.duration(Double($0) / 1000)))" } ?? ""
      note("\(report.provider): \(printable(invocation.rewordedForUser(report.reason)))\(retryTime)")
    }
  }

  /// Reports that nothing was found, the providers that were skipped for a reason that the user can change, and the providers' advice.
  func noteNothingFound(_ reports: [ProviderReport], complete: Bool, of invocation: Invocation) {
    for report in reports where report.outcome == .skipped && report.cause.map(Console.changeableCauses.contains) == true {
      note("\(report.provider): skipped: \(printable(invocation.rewordedForUser(report.reason)))")
    }
    for advice in reports.compactMap(\.advice) { note(printable(invocation.rewordedForUser(advice))) }
    note(complete ? "nothing found" : "nothing found by the providers that answered")
  }

  /// The causes of skipping that the user can change: filters of the request, or an enabled provider that does not run.
  private static let changeableCauses: Set<String> = [
    "country", "area", "restriction", "types", "open_now", "rating", "price_levels", "fields", "price", "letters", "starting", "failed",
  ]

  /// Prints the credits of an answer, each once.
  func printCredits(_ attributions: [AttributionRow]) {
    var seen: Set<String> = []
    let texts = attributions.filter { seen.insert($0.text).inserted }.map { printable($0.text) }
    if !texts.isEmpty { line(StyledText(texts.joined(separator: " · "), .dim).text(colour: usesColour)) }
  }
}

extension ProviderReport {
  /// The reason why there is no answer: the provider's message or, if there is none, the cause or the outcome under its name in
  /// places-rpc(7).
  var reason: String { message ?? cause ?? outcome.rawValue }

  /// The advice of a provider that found nothing, after the provider's id; nil if it gave none.
  var advice: String? { outcome == .empty ? message.map { "\(provider): \($0)" } : nil }
}
