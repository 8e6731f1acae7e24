import Storage
import Merging
import PlacesAPI
import PlacesKit
import Synchronization

/// Learns from the places that users choose. If the same user types a similar text again, these places rank higher. Choices stay on this
/// machine.
final class ChoiceLearning: Sendable {
  /// The maximum number of users whose choices are in memory. If one more user's choices are read, the others are dropped from memory.
  private static let maxUsers = 256
  /// The maximum time in seconds that a request waits for the disk.
  private static let loadTimeout = 0.05
  /// The maximum time in seconds that a choice waits for the disk. It is longer, because the choice is lost after it.
  private static let recordTimeout = 0.5

  private struct State {
    var historiesByUser: [UInt32: ChoiceHistory] = [:]
    /// Incremented when choices are removed, so that choices that were read before the removal are not kept after it.
    var removalCount = 0
  }

  private let cache: (any AnswerStore)?
  private let time: any TimeSource
  private let state = Mutex(State())

  init(cache: (any AnswerStore)?, time: any TimeSource) {
    self.cache = cache
    self.time = time
  }

  /// The boosts of the user's chosen places for a text: for each place's id in replies, the amount that is added to the place's score. Nil
  /// if the disk does not return the choices before the deadline (monotonic seconds).
  func boosts(for query: String, of user: UInt32, deadline: Double) async -> [String: Double]? {
    let now = time.monotonic()
    // Only a part of the time is used, because the providers are called afterwards and need most of it.
    guard let history = await history(of: user, until: now + min(ChoiceLearning.loadTimeout, (deadline - now) / 4)) else { return nil }
    return history.choices.isEmpty ? [:] : history.boosts(for: query, at: time.wall())
  }

  /// Stores that a user chose a place after typing a text. If the disk does not return the earlier choices, nothing is stored, because the
  /// new choice would replace them.
  /// - Parameter deadline: when the reply must be sent, in monotonic seconds; nil if it may wait for the disk.
  func record(_ id: PlaceID, after query: String, of user: UInt32, under terms: Terms, before deadline: Double?) async {
    let removalCount = state.withLock { $0.removalCount }
    let latest = min(time.monotonic() + ChoiceLearning.recordTimeout, deadline ?? .infinity)
    guard let loadedHistory = await history(of: user, until: latest) else { return }
    let now = time.wall()
    let choice = state.withLock { state -> ChoiceHistory.Choice? in
      // Choices removed in the meantime stay removed.
      var history = state.historiesByUser[user] ?? (state.removalCount == removalCount ? loadedHistory : ChoiceHistory())
      history.record(id: id.text, query: query, at: now)
      state.historiesByUser[user] = history
      return history.choices.last { $0.id == id.text && $0.at == now }
    }
    guard let choice else { return }
    cache?.store(UserChoice(user: user, prefix: choice.prefix, place: choice.id, weight: choice.weight, at: choice.at), under: terms)
  }

  /// A user's choices with their current weights, the latest first; nil if the disk does not return them.
  func choices(of user: UInt32) async -> [ChoiceHistory.Choice]? {
    guard let history = await history(of: user, until: time.monotonic() + Cache.diskTimeout) else { return nil }
    let now = time.wall()
    return history.choices.map { choice in
      var choice = choice
      choice.weight = history.currentWeight(of: choice, at: now)
      return choice
    }.sorted { ($0.at, $1.id, $1.prefix) > ($1.at, $0.id, $0.prefix) }
  }

  /// Removes a user's choices of one place, or all of them if `id` is nil. Returns their number; nil if the disk does not respond.
  func forget(_ id: PlaceID?, of user: UInt32) async -> Int? {
    let countInMemory = removeFromMemory(id, of: user)
    guard let cache else { return countInMemory }
    guard let countOnDisk = await cache.forgetChoices(of: user, place: id?.text) else { return nil }
    // The choices are removed again, because another request may have read them from the disk in the meantime.
    removeFromMemory(id, of: user)
    return max(countInMemory, countOnDisk)
  }

