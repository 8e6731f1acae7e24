import Merging
import PlacesAPI
import PlacesKit
import Synchronization

/// Where a search goes on: whose it is, what it asked, the services' own tokens, and the rows that were shown.
struct SearchPage: Sendable {
  var user: UInt32
  /// The search as it was asked, in canonical form without its page.
  var question: [UInt8]
  /// The next page's token at each provider that has one.
  var tokens: [String: String]
  /// `provider:nativeId` of every source of every row shown.
  var shown: Set<String>
  /// Rows that providers gave and that found no room, by provider; only where terms allow to keep them so long.
  var left: [String: [Place]]
  /// Monotonic seconds.
  var expires: Double
}

/// The pages that clients may ask for: each for five minutes, for one user, under a name that nobody guesses.
final class Pages: Sendable {
  static let lifetime = 300.0
  private static let most = 2_048
  private let open = Mutex<[String: SearchPage]>([:])

  func keep(_ page: SearchPage, at now: Double) -> String {
    let token = SessionID().text
    open.withLock { open in
      if open.count >= Pages.most { open = open.filter { $0.value.expires > now } }
      if open.count >= Pages.most, let oldest = open.min(by: { $0.value.expires < $1.value.expires }) { open[oldest.key] = nil }
      open[token] = page
    }
    return token
  }

  /// The page, where it is this user's and not too old.
  func page(_ token: String, of user: UInt32, at now: Double) -> SearchPage? {
    open.withLock { open in
      guard let page = open[token], page.user == user, page.expires > now else { return nil }
      return page
    }
  }
}

extension Engine {
  /// The page that a token names; it must belong to this user and this search.
  func page(_ token: String, of parameters: Search.Parameters, caller: EngineCaller) throws(APIError) -> SearchPage {
    guard let page = pages.page(token, of: caller.user, at: time.monotonic()) else {
      throw APIError(InvalidParameter("pageToken", "`pageToken` is unknown or older than five minutes; search again without it"))
    }
    guard page.question == question(parameters) else {
      throw APIError(InvalidParameter("pageToken", "`pageToken` belongs to another search; repeat its parameters"))
    }
    return page
  }

  /// The token of the page after this one; nil where there is no more.
  func nextPage(
    after rows: [MergedPlace], of batches: [ProviderBatch<Place>], _ inquiry: Inquiry, _ outcomes: [Outcome], earlier: SearchPage?,
    parameters: Search.Parameters, caller: EngineCaller
  ) -> String? {
    var tokens: [String: String] = [:]
    for (participant, outcome) in zip(inquiry.participants, outcomes) {
      if let next = outcome.answer?.next, participant.lane.instance.manifest.search?.pages == true { tokens[participant.lane.id] = next }
    }
    let shown = (earlier?.shown ?? []).union(rows.flatMap { $0.sources.compactMap(\.id) })
    var left: [String: [Place]] = [:]
    for batch in batches where batch.terms.otherSeconds.map({ $0 >= Pages.lifetime }) ?? true {
      left[batch.provider] = batch.rows.filter { !shown.contains(batch.key($0)) }
    }
    guard !tokens.isEmpty || left.values.contains(where: { !$0.isEmpty }) else { return nil }
    let now = time.monotonic()
    return pages.keep(
      SearchPage(
        user: caller.user, question: question(parameters), tokens: tokens, shown: shown, left: left, expires: now + Pages.lifetime),
      at: now)
  }

  private func question(_ parameters: Search.Parameters) -> [UInt8] {
    var parameters = parameters
    parameters.pageToken = nil
    return Search.schema.canonical(parameters)
  }
}

extension Inquiry {
  /// Takes what is left of the page before, and asks for more those who have more, and nobody else.
  mutating func turn(to page: SearchPage, limit: Int) {
    for index in participants.indices {
      let id = participants[index].lane.id
      guard case .asked(var plan) = participants[index].part, case .search(var request) = plan.call else { continue }
      let left = page.left[id] ?? []
      if let token = page.tokens[id], left.count < limit {
        request.pageToken = token
        plan.call = .search(request)
        participants[index].part = .asked(plan)
      } else if left.isEmpty {
        participants[index].part = .known(.skipped(Skip("page", "\(id) has no further page")))
      } else {
        let answer = ProviderAnswer.places(Page(rows: [], next: page.tokens[id]))
        participants[index].part = .known(Outcome(word: .ok, answer: answer, served: .cache))
      }
    }
  }
}

extension SearchPage {
  /// What the providers gave now and what was left before, without the rows that were shown.
  func continued(_ batches: [ProviderBatch<Place>]) -> [ProviderBatch<Place>] {
    batches.map { batch in
      var batch = batch
      let left = left[batch.provider] ?? []
      let known = Set(left.map(\.id))
      batch.rows = left + batch.rows.filter { !shown.contains(batch.key($0)) && !known.contains($0.id) }
      return batch
    }
  }
}

extension ProviderBatch<Place> {
  /// A row's name among those of all providers.
  func key(_ place: Place) -> String { "\(provider):\(place.id)" }
}
