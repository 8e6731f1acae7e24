/// The prices of a service's calls. Money is in millionths of the currency's unit, so that sums are exact. Calls with the same price form a
/// class, as in the service's price list.
public struct PriceTable: Sendable, Hashable, Codable {
  /// The currency, as an ISO 4217 code.
  public var currency: String
  public var classes: [PriceClass]
  /// The name of the class of each call, apart from its fields. A call is free if neither the call nor any of its fields has a class.
  ///
  /// The price of a class that is not in `classes` is unknown, unless the instance's setting `prices` contains it. If the price of a call
  /// is unknown, a budget that limits only money refuses the call, and the daemon never makes the call without a client's request.
  public var calls: [Call: String]
  /// The name of the class of each field, for calls that are billed at the class of their most expensive field.
  public var fieldClasses: [Call: [PlaceField: String]]

  public init(
    currency: String = "USD", classes: [PriceClass] = [], calls: [Call: String] = [:], fieldClasses: [Call: [PlaceField: String]] = [:]
  ) {
    self.currency = currency
    self.classes = classes
    self.calls = calls
    self.fieldClasses = fieldClasses
  }

  public subscript(name: String) -> PriceClass? { classes.first { $0.name == name } }

  /// The class at which a call for these fields is billed: the most expensive of the call's own class and its fields' classes. Classes
  /// whose price is not known are ignored. Nil if no class remains.
  public func priceClass(of call: Call, fields: Set<PlaceField> = []) -> PriceClass? {
    names(of: call, fields).compactMap { self[$0] }.max { ($0.micros, $0.name) < ($1.micros, $1.name) }
  }

  /// The price of a call for these fields, in millionths of the currency's unit; nil if it is unknown.
  public func micros(of call: Call, fields: Set<PlaceField> = []) -> Int? {
    var highest = 0
    for name in names(of: call, fields) {
      guard let priceClass = self[name] else { return nil }
      highest = max(highest, priceClass.micros)
    }
    return highest
  }

  /// True if `newFields` make a call for `fields` more expensive, or if that depends on a price that is not known.
  public func mayCostMore(_ call: Call, adding newFields: Set<PlaceField>, to fields: Set<PlaceField>) -> Bool {
    let allFields = fields.union(newFields)
    guard Set(names(of: call, fields)) != Set(names(of: call, allFields)) else { return false }
    guard let price = micros(of: call, fields: allFields) else { return true }
    return price > micros(of: call, fields: fields) ?? 0
  }

  /// The names of the classes that may determine the price of a call, in no particular order.
  private func names(of call: Call, _ fields: Set<PlaceField>) -> [String] {
    var names = fields.compactMap { fieldClasses[call]?[$0] }
    if let name = calls[call] { names.append(name) }
    return names
  }

  /// True if the prices of all classes are known and no call costs money.
  public var isFree: Bool { classes.allSatisfy { $0.micros == 0 } && unknownClasses.isEmpty }

  /// True if no call costs money, false if some call does; nil if that depends on a price that is not known.
  public var isFreeIfKnown: Bool? {
    if isFree { return true }
    return classes.contains { $0.micros > 0 } ? false : nil
  }

  /// The names of the classes whose price is not known, in alphabetical order.
  public var unknownClasses: [String] {
    Set(calls.values).union(fieldClasses.values.flatMap(\.values)).subtracting(classes.map(\.name)).sorted()
  }
}

/// A class of calls with the same price: one line of a service's price list.
public struct PriceClass: Sendable, Hashable, Codable {
  public var name: String
  /// The price of one call in millionths of the currency's unit: 2.83 USD for a thousand calls is 2,830.
  public var micros: Int
  /// The number of calls in each month that cost nothing.
  public var freePerMonth: Int

  public init(_ name: String, micros: Int, freePerMonth: Int = 0) {
    self.name = name
    self.micros = micros
    self.freePerMonth = freePerMonth
  }
}

extension Call: CodingKeyRepresentable {}

/// How a service bills an autocomplete session: the calls with the same session token.
public struct SessionRule: Sendable, Hashable, Codable {
  /// The number of a session's autocomplete calls that are billed.
  public enum Billing: Sendable, Hashable, Codable {
    /// The autocomplete calls are free.
    case none
    /// The first calls, up to this number, are billed; all later calls are free.
    case first(Int)
    /// Every autocomplete call is billed.
    case all
  }
  /// The billing of the autocomplete calls, by the name of the class of the details call that ends the session. `all` applies if that class
  /// is not listed, or if no details call ends the session.
  public var endings: [String: Billing]
  /// The seconds after its last use by an autocomplete call at which a session token expires.
  public var idleSeconds: Double

  public init(endings: [String: Billing], idleSeconds: Double = 180) {
    self.endings = endings
    self.idleSeconds = idleSeconds
  }
}
