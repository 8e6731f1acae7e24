import PlacesKit

/// The cheapest way to end an autocomplete session, by the provider's price table. Google's session pricing, for example: a session that
/// ends with Details Essentials is billed for its first twelve requests, with a more expensive class for none.
public struct SessionPricing: Sendable {
  /// One way to end a session.
  public struct Ending: Sendable, Hashable {
    /// The class of the details call; nil if it is free, or if its price is not known.
    public var priceClass: PriceClass?
    /// The fields of the details call: the wanted fields, and one more if a more expensive class makes the session cheaper.
    public var fields: Set<PlaceField>
    /// The cost of the session's autocomplete calls with this ending.
    public var autocompleteMicros: Int
    /// The cost of the autocomplete calls and the details call; `Int.max` if that call's price is not known.
    public var totalMicros: Int
  }

  public let prices: PriceTable
  public let rule: SessionRule

  public init(prices: PriceTable, rule: SessionRule) {
    self.prices = prices
    self.rule = rule
  }

  /// The cost of `requests` autocomplete calls with one session token that ends with a details call of that class. All are billed if the
  /// session is abandoned (nil) or the class does not end sessions. `freeLeft` has the remaining free calls of each class this month.
  public func autocompleteMicros(_ requests: Int, endedBy priceClass: String?, freeLeft: [String: Int] = [:]) -> Int {
    guard let price = prices.priceClass(of: .autocomplete) else { return 0 }
    let billed: Int
    switch priceClass.flatMap({ rule.endings[$0] }) ?? .all {
    case .none: billed = 0
    case .first(let count): billed = min(max(0, requests), max(0, count))
    case .all: billed = max(0, requests)
    }
    return price.micros.saturatingMultiplied(by: max(0, billed.saturatingSubtracting(max(0, freeLeft[price.name] ?? 0))))
  }

  /// The cheapest way to request `fields` at the end of a session with `requests` autocomplete calls; among equally cheap ones, the one
  /// with the fewest fields.
  public func cheapestEnding(requests: Int, fields: Set<PlaceField>, freeLeft: [String: Int] = [:]) -> Ending {
    var best = ending(requests: requests, fields: fields, freeLeft: freeLeft)
    for (field, _) in (prices.fieldClasses[.details] ?? [:]).sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      let candidate = ending(requests: requests, fields: fields.union([field]), freeLeft: freeLeft)
      if candidate.totalMicros < best.totalMicros { best = candidate }
    }
    return best
  }

  /// The cost of a session with `requests` autocomplete calls that ends with a details call for exactly `fields`. A price that is not known
  /// is higher than all others, so that such a call is never made to save money.
  public func ending(requests: Int, fields: Set<PlaceField>, freeLeft: [String: Int] = [:]) -> Ending {
    guard prices.micros(of: .details, fields: fields) != nil else {
      return Ending(
        priceClass: nil, fields: fields, autocompleteMicros: autocompleteMicros(requests, endedBy: nil, freeLeft: freeLeft),
        totalMicros: .max)
    }
    let price = prices.priceClass(of: .details, fields: fields)
    let details = price.map { (freeLeft[$0.name] ?? 0) > 0 ? 0 : $0.micros } ?? 0
    let autocomplete = autocompleteMicros(requests, endedBy: price?.name, freeLeft: freeLeft)
    return Ending(
      priceClass: price, fields: fields, autocompleteMicros: autocomplete, totalMicros: autocomplete.saturatingAdding(details))
  }
}
