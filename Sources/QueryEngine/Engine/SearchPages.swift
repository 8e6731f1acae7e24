import Storage
import Merging
import PlacesAPI
import PlacesKit
import Synchronization

/// The state of a paged search: its user, its parameters, the services' own tokens, and the rows that were shown.
struct SearchPageState: Sendable {
  /// Rows of one provider that have not been shown.
  struct UnshownRows: Sendable {
    var rows: [Place]
    /// When the provider returned the rows, in seconds since 1970.
    var fetchedAt: Double
  }

  var user: UInt32
  /// The parameters in canonical form, without the page token.
  var parameters: [UInt8]
  /// The next page's token at each provider that has one.
  var tokensByProvider: [String: String]
  /// The key (`provider:nativeId`) of each source of each row that was shown.
  var shownKeys: Set<String>
  /// Rows that did not fit on a page, by provider. They are held for the token's five minutes even if the terms allow no caching, because
  /// they are the remainder of one answer to one user.
  var unshownRows: [String: UnshownRows]
  /// When the page token expires, in monotonic seconds.
  var expiresAt: Double

  /// The approximate size in bytes. The constants are estimates of what each element of a set (32), each entry of a dictionary (64) and the
  /// page itself (256) need besides their contents.
  var byteCount: Int {
    let keysAndTokens = shownKeys.reduce(0) { $0 + 32 + $1.utf8.count } + tokensByProvider.values.reduce(0) { $0 + 64 + $1.utf8.count }
    return 256 + parameters.count + keysAndTokens
      + unshownRows.values.reduce(0) { $0 + Answer.places(Page(rows: $1.rows)).approximateBytes }
  }
}

/// The page tokens that clients may use, and the state of the search to which each belongs. A token is random, and valid for five minutes
/// and for one user. If a user exceeds the limit of tokens or bytes, the user's oldest tokens are removed.
final class SearchPages: Sendable {
  /// The seconds for which a page token is valid.
  static let lifetime = 300.0
  /// The maximum number of tokens of one user.
  private static let maxPerUser = 512
  /// The maximum size of one user's pages in bytes.
  private static let maxBytesPerUser = 4 << 20
  private static let maxUsers = 64

  /// One user's pages, the oldest first.
  private struct UserPages {
    var pages: [(token: String, page: SearchPageState, bytes: Int)] = []
    /// When the newest page expires, in monotonic seconds.
    var expiresAt: Double { pages.last?.page.expiresAt ?? 0 }

    mutating func add(_ token: String, _ page: SearchPageState, at now: Double) {
      let byteCount = page.byteCount
      var removedCount = pages.prefix { $0.page.expiresAt <= now }.count
      var bytes = pages[removedCount...].reduce(byteCount) { $0 + $1.bytes }
      while removedCount < pages.count, bytes > maxBytesPerUser || pages.count - removedCount >= maxPerUser {
        bytes -= pages[removedCount].bytes
        removedCount += 1
      }
      pages.removeFirst(removedCount)
      pages.append((token, page, byteCount))
    }
  }

  private let pagesByUser = Mutex<[UInt32: UserPages]>([:])
  /// Wakes `expire` after a page was stored.
  private let (additions, additionsInput) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

  /// Stores a page and returns its token.
  func store(_ page: SearchPageState, at now: Double) -> String {
    // A new session id is a random UUID, which nobody can guess.
    let token = SessionID().text
    pagesByUser.withLock { pagesByUser in
      pagesByUser = pagesByUser.filter { $0.value.expiresAt > now }
      if pagesByUser[page.user] == nil, pagesByUser.count >= SearchPages.maxUsers,
        let oldest = pagesByUser.min(by: { $0.value.expiresAt < $1.value.expiresAt })
      {
        pagesByUser[oldest.key] = nil
      }
      pagesByUser[page.user, default: UserPages()].add(token, page, at: now)
    }
    additionsInput.yield()
    return token
  }

  /// Removes expired pages until the task is cancelled. The terms of providers may forbid that their rows are held longer.
  func expire(time: any TimeSource) async {
    for await _ in additions {
      while let next = removeExpired(at: time.monotonic()) {
        guard (try? await time.sleep(until: next)) != nil else { return }
      }
    }
  }

  /// Removes expired pages and returns when the next one expires; nil if there is none.
  private func removeExpired(at now: Double) -> Double? {
    pagesByUser.withLock { pagesByUser in
      for user in pagesByUser.keys { pagesByUser[user]?.pages.removeAll { $0.page.expiresAt <= now } }
      pagesByUser = pagesByUser.filter { !$0.value.pages.isEmpty }
      return pagesByUser.values.compactMap(\.pages.first?.page.expiresAt).min()
    }
  }

  /// Removes the pages of a scope of the cache. A page with rows or a token of the scope's provider is removed as a whole.
  func remove(_ scope: CacheScope) {
    pagesByUser.withLock { pagesByUser in
      for user in pagesByUser.keys where scope.user.map({ $0 == user }) ?? true {
        pagesByUser[user]?.pages.removeAll { stored in
          scope.provider.map { stored.page.tokensByProvider[$0] != nil || stored.page.unshownRows[$0] != nil } ?? true
        }
      }
    }
  }

  var count: Int { pagesByUser.withLock { $0.values.reduce(0) { $0 + $1.pages.count } } }

