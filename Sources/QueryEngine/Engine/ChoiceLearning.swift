import Storage
import Merging
import PlacesAPI
import PlacesKit
import Synchronization

/// Learns from the places that users choose. If the same user types a similar text again, these places rank higher. Choices stay on this
/// machine.
final class ChoiceLearning: Sendable {
  private static let maxUsers = 256
  /// The maximum time in seconds that a request waits for the disk.
  private static let loadTimeout = 0.05

  private struct State {
    var models: [UInt32: ChoiceHistory] = [:]
    /// Incremented when choices are removed, so that a model read before the removal is not stored after it.
    var removals = 0
  }

  private let cache: (any AnswerStore)?
  private let time: any TimeSource
  private let state = Mutex(State())

  init(cache: (any AnswerStore)?, time: any TimeSource) {
    self.cache = cache
    self.time = time
  }

  /// The increase of each chosen place's score for a text, by the place's id in replies; nil if the disk does not return the choices before
  /// the deadline (monotonic seconds).
  func boosts(for query: String, of user: UInt32, deadline: Double) async -> [String: Double]? {
    let now = time.monotonic()
    // Only a part of the time is used, because the providers are called afterwards and need most of it.
    guard let model = await model(of: user, until: now + min(ChoiceLearning.loadTimeout, (deadline - now) / 4)) else { return nil }
    return model.choices.isEmpty ? [:] : model.boosts(for: query, at: time.wall())
  }

  /// Stores that a user chose a place after typing a text. If the disk does not return the earlier choices, nothing is stored, because the
  /// new choice would replace them.
  func record(_ id: PlaceID, after query: String, of user: UInt32, under terms: Terms) async {
    let removals = state.withLock { $0.removals }
    guard let known = await model(of: user, until: time.monotonic() + ChoiceLearning.loadTimeout) else { return }
    let now = time.wall()
    let choice = state.withLock { state -> ChoiceHistory.Choice? in
      // Choices removed in the meantime stay removed.
      var model = state.models[user] ?? (state.removals == removals ? known : ChoiceHistory())
      model.record(id: id.text, query: query, at: now)
      state.models[user] = model
      return model.choices.last { $0.id == id.text && $0.at == now }
    }
    guard let choice else { return }
    cache?.store(UserChoice(user: user, prefix: choice.prefix, place: choice.id, weight: choice.weight, at: choice.at), under: terms)
  }

  /// A user's choices with their current weights, the latest first; nil if the disk does not return them.
  func choices(of user: UInt32) async -> [ChoiceHistory.Choice]? {
    guard let model = await model(of: user, until: time.monotonic() + Cache.diskTimeout) else { return nil }
    let now = time.wall()
    return model.choices.map { choice in
      var choice = choice
      choice.weight = model.currentWeight(of: choice, at: now)
      return choice
    }.sorted { ($0.at, $1.id, $1.prefix) > ($1.at, $0.id, $0.prefix) }
  }

  /// Removes a user's choices of one place, or all of them if `id` is nil. Returns their number; nil if the disk does not respond.
  func forget(_ id: PlaceID?, of user: UInt32) async -> Int? {
    let inMemory = drop(id, of: user)
    guard let cache else { return inMemory }
    guard let onDisk = await cache.forgetChoices(of: user, place: id?.text) else { return nil }
    // The choices are removed again, because another request may have read them from the disk in the meantime.
    drop(id, of: user)
    return max(inMemory, onDisk)
  }

  @discardableResult private func drop(_ id: PlaceID?, of user: UInt32) -> Int {
    state.withLock { state in
      state.removals += 1
      return state.models[user]?.forget(id: id?.text) ?? 0
    }
  }

  /// Drops the choices of a scope in memory, such as after a purge.
  func forget(_ scope: CacheScope) {
    state.withLock { state in
      state.removals += 1
      for user in state.models.keys where scope.user.map({ $0 == user }) ?? true {
        if let provider = scope.provider { state.models[user]?.forget(provider: provider) } else { state.models[user] = nil }
      }
    }
  }

  /// A user's choices; nil if the disk does not return them by this time.
  private func model(of user: UInt32, until moment: Double) async -> ChoiceHistory? {
    if let known = state.withLock({ $0.models[user] }) { return known }
    guard cache != nil else { return ChoiceHistory() }
    return await PlacesKit.until(moment, of: time, "choices of a user") { await self.load(user) }
  }

  private func load(_ user: UInt32) async -> ChoiceHistory? {
    let removals = state.withLock { $0.removals }
    guard let stored = await cache?.choices(of: user) else { return nil }
    let model = ChoiceHistory(choices: stored.map { ChoiceHistory.Choice(prefix: $0.prefix, id: $0.place, weight: $0.weight, at: $0.at) })
    return state.withLock { state in
      guard state.removals == removals else { return nil }
      if state.models.count >= ChoiceLearning.maxUsers { state.models = [:] }
      // Another request may have loaded and changed the model in the meantime.
      let newest = state.models[user] ?? model
      state.models[user] = newest
      return newest
    }
  }
}

extension Engine {
  /// The increases of scores by this user's earlier choices for similar texts; nil if they are not available in time.
  func boosts(for query: String, of user: UInt32, deadline: Double) async -> [String: Double]? {
    guard settings.withLock({ $0.learns }) else { return [:] }
    return await learning.boosts(for: query, of: user, deadline: deadline)
  }

  /// Stores a choice if the provider's terms allow storing its id.
  func learn(_ id: PlaceID, after query: String, of user: UInt32) async {
    guard settings.withLock({ $0.learns }), let terms = provider(id.provider)?.instance.manifest.terms,
      terms.idsSeconds.map({ $0 > 0 }) ?? true
    else { return }
    await learning.record(id, after: query, of: user, under: terms)
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

  /// Drops what the engine has in memory of a scope, such as after a purge of the cache: choices, unshown pages, shown rows, and the
  /// answers in sessions.
  public func forget(_ scope: CacheScope) {
    learning.forget(scope)
    pages.remove(scope)
    sessions.forget(scope)
    shownRows.forget(scope.user)
    Merger.forget()
  }
}

extension APIError {
  /// The error if the choices on disk cannot be read or written.
  fileprivate static let slowChoices = APIError(
    .internalError,
    "the learned choices could not be read or written within \(Int(Cache.diskTimeout)) s: check the disk of cache_dir, then retry")
}
