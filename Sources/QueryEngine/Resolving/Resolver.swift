import PlacesAPI
import PlacesKit

/// Queries step after step until a place is found, and chooses the best place among the answers.
struct Resolver {
  typealias Answer = (rows: [PlaceRow], reports: [ProviderReport])

  let text: String
  /// The fields that the caller requested. Other fields are removed from the rows.
  let fields: Set<PlaceField>
  /// The ids of the providers on this machine.
  let local: Set<String>
  private(set) var best: Resolution?
  private var reports: [ProviderReport] = []
  private var isAnswered = false
  private var failure: APIError?

  init(text: String, fields: Set<PlaceField>, local: Set<String>) {
    self.text = text
    self.fields = fields
    self.local = local
  }

  /// Queries the steps in their order until a place is found.
  /// - Parameter ask: returns the answer of a step; nil if no time remains.
  mutating func query(_ steps: [ResolveStep], ask: (ResolveStep) async throws(APIError) -> Answer?) async throws(APIError) {
    for (index, step) in steps.enumerated() {
      do throws(APIError) {
        guard let answer = try await ask(step) else { return reportLate(steps[index...]) }
        if add(answer, of: step.way) { return }
      } catch {
        if error.name == .cancelled { throw error }
        // An overloaded daemon must not query a paid service because a free one could not be queried.
        if error.name == .overloaded { if best == nil { throw error } else { return } }
        // If a provider fails or does not support the request, the next one is queried.
        reports += error.providers
        if step.way != .suggest || failure == nil { failure = error }
      }
    }
  }

  /// Reports the providers that are not queried because no time remains.
  private mutating func reportLate(_ steps: ArraySlice<ResolveStep>) {
    var known = Set(reports.map(\.provider))
    for provider in steps.flatMap(\.providers) where known.insert(provider).inserted {
      reports.append(
        ProviderReport(provider: provider, outcome: .timeout, cause: "timeout", message: "the deadline left no time to query it"))
    }
  }

  /// Adds the answer of a step. Returns true if no further provider is to be queried. A place that has all words of the text ends the
  /// search. This is so even if several places have them, because a further service could not decide which one is meant.
  private mutating func add(_ answer: Answer, of way: ResolveStep.Way) -> Bool {
    reports += answer.reports
    isAnswered = true
    let isLocal = answer.rows.first.map { local.contains($0.id.provider) } ?? false
    guard let found = Resolution(rows: answer.rows, for: text, isLocal: isLocal, fields: fields) else { return false }
    // Another kind of call to the same provider may return the same place again.
    if found.place.id == best?.place.id { return false }
    // If a similar name is known and the next answer does not have the words either, the text probably has a typing error. Further queries
    // would not find a better place, but may cost money.
    let confirmsTypingError = best?.match == .fuzzy && found.match != .part && found.match < .words
    if best.map({ found.match > $0.match }) ?? true { best = found }
    // A place that fits only in the service's judgement also ends the search, unless a geocoder returned it.
    return confirmsTypingError || found.match >= .words || (found.match == .other && way != .geocode)
  }

  /// The result; throws if no provider answered.
  func result() throws(APIError) -> Resolve.Result {
    if !isAnswered, var failure {
      if !reports.isEmpty { failure.data["providers"] = .array(reports.map(\.json)) }
      throw failure
    }
    guard let best else { return Resolve.Result(certain: false, confidence: 0, candidates: [], providers: reports) }
    let shown = best.isCertain ? [best.place] : best.candidates
    var credits: [AttributionRow] = []
    for credit in shown.flatMap({ $0.attributions + ($0.alternatives ?? []).flatMap(\.attributions) }) where !credits.contains(credit) {
      credits.append(credit)
    }
    return Resolve.Result(
      certain: best.isCertain, confidence: best.confidence, match: best.match, name: best.name, place: best.isCertain ? best.place : nil,
      candidates: best.isCertain ? nil : shown, providers: reports, attributions: credits)
  }
}
