import Glibc
import PlacesKit
import Text

/// The places that one user chose, which are boosted when the user types a similar text again. The weight of a choice halves every
/// `halfLife` seconds. If there are more than `capacity` choices, the one with the least weight is dropped. The caller stores the history.
public struct ChoiceHistory: Sendable, Hashable, Codable {
  /// A place that the user chose after typing a text.
  public struct Choice: Sendable, Hashable, Codable {
    /// The first letters of the typed text, folded.
    public var prefix: String
    /// The place's id in replies: `provider:nativeId`.
    public var id: String
    /// The number of times the place was chosen after this text, with exponential decay, as of `at`.
    public var weight: Double
    /// When the place was last chosen after this text, in seconds since 1970.
    public var at: Double

    public init(prefix: String, id: String, weight: Double, at: Double) {
      self.prefix = prefix
      self.id = id
      self.weight = weight
      self.at = at
    }
  }

  public private(set) var choices: [Choice]

  /// Thirty days, in seconds.
  public static let halfLife = 30.0 * 86_400
  /// The maximum number of choices.
  public static let capacity = 1_000
  /// The number of letters of a query that are stored.
  public static let prefixLetters = 12

  public init(choices: [Choice] = []) { self.choices = Array(choices.prefix(ChoiceHistory.capacity)) }

  /// Records that the user chose a place after typing a query, at a time in seconds since 1970.
  public mutating func record(id: String, query: String, at now: Double) {
    let prefix = ChoiceHistory.prefix(of: query)
    guard !prefix.isEmpty else { return }
    if let index = choices.firstIndex(where: { $0.id == id && $0.prefix == prefix }) {
      choices[index].weight = weight(of: choices[index], at: now) + 1
      choices[index].at = now
    } else {
      choices.append(Choice(prefix: prefix, id: id, weight: 1, at: now))
    }
    guard choices.count > ChoiceHistory.capacity else { return }
    let leastWeighted = choices.indices.min { weight(of: choices[$0], at: now) < weight(of: choices[$1], at: now) }
    if let leastWeighted { choices.remove(at: leastWeighted) }
  }

  /// The boosts of places for a query, 0…1, by `provider:nativeId`. A choice counts if the query or the text at the choice is a prefix of
  /// the other. Its weight is multiplied by the square root of the ratio of their lengths, and the boost is 1 - exp(-sum of these weights).
  /// Boosts up to 0.01 are left out.
  public func boosts(for query: String, at now: Double) -> [String: Double] {
    let typedPrefix = Array(ChoiceHistory.prefix(of: query).utf8)
    guard !typedPrefix.isEmpty else { return [:] }
    var sums: [String: Double] = [:]
    for choice in choices {
      let chosenPrefix = choice.prefix.utf8
      let shorter = min(chosenPrefix.count, typedPrefix.count)
      guard shorter > 0, chosenPrefix.prefix(shorter).elementsEqual(typedPrefix.prefix(shorter)) else { continue }
      let nearness = Double(shorter) / Double(max(chosenPrefix.count, typedPrefix.count))
      sums[choice.id, default: 0] += weight(of: choice, at: now) * nearness.squareRoot()
    }
    return sums.mapValues { 1 - exp(-$0) }.filter { $0.value > 0.01 }
  }

  /// Removes the choices of one place, or all choices if `id` is nil. Returns their number.
  @discardableResult public mutating func forget(id: String?) -> Int {
    let countBefore = choices.count
    choices.removeAll { id == nil || $0.id == id }
    return countBefore - choices.count
  }

  /// The weight of a choice now.
  public func currentWeight(of choice: Choice, at now: Double) -> Double { weight(of: choice, at: now) }

  /// Removes the choices of one provider's places.
  public mutating func forget(provider: String) { choices.removeAll { $0.id.hasPrefix(provider + ":") } }

  private func weight(of choice: Choice, at now: Double) -> Double {
    choice.weight * exp2(-max(0, now - choice.at) / ChoiceHistory.halfLife)
  }

  /// The folded prefix, so that `Münch` and `munch` are equal.
  private static func prefix(of query: String) -> String { String(Folding.fold(query).prefix(prefixLetters)) }
}
