import Storage
import Merging
import PlacesAPI
import PlacesKit
import Synchronization

/// What users choose, so that it rises for them when they type the like again: on this machine only, each user for himself.
final class ChoiceLearning: Sendable {
  private static let mostUsers = 256
  /// Seconds that anybody waits for the disk to tell what was chosen.
  private static let patience = 0.05

  private struct State {
    var models: [UInt32: UseModel] = [:]
    /// Rises when something is forgotten, so that what was read before is not put back after it.
    var forgettings = 0
  }

  private let cache: (any AnswerStore)?
  private let time: any TimeSource
  private let state = Mutex(State())

  init(cache: (any AnswerStore)?, time: any TimeSource) {
    self.cache = cache
    self.time = time
  }

  /// How much each place rises for a text, by its wire id; nil where the disk is too slow to tell it before the deadline (monotonic
  /// seconds).
  func boosts(for query: String, of user: UInt32, deadline: Double) async -> [String: Double]? {
    let now = time.monotonic()
    // The providers are asked after this: most of the time is theirs.
    guard let model = await model(of: user, until: now + min(ChoiceLearning.patience, (deadline - now) / 4)) else { return nil }
    return model.choices.isEmpty ? [:] : model.boosts(for: query, at: time.wall())
  }

  /// Takes note that a place was chosen after a text was typed. Where the disk does not tell what was chosen before, nothing is noted:
  /// this choice alone would be taken for all, and written over what had grown.
  func record(_ id: PlaceID, after query: String, of user: UInt32, under terms: Terms) async {
    let forgettings = state.withLock { $0.forgettings }
    guard let known = await model(of: user, until: time.monotonic() + ChoiceLearning.patience) else { return }
    let now = time.wall()
    let choice = state.withLock { state -> UseModel.Choice? in
      // What was forgotten meanwhile stays so; the choice begins a new memory.
      var model = state.models[user] ?? (state.forgettings == forgettings ? known : UseModel())
      model.record(id: id.text, query: query, at: now)
      state.models[user] = model
      return model.choices.last { $0.id == id.text && $0.at == now }
    }
    guard let choice else { return }
    cache?.keep(UsedPlace(user: user, prefix: choice.prefix, place: choice.id, weight: choice.weight, at: choice.at), under: terms)
  }

  /// Forgets what is in memory, such as after a purge.
  func forget(_ share: CacheShare) {
    state.withLock { state in
      state.forgettings += 1
      for user in state.models.keys where share.user.map({ $0 == user }) ?? true {
        if let provider = share.provider { state.models[user]?.forget(provider: provider) } else { state.models[user] = nil }
      }
    }
  }

  /// What a user chose; nil where the disk does not tell it until that moment.
  private func model(of user: UInt32, until moment: Double) async -> UseModel? {
    if let known = state.withLock({ $0.models[user] }) { return known }
    guard cache != nil else { return UseModel() }
    return await PlacesKit.until(moment, of: time, "what a user chose") { await self.load(user) }
  }

  private func load(_ user: UInt32) async -> UseModel? {
    let forgettings = state.withLock { $0.forgettings }
    guard let uses = await cache?.uses(of: user) else { return nil }
    let model = UseModel(choices: uses.map { UseModel.Choice(prefix: $0.prefix, id: $0.place, weight: $0.weight, at: $0.at) })
    return state.withLock { state in
      guard state.forgettings == forgettings else { return nil }
      if state.models.count >= ChoiceLearning.mostUsers { state.models = [:] }
      // Somebody else may have loaded and learnt meanwhile.
      let newest = state.models[user] ?? model
      state.models[user] = newest
      return newest
    }
  }
}

extension Engine {
  /// What this user chose before for such a text; nil where that is not known in time.
  func boosts(for query: String, of user: UInt32, deadline: Double) async -> [String: Double]? {
    guard settings.withLock({ $0.learns }) else { return [:] }
    return await learning.boosts(for: query, of: user, deadline: deadline)
  }

  /// Takes note of a choice, as far as the provider's terms let its id be kept.
  func learn(_ id: PlaceID, after query: String, of user: UInt32) async {
    guard settings.withLock({ $0.learns }), let terms = provider(id.provider)?.instance.manifest.terms,
      terms.idsSeconds.map({ $0 > 0 }) ?? true
    else { return }
    await learning.record(id, after: query, of: user, under: terms)
  }

  /// Forgets all that the engine itself holds of a share, such as when the cache's was purged: choices, pages to come, rows that were shown,
  /// and sessions' answers.
  public func forget(_ share: CacheShare) {
    learning.forget(share)
    pages.forget(share)
    sessions.forget(share)
    shown.forget(share.user)
    Merger.forget()
  }
}
