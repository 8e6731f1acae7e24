/// The prices of calls. Money is in millionths of the currency's unit, so that sums are exact.
public struct PriceTable: Sendable, Hashable, Codable {
  /// ISO 4217.
  public var currency: String
  public var classes: [PriceClass]
  /// The class of a call, if it does not depend on fields; a call without a class is free. The price of a class that is not in `classes` is
  /// not known: its calls count as free until `classes` has it, which an instance's `prices` add.
  public var calls: [Call: String]
  /// For calls that are billed by the dearest field: the class of each field.
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

  /// The class that a call for these fields is billed at: the dearest of its fields' and its own; nil for a free call.
  public func priceClass(of call: Call, fields: Set<PlaceField> = []) -> PriceClass? {
    var candidates = fields.compactMap { fieldClasses[call]?[$0] }
    if let own = calls[call] { candidates.append(own) }
    return candidates.compactMap { self[$0] }.max { ($0.micros, $0.name) < ($1.micros, $1.name) }
  }

  /// True if no call costs money, as far as each price is known.
  public var isFree: Bool { classes.allSatisfy { $0.micros == 0 } && unknownClasses.isEmpty }

  /// The names of the classes whose price is not known, in order.
  public var unknownClasses: [String] {
    Set(calls.values).union(fieldClasses.values.flatMap(\.values)).subtracting(classes.map(\.name)).sorted()
  }
}

/// One line of a service's price list.
public struct PriceClass: Sendable, Hashable, Codable {
  public var name: String
  /// Price of one call in millionths of the currency's unit: 2.83 USD a thousand is 2,830.
  public var micros: Int
  /// Calls a month that cost nothing.
  public var freePerMonth: Int

  public init(_ name: String, micros: Int, freePerMonth: Int = 0) {
    self.name = name
    self.micros = micros
    self.freePerMonth = freePerMonth
  }
}

extension Call: CodingKeyRepresentable {}

/// How a service bills an autocomplete session that one token ties together.
public struct SessionRule: Sendable, Hashable, Codable {
  /// How the autocomplete calls of a session are billed when a call of a certain class ends it.
  public enum Billing: Sendable, Hashable, Codable {
    case none
    /// The first calls, this many, are billed; the rest are free.
    case first(Int)
    case all
  }
  /// By the class of the details call that ends the session.
  public var endings: [String: Billing]
  /// How long a token lives without use.
  public var idleSeconds: Double

  public init(endings: [String: Billing], idleSeconds: Double = 180) {
    self.endings = endings
    self.idleSeconds = idleSeconds
  }
}
