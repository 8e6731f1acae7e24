import Keeping
import Merging
import PlacesAPI
import PlacesKit
import Synchronization

/// What users choose, so that it rises for them when they type the like again: on this machine only, each user for himself.
final class Learning: Sendable {
  private static let mostUsers = 256
  private let cache: (any AnswerStore)?
  private let time: any TimeSource
  private let models = Mutex<[UInt32: UseModel]>([:])

  init(cache: (any AnswerStore)?, time: any TimeSource) {
    self.cache = cache
    self.time = time
  }

  /// How much each place rises for a text, by its wire id.
  func boosts(for query: String, of user: UInt32) async -> [String: Double] {
    let known = models.withLock { $0[user] }
    let model: UseModel
    if let known { model = known } else { model = await load(user) }
    return model.choices.isEmpty ? [:] : model.boosts(for: query, at: time.wall())
  }

  /// Takes note that a place was chosen after a text was typed.
  func record(_ id: PlaceID, after query: String, of user: UInt32, under terms: Terms) async {
    if models.withLock({ $0[user] == nil }) { _ = await load(user) }
    let now = time.wall()
    let choice = models.withLock { models -> UseModel.Choice? in
      models[user, default: UseModel()].record(id: id.text, query: query, at: now)
      return models[user]?.choices.last { $0.id == id.text && $0.at == now }
    }
    guard let choice else { return }
    cache?.keep(UsedPlace(user: user, prefix: choice.prefix, place: choice.id, weight: choice.weight, at: choice.at), under: terms)
  }

  /// Forgets what is in memory, such as after a purge.
  func forget(_ user: UInt32?) {
    models.withLock { models in
      if let user { models[user] = nil } else { models = [:] }
    }
  }

  private func load(_ user: UInt32) async -> UseModel {
    let choices = await cache?.uses(of: user).map {
      UseModel.Choice(prefix: $0.prefix, id: $0.place, weight: $0.weight, at: $0.at)
    }
    let model = UseModel(choices: choices ?? [])
    return models.withLock { models in
      if models.count >= Learning.mostUsers { models = [:] }
      // Somebody else may have loaded and learnt meanwhile.
      return models.updateValue(models[user] ?? model, forKey: user) ?? model
    }
  }
}

extension Engine {
  /// What this user chose before for such a text.
  func boosts(for query: String, of user: UInt32) async -> [String: Double] {
    guard settings.withLock({ $0.learns }) else { return [:] }
    return await learning.boosts(for: query, of: user)
  }

  /// Takes note of a choice, as far as the provider's terms let its id be kept.
  func learn(_ id: PlaceID, after query: String, of user: UInt32) async {
    guard settings.withLock({ $0.learns }), let terms = provider(id.provider)?.instance.manifest.terms,
      terms.idsSeconds.map({ $0 > 0 }) ?? true
    else { return }
    await learning.record(id, after: query, of: user, under: terms)
  }

  /// Forgets what a user chose, or all users, of what is in memory; the cache's purge forgets the rest.
  public func forgetChoices(of user: UInt32?) { learning.forget(user) }
}
