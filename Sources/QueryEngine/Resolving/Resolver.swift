import PlacesAPI
import PlacesKit

/// Queries step after step until a place is found, and chooses the best place among the answers.
struct Resolver {
  typealias Answer = (rows: [PlaceRow], reports: [ProviderReport])

  let text: String
  /// The area whose places are preferred; nil for none.
  let bias: Area?
  /// The type that the caller prefers; nil for none.
  let type: PlaceType?
  /// The fields that the caller requested. Other fields are removed from the rows.
  let fields: Set<PlaceField>
  /// The ids of the providers on this machine.
  let localProviders: Set<String>
  private(set) var bestResolution: Resolution?
  private var reports: [ProviderReport] = []
  /// True if a step was answered, even without rows.
  private var hasAnswer = false
  /// The error to throw if no step is answered. An error of autocomplete does not replace an error of another kind of call.
  private var failure: APIError?

  init(text: String, bias: Area?, type: PlaceType? = nil, fields: Set<PlaceField>, localProviders: Set<String>) {
    self.text = text
    self.bias = bias
    self.type = type
    self.fields = fields
    self.localProviders = localProviders
  }

  /// Queries the steps in their order until a place is found.
  /// - Parameter run: queries the providers of a step, and returns their answer; nil if no time remains.
  mutating func query(_ steps: [ResolveStep], run: (ResolveStep) async throws(APIError) -> Answer?) async throws(APIError) {
    var mayPay = true
    for (index, step) in steps.enumerated() where step.isFree || mayPay {
      do throws(APIError) {
        guard let answer = try await run(step) else { return reportUnqueried(steps[index...]) }
        switch add(answer, of: step.callKind) {
        case .found: return
        case .uncertain: mayPay = false
        case .notFound: break
        }
      } catch {
        if error.name == .cancelled { throw error }
        // If a free service was not queried because the daemon is overloaded, no paid service is queried in its place.
        if error.name == .overloaded { if bestResolution == nil { throw error } else { return } }
        // If the providers of a step fail or do not support the request, the next step is queried.
        reports += error.providers
        if step.callKind != .suggest || failure == nil { failure = error }
      }
    }
  }

  /// Reports the providers that are not queried because no time remains.
  private mutating func reportUnqueried(_ steps: ArraySlice<ResolveStep>) {
    var reportedIDs = Set(reports.map(\.provider))
    for provider in steps.flatMap(\.providers) where reportedIDs.insert(provider).inserted {
      reports.append(
        ProviderReport(provider: provider, outcome: .timeout, cause: "timeout", message: "the deadline left no time to query it"))
    }
  }

  /// What the answer of a step means for the next steps.
  private enum Finding {
    /// No further step needs to be queried.
    case found
    /// The providers on this machine have a place with all words of the text, but a free service may know a better one. Paid services are
    /// not queried.
    case uncertain
    case notFound
  }

  /// Adds the answer of a step. A place whose name is the text ends the search, and of a service on the network also one that has all words
  /// of the text. Several such places end it too, because a further service could not decide which one is meant.
  private mutating func add(_ answer: Answer, of callKind: ResolveStep.CallKind) -> Finding {
    reports += answer.reports
    hasAnswer = true
    let isLocal = answer.rows.first.map { localProviders.contains($0.id.provider) } ?? false
    guard let resolution = Resolution(rows: answer.rows, for: text, isLocal: isLocal, bias: bias, type: type, fields: fields) else {
      return .notFound
    }
    // Another kind of call to the same provider may return the same place again.
    if resolution.place.id == bestResolution?.place.id { return .notFound }
    // If an earlier answer has a similar name, and this answer does not have all words either, the text probably has a typing error.
    // Further queries would not find a better place, but may cost money.
    let confirmsTypingError = bestResolution?.match == .fuzzy && resolution.match != .part && resolution.match < .words
    if bestResolution.map(resolution.isBetter) ?? true { bestResolution = resolution }
    if confirmsTypingError || resolution.match == .exact { return .found }
    if isLocal { return resolution.match < .words ? .notFound : resolution.isCertain ? .found : .uncertain }
    // A place that matches only by the service's own judgement (`other`) also ends the search, unless a geocoder returned it.
    return resolution.match >= .words || (resolution.match == .other && callKind != .geocode) ? .found : .notFound
  }

  /// The result; throws if no provider answered.
  func result() throws(APIError) -> Resolve.Result {
    if !hasAnswer, var failure {
      if !reports.isEmpty { failure.data["providers"] = .array(reports.map(\.json)) }
      throw failure
    }
    guard let bestResolution else { return Resolve.Result(certain: false, confidence: 0, candidates: [], providers: reports) }
    let shownPlaces = bestResolution.isCertain ? [bestResolution.place] : bestResolution.candidates
    var credits: [AttributionRow] = []
    for credit in shownPlaces.flatMap({ $0.attributions + ($0.alternatives ?? []).flatMap(\.attributions) }) where !credits.contains(credit)
    {
      credits.append(credit)
    }
    return Resolve.Result(
      certain: bestResolution.isCertain, confidence: bestResolution.confidence, match: bestResolution.match, name: bestResolution.name,
      place: bestResolution.isCertain ? bestResolution.place : nil,
      candidates: bestResolution.isCertain ? nil : shownPlaces, providers: reports, attributions: credits)
  }
}
