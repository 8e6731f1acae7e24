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
  /// The remaining free calls of each price class this month.
  private let remainingFreeCalls: [String: Int]

  public init(prices: PriceTable, rule: SessionRule, remainingFreeCalls: [String: Int] = [:]) {
    self.prices = prices
    self.rule = rule
    self.remainingFreeCalls = remainingFreeCalls
  }

  /// The cost of the autocomplete calls of one session.
  /// - Parameters:
  ///   - requests: the number of autocomplete calls.
  ///   - priceClass: the class of the details call that ends the session; nil if there is none. All calls are billed if there is none or
  ///     its class does not end sessions.
  public func autocompleteMicros(_ requests: Int, endedBy priceClass: String?) -> Int {
    guard let price = prices.priceClass(of: .autocomplete) else { return 0 }
    let billedCount: Int
    switch priceClass.flatMap({ rule.endings[$0] }) ?? .all {
    case .none: billedCount = 0
    case .first(let count): billedCount = min(max(0, requests), max(0, count))
    case .all: billedCount = max(0, requests)
    }
    return price.micros.saturatingMultiplied(by: max(0, billedCount - max(0, remainingFreeCalls[price.name] ?? 0)))
  }

  /// The cheapest way to request `fields` at the end of a session with `requests` autocomplete calls. It requests one further field only if
  /// that is cheaper.
  public func cheapestEnding(requests: Int, fields: Set<PlaceField>) -> Ending {
    var best = ending(requests: requests, fields: fields)
    for (field, _) in (prices.fieldClasses[.details] ?? [:]).sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      let candidate = ending(requests: requests, fields: fields.union([field]))
      if candidate.totalMicros < best.totalMicros { best = candidate }
    }
    return best
  }

  /// The cost of a session with `requests` autocomplete calls that ends with a details call for exactly `fields`. A details call whose
  /// price is not known costs more than all others, so that it is never made to save money.
  public func ending(requests: Int, fields: Set<PlaceField>) -> Ending {
    guard let micros = prices.micros(of: .details, fields: fields) else {
      return Ending(fields: fields, autocompleteMicros: autocompleteMicros(requests, endedBy: nil), totalMicros: .max)
    }
    let className = prices.priceClass(of: .details, fields: fields)?.name
    let isFree = className.map { remainingFreeCalls[$0, default: 0] > 0 } ?? true
    let autocomplete = autocompleteMicros(requests, endedBy: className)
    return Ending(fields: fields, autocompleteMicros: autocomplete, totalMicros: autocomplete.saturatingAdding(isFree ? 0 : micros))
  }
}
