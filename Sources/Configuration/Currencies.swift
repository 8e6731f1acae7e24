import PlacesKit

extension Configuration {
  /// A problem if `quota.money_per_day` is set and providers charge in different currencies; otherwise nil. The quota is a sum over all
  /// providers, and amounts in different currencies cannot be added.
  /// - Parameter manifests: the manifests of the enabled providers, by provider id.
  public func mixedCurrencyProblem(_ manifests: [String: Manifest]) -> ConfigurationProblem? {
    guard quota.moneyPerDay != nil else { return nil }
    var currencies: [String: String] = [:]
    for settings in providers {
      guard let prices = manifests[settings.id].map({ settings.prices.applied(to: $0.prices) }),
        prices.classes.contains(where: { $0.micros > 0 })
      else { continue }
      currencies[settings.id] = prices.currency
    }
    guard Set(currencies.values).count > 1 else { return nil }
    let list = currencies.sorted { $0.key < $1.key }.map { "\($0) in \($1)" }.joined(separator: ", ")
    return ConfigurationProblem(
      origins["quota.money_per_day"] ?? .standard, "`quota.money_per_day` is a sum of all that a user spends, and providers charge \(list)",
      suggestion: "write their prices in one currency, or use `paid_calls_per_day`")
  }
}
