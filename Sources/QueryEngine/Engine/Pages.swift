import Storage
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
  var left: [String: Left]
  /// Monotonic seconds.
  var expires: Double

  struct Left: Sendable {
    var rows: [Place]
    /// Seconds since 1970.
    var fetchedAt: Double
  }

  /// About how many bytes it takes in memory.
  var weight: Int {
    let names = shown.reduce(0) { $0 + 32 + $1.utf8.count } + tokens.values.reduce(0) { $0 + 64 + $1.utf8.count }
    return 256 + question.count + names + left.values.reduce(0) { $0 + Answer.places(Page(rows: $1.rows)).weight }
  }
}

/// The pages that clients may ask for: each for five minutes, for one user, under a name that nobody guesses. A user's pages are so many
/// and take so many bytes at most; his oldest make room, and no other user's do before so many users have pages.
final class Pages: Sendable {
  static let lifetime = 300.0
  private static let mostPerUser = 512
  private static let bytesPerUser = 4 << 20
  private static let mostUsers = 64

  /// One user's pages, the oldest first.
  private struct Shelf {
    var pages: [(token: String, page: SearchPage, bytes: Int)] = []
    /// When the youngest of them goes.
    var expires: Double { pages.last?.page.expires ?? 0 }

    mutating func add(_ token: String, _ page: SearchPage, at now: Double) {
      let weight = page.weight
      var gone = pages.prefix { $0.page.expires <= now }.count
      var left = pages[gone...].reduce(weight) { $0 + $1.bytes }
      while gone < pages.count, left > bytesPerUser || pages.count - gone >= mostPerUser {
        left -= pages[gone].bytes
        gone += 1
      }
      pages.removeFirst(gone)
      pages.append((token, page, weight))
    }
  }

  private let shelves = Mutex<[UInt32: Shelf]>([:])

  func keep(_ page: SearchPage, at now: Double) -> String {
    let token = SessionID().text
    shelves.withLock { shelves in
      shelves = shelves.filter { $0.value.expires > now }
      if shelves[page.user] == nil, shelves.count >= Pages.mostUsers,
        let oldest = shelves.min(by: { $0.value.expires < $1.value.expires })
      {
        shelves[oldest.key] = nil
      }
      shelves[page.user, default: Shelf()].add(token, page, at: now)
    }
    return token
  }

  /// Forgets what belongs to a share: a page that holds anything of the provider's goes as a whole.
  func forget(_ share: CacheShare) {
    shelves.withLock { shelves in
      for user in shelves.keys where share.user.map({ $0 == user }) ?? true {
        shelves[user]?.pages.removeAll { kept in
          share.provider.map { kept.page.tokens[$0] != nil || kept.page.left[$0] != nil } ?? true
        }
      }
    }
  }

  var count: Int { shelves.withLock { $0.values.reduce(0) { $0 + $1.pages.count } } }

  /// The page, where it is this user's and not too old.
  func page(_ token: String, of user: UInt32, at now: Double) -> SearchPage? {
    shelves.withLock { shelves in
      guard let page = shelves[user]?.pages.last(where: { $0.token == token })?.page, page.expires > now else { return nil }
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
    after rows: [MergedPlace], of batches: [ProviderBatch<Place>], _ queryContext: QueryContext, _ outcomes: [Outcome],
    earlier: SearchPage?,
    parameters: Search.Parameters, caller: EngineCaller
  ) -> String? {
    var tokens: [String: String] = [:]
    for (candidate, outcome) in zip(queryContext.candidates, outcomes) where candidate.client.instance.manifest.search?.pages == true {
      let id = candidate.client.id
      // Who failed is asked for the same page again.
      tokens[id] = outcome.isAnswer ? outcome.answer?.next : outcome.word == .skipped ? nil : earlier?.tokens[id]
    }
    let shown = (earlier?.shown ?? []).union(rows.flatMap { $0.allSources.compactMap(\.id) })
    var left: [String: SearchPage.Left] = [:]
    for batch in batches where batch.terms.otherSeconds.map({ $0 >= Pages.lifetime }) ?? true {
      let rows = batch.rows.filter { !shown.contains(batch.key($0)) }
      if !rows.isEmpty { left[batch.provider] = SearchPage.Left(rows: rows, fetchedAt: batch.fetchedAt) }
    }
    guard !tokens.isEmpty || !left.isEmpty else { return nil }
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

extension QueryContext {
  /// Takes what is left of the page before, and asks for more those who have more, and nobody else.
  mutating func turn(to page: SearchPage, limit: Int) {
    for index in candidates.indices {
      let id = candidates[index].client.id
      guard case .asked(var plan) = candidates[index].part else { continue }
      let left = page.left[id]
      if case .search(var request) = plan.call, let token = page.tokens[id], left?.rows.count ?? 0 < limit {
        request.pageToken = token
        plan.call = .search(request)
        candidates[index].part = .asked(plan)
      } else if let left {
        let answer = ProviderAnswer.places(Page(rows: [], next: page.tokens[id]))
        candidates[index].part = .known(Outcome(word: .ok, answer: answer, served: .cache, fetchedAt: left.fetchedAt))
      } else {
        candidates[index].part = .known(.skipped(Skip("page", "\(id) has no further page")))
      }
    }
  }
}

extension QueryContext {
  /// What the providers gave so far; on a later page with what was left of the one before, also of providers that failed now, and without
  /// the rows that were shown.
  func places(_ outcomes: [Outcome?], after page: SearchPage?) -> [ProviderBatch<Place>] {
    guard let page else { return batches(outcomes, \.places) }
    return zip(candidates, outcomes).compactMap { candidate, outcome in
      let left = page.left[candidate.client.id]
      guard let outcome, outcome.answer != nil || left != nil, candidate.plan != nil || outcome.answer != nil else { return nil }
      var batch = batch(of: candidate, outcome.answer?.places ?? [], fetchedAt: outcome.answer == nil ? .infinity : outcome.fetchedAt)
      let known = Set(left?.rows.map(\.id) ?? [])
      batch.rows = (left?.rows ?? []) + batch.rows.filter { !page.shown.contains(batch.key($0)) && !known.contains($0.id) }
      batch.fetchedAt = min(batch.fetchedAt, left?.fetchedAt ?? .infinity)
      return batch
    }
  }
}

extension ProviderBatch<Place> {
  /// A row's name among those of all providers.
  func key(_ place: Place) -> String { "\(provider):\(place.id)" }
}