  /// The page of a token; nil if the token does not belong to this user or has expired.
  func page(_ token: String, of user: UInt32, at now: Double) -> SearchPageState? {
    pagesByUser.withLock { pagesByUser in
      guard let page = pagesByUser[user]?.pages.last(where: { $0.token == token })?.page, page.expiresAt > now else { return nil }
      return page
    }
  }
}

extension Engine {
  /// The page that a token names. Throws unless the token belongs to this user and this search.
  func page(_ token: String, of parameters: Search.Parameters, caller: EngineCaller) throws(APIError) -> SearchPageState {
    guard let page = pages.page(token, of: caller.user, at: time.monotonic()) else {
      throw APIError(InvalidParameter("pageToken", "`pageToken` is unknown or older than five minutes; search again without it"))
    }
    guard page.parameters == canonical(parameters) else {
      throw APIError(InvalidParameter("pageToken", "`pageToken` belongs to another search; repeat its parameters"))
    }
    return page
  }

  /// The token of the page after this one; nil if there are no more rows.
  func nextPage(
    after rows: [MergedPlace], of batches: [ProviderBatch<Place>], _ queryContext: QueryContext, _ outcomes: [ProviderOutcome],
    earlierPage: SearchPageState?, parameters: Search.Parameters, caller: EngineCaller
  ) -> String? {
    var tokensByProvider: [String: String] = [:]
    for (candidate, outcome) in zip(queryContext.candidates, outcomes) where candidate.client.instance.manifest.search?.pages == true {
      let id = candidate.client.id
      if outcome.isAnswer {
        tokensByProvider[id] = outcome.answer?.nextPageToken
      } else if outcome.status != .skipped {
        // A provider that failed is asked for the same page again.
        tokensByProvider[id] = earlierPage?.tokensByProvider[id]
      }
    }
    let shownKeys = (earlierPage?.shownKeys ?? []).union(rows.flatMap { $0.allSources.compactMap(\.id) })
    var unshownRows: [String: SearchPageState.UnshownRows] = [:]
    for batch in batches {
      let rows = batch.rows.filter { !shownKeys.contains(batch.key($0)) }
      if !rows.isEmpty { unshownRows[batch.provider] = SearchPageState.UnshownRows(rows: rows, fetchedAt: batch.fetchedAt) }
    }
    guard !tokensByProvider.isEmpty || !unshownRows.isEmpty else { return nil }
    let now = time.monotonic()
    return pages.store(
      SearchPageState(
        user: caller.user, parameters: canonical(parameters), tokensByProvider: tokensByProvider, shownKeys: shownKeys,
        unshownRows: unshownRows,
        expiresAt: now + SearchPages.lifetime),
      at: now)
  }

  private func canonical(_ parameters: Search.Parameters) -> [UInt8] {
    var parameters = parameters
    parameters.pageToken = nil
    return Search.schema.canonical(parameters)
  }
}

extension QueryContext {
  /// Continues after an earlier page. A provider is called only if it has a further page, and if its unshown rows do not suffice to fill
  /// this page. Otherwise only its unshown rows are used.
  mutating func continueAfter(_ page: SearchPageState, limit: Int) {
    for index in candidates.indices {
      let id = candidates[index].client.id
      guard case .call(var plan) = candidates[index].decision else { continue }
      let unshownRows = page.unshownRows[id]
      if case .search(var request) = plan.call, let token = page.tokensByProvider[id], unshownRows?.rows.count ?? 0 < limit {
        request.pageToken = token
        plan.call = .search(request)
        candidates[index].decision = .call(plan)
      } else if let unshownRows {
        let answer = ProviderAnswer.places(Page(rows: [], next: page.tokensByProvider[id]))
        candidates[index].decision = .noCall(ProviderOutcome(status: .ok, answer: answer, served: .cache, fetchedAt: unshownRows.fetchedAt))
      } else {
        candidates[index].decision = .noCall(.skipped(Skip("page", "\(id) has no further page")))
      }
    }
  }

  /// The rows that providers returned so far. On a later page, they include the unshown rows of the earlier page, even of providers that
  /// have failed now, but not the rows that were shown.
  /// - Parameter page: the earlier page; nil on the first page.
  func places(_ outcomes: [ProviderOutcome?], after page: SearchPageState?) -> [ProviderBatch<Place>] {
    guard let page else { return batches(outcomes, \.places) }
    return zip(candidates, outcomes).compactMap { candidate, outcome in
      let unshownRows = page.unshownRows[candidate.client.id]
      // A provider that failed now still has its unshown rows. A provider that was skipped has neither a plan nor an answer.
      guard let outcome, outcome.answer != nil || unshownRows != nil, candidate.plan != nil || outcome.answer != nil else { return nil }
      // Without an answer, only the fetch time of the unshown rows counts.
      var batch = batch(of: candidate, outcome.answer?.places ?? [], fetchedAt: outcome.answer == nil ? .infinity : outcome.fetchedAt)
      let unshownIDs = Set(unshownRows?.rows.map(\.id) ?? [])
      batch.rows = (unshownRows?.rows ?? []) + batch.rows.filter { !page.shownKeys.contains(batch.key($0)) && !unshownIDs.contains($0.id) }
      batch.fetchedAt = min(batch.fetchedAt, unshownRows?.fetchedAt ?? .infinity)
      return batch
    }
  }
}

extension ProviderBatch<Place> {
  /// A key that is unique among the rows of all providers.
  func key(_ place: Place) -> String { "\(provider):\(place.id)" }
}
