import PlacesKit

/// Finds the cheapest way to end an autocomplete session, by the provider's price table. Google, for example, bills the first twelve
/// requests of a session that ends with Details Essentials, but none if it ends with a more expensive class.
public struct SessionPricing: Sendable {
  /// One way to end a session.
  public struct Ending: Sendable, Hashable {
    /// The fields of the details call: the wanted fields, and one more if a more expensive class makes the session cheaper.
    public var fields: Set<PlaceField>
    /// The cost of the session's autocomplete calls with this ending, in millionths of the currency's unit.
    public var autocompleteMicros: Int
    /// The cost of the autocomplete calls and the details call; `Int.max` if the price of the details call is not known.
    public var totalMicros: Int
  }

  public let prices: PriceTable
  public let rule: SessionRule

  public init(prices: PriceTable, rule: SessionRule) {
    self.prices = prices
    self.rule = rule
  }

  /// The cost of the autocomplete calls of one session.
  /// - Parameters:
  ///   - requests: the number of autocomplete calls.
  ///   - priceClass: the class of the details call that ends the session; nil if there is none. All calls are billed if there is none or
  ///     its class does not end sessions.
  ///   - remainingFreeCalls: the remaining free calls of each class this month.
  public func autocompleteMicros(_ requests: Int, endedBy priceClass: String?, remainingFreeCalls: [String: Int] = [:]) -> Int {
    guard let price = prices.priceClass(of: .autocomplete) else { return 0 }
    let billedCount: Int
    switch priceClass.flatMap({ rule.endings[$0] }) ?? .all {
    case .none: billedCount = 0
    case .first(let count): billedCount = min(max(0, requests), max(0, count))
    case .all: billedCount = max(0, requests)
    }
    return price.micros.saturatingMultiplied(by: max(0, billedCount.saturatingSubtracting(max(0, remainingFreeCalls[price.name] ?? 0))))
  }

  /// The cheapest way to request `fields` at the end of a session with `requests` autocomplete calls. It requests one further field only if
  /// that is cheaper.
  public func cheapestEnding(requests: Int, fields: Set<PlaceField>, remainingFreeCalls: [String: Int] = [:]) -> Ending {
    var best = ending(requests: requests, fields: fields, remainingFreeCalls: remainingFreeCalls)
    for (field, _) in (prices.fieldClasses[.details] ?? [:]).sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      let candidate = ending(requests: requests, fields: fields.union([field]), remainingFreeCalls: remainingFreeCalls)
      if candidate.totalMicros < best.totalMicros { best = candidate }
    }
    return best
  }

  /// The cost of a session with `requests` autocomplete calls that ends with a details call for exactly `fields`. A details call whose
  /// price is not known costs more than all others, so that it is never made to save money.
  public func ending(requests: Int, fields: Set<PlaceField>, remainingFreeCalls: [String: Int] = [:]) -> Ending {
    guard prices.micros(of: .details, fields: fields) != nil else {
      let autocomplete = autocompleteMicros(requests, endedBy: nil, remainingFreeCalls: remainingFreeCalls)
      return Ending(fields: fields, autocompleteMicros: autocomplete, totalMicros: .max)
    }
    let price = prices.priceClass(of: .details, fields: fields)
    let detailsMicros = price.map { (remainingFreeCalls[$0.name] ?? 0) > 0 ? 0 : $0.micros } ?? 0
    let autocomplete = autocompleteMicros(requests, endedBy: price?.name, remainingFreeCalls: remainingFreeCalls)
    return Ending(fields: fields, autocompleteMicros: autocomplete, totalMicros: autocomplete.saturatingAdding(detailsMicros))
  }
}