  @discardableResult private func removeFromMemory(_ id: PlaceID?, of user: UInt32) -> Int {
    state.withLock { state in
      state.removalCount += 1
      return state.historiesByUser[user]?.forget(id: id?.text) ?? 0
    }
  }

  /// Drops the choices of a scope from memory, for example after a purge of the cache.
  func forget(_ scope: CacheScope) {
    state.withLock { state in
      state.removalCount += 1
      for user in state.historiesByUser.keys where scope.user.map({ $0 == user }) ?? true {
        if let provider = scope.provider {
          state.historiesByUser[user]?.forget(provider: provider)
        } else {
          state.historiesByUser[user] = nil
        }
      }
    }
  }

  /// A user's choices; nil if the disk does not return them by `deadline` (monotonic seconds).
  private func history(of user: UInt32, until deadline: Double) async -> ChoiceHistory? {
    if let history = state.withLock({ $0.historiesByUser[user] }) { return history }
    guard cache != nil else { return ChoiceHistory() }
    return await withDeadline(deadline, clock: time, task: "choices of a user") { await self.load(user) }
  }

  private func load(_ user: UInt32) async -> ChoiceHistory? {
    let removalCount = state.withLock { $0.removalCount }
    guard let stored = await cache?.choices(of: user) else { return nil }
    let history = ChoiceHistory(choices: stored.map { ChoiceHistory.Choice(prefix: $0.prefix, id: $0.place, weight: $0.weight, at: $0.at) })
    return state.withLock { state in
      guard state.removalCount == removalCount else { return nil }
      if state.historiesByUser.count >= ChoiceLearning.maxUsers { state.historiesByUser = [:] }
      // Another request may have loaded and changed the history in the meantime.
      let newestHistory = state.historiesByUser[user] ?? history
      state.historiesByUser[user] = newestHistory
      return newestHistory
    }
  }
}

extension Engine {
  /// The amounts that this user's earlier choices for similar texts add to scores; nil if they are not available in time.
  func boosts(for query: String, of user: UInt32, deadline: Double) async -> [String: Double]? {
    guard settings.withLock({ $0.learns }) else { return [:] }
    return await learning.boosts(for: query, of: user, deadline: deadline)
  }

  /// Stores a choice if the provider's terms allow the place's id to be stored.
  func learn(_ id: PlaceID, after query: String, of user: UInt32, before deadline: Double?) async {
    guard settings.withLock({ $0.learns }), let terms = provider(id.provider)?.instance.manifest.terms,
      terms.idsSeconds.map({ $0 > 0 }) ?? true
    else { return }
    await learning.record(id, after: query, of: user, under: terms, before: deadline)
  }

  /// The caller's choices, the latest first.
  public func choices(_ parameters: ChoicesList.Parameters, caller: EngineCaller) async throws(APIError) -> ChoicesList.Result {
    guard let choices = await learning.choices(of: caller.user) else { throw .slowChoices }
    return ChoicesList.Result(
      choices: choices.prefix(parameters.limit).compactMap { choice in
        PlaceID(choice.id).map {
          ChoicesList.Choice(id: $0, text: choice.prefix, weight: choice.weight, at: Timestamp.rfc3339(choice.at))
        }
      })
  }

  /// Removes choices of the caller.
  public func forgetChoices(_ parameters: ChoicesForget.Parameters, caller: EngineCaller) async throws(APIError) -> ChoicesForget.Result {
    guard let count = await learning.forget(parameters.id, of: caller.user) else { throw .slowChoices }
    return ChoicesForget.Result(choices: count)
  }

  /// Drops the data of a scope from memory, for example after a purge of the cache: choices, search pages, shown rows, and the answers in
  /// sessions. Also drops the transliterations of all rows.
  public func forget(_ scope: CacheScope) {
    learning.forget(scope)
    pages.remove(scope)
    sessions.forgetAnswers(in: scope)
    shownRows.forgetRows(of: scope.user)
    Merger.forget()
  }
}

extension APIError {
  /// The error if the choices on disk cannot be read or written.
  fileprivate static let slowChoices = APIError(
    .internalError,
    "the learned choices could not be read or written within \(Int(Cache.diskTimeout)) s: check the disk of cache_dir, then retry")
}
