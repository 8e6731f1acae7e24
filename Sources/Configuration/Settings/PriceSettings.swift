import JSON
import PlacesKit
import Text

/// `[providers.ID.prices]`: prices that differ from the manifest's.
public struct PriceSettings: Sendable, Hashable {
  public var currency: String?
  public var classes: [PriceClass] = []
  /// The origin of each class, by its name.
  var origins: [String: Origin] = [:]

  public init() {}

  /// The manifest's table, with these prices in place of its own and with the classes that it does not have.
  public func applied(to table: PriceTable) -> PriceTable {
    var result = table
    if let currency { result.currency = currency }
    for priceClass in classes {
      if let index = result.classes.firstIndex(where: { $0.name == priceClass.name }) {
        result.classes[index] = priceClass
      } else {
        result.classes.append(priceClass)
      }
    }
    return result
  }
}

extension ProviderSettings {
  /// A problem for each price class that the plugin's manifest does not use. No call is billed under such a class.
  public func unknownPrices(in manifest: Manifest) -> [ConfigurationProblem] {
    let table = manifest.prices
    let knownClasses = Set(table.classes.map(\.name)).union(table.calls.values).union(table.fieldClasses.values.flatMap(\.values))
    return prices.classes.filter { !knownClasses.contains($0.name) }.map { priceClass in
      let suggestion = nearest(to: priceClass.name, among: knownClasses.sorted()).map { "did you mean `\($0)`?" }
      let classList =
        knownClasses.isEmpty
        ? "the plugin has no price classes: its calls cost nothing"
        : "the plugin's classes: " + knownClasses.sorted().joined(separator: ", ")
      return ConfigurationProblem(
        prices.origins[priceClass.name] ?? .standard, "unknown price class `providers.\(id).prices.\(priceClass.name)`",
        suggestion: suggestion ?? classList)
    }
  }

  /// A note if the budget limits money and some or all calls have no known price; otherwise nil.
  public func budgetNote(for manifest: Manifest) -> String? {
    guard budget.moneyPerDay != nil || budget.moneyPerMonth != nil else { return nil }
    let table = prices.applied(to: manifest.prices)
    let unpricedClasses = table.unknownClasses.map { "`prices.\($0)`" }.joined(separator: ", ")
    if !unpricedClasses.isEmpty {
      let effect = budget.callsPerDay == nil && budget.callsPerMonth == nil ? "refuses" : "does not count"
      return "[providers.\(id)] has a budget of money, which \(effect) the calls whose price is not known: write \(unpricedClasses), or "
        + "limit the calls with `budget.calls_per_day`"
    }
    guard table.isFree else { return nil }
    return "[providers.\(id)] has a budget of money, which limits nothing, since none of its calls has a price: limit them with "
      + "`budget.calls_per_day`" + (manifest.prices.classes.isEmpty ? "" : ", or set their price in `prices`")
  }
}

/// The price of one class in the configuration.
private struct ClassPrice: Sendable {
  /// The price of a thousand calls, in millionths of the currency's unit.
  var microsPerThousand = 0
  var freePerMonth = 0

  static var keys: [KeyDefinition<ClassPrice>] {
    [
      KeyDefinition("per_thousand", \.microsPerThousand, .money, "The price of a thousand calls."),
      KeyDefinition("free_per_month", \.freePerMonth, .integer(0...1_000_000_000), "The number of free calls per month."),
    ]
  }
}

extension ValueKind<PriceSettings> {
  static let prices = {
    let price = ValueKind<ClassPrice>.table(ClassPrice.keys, defaults: ClassPrice())
    let expected = "a table with `currency` and price classes, each `{ per_thousand = 2.83, free_per_month = 10000 }`"
    return ValueKind(expected: expected, children: price.children.map { $0.inside("CLASS") }) { value, reader in
      guard case .table(let members) = value.content else {
        reader.refuse(value, expected: expected)
        return nil
      }
      var settings = PriceSettings()
      for member in members {
        reader.enter(member) { reader in
          if member.key == "currency" {
            settings.currency = ValueKind<String>.currency.read(member.value, &reader)
          } else if let classPrice = price.read(member.value, &reader) {
            settings.origins[member.key] = member.origin
            // The price of one call is rounded up, so that no call is counted as cheaper than it is.
            let microsPerCall = (classPrice.microsPerThousand + 999) / 1000
            settings.classes.append(PriceClass(member.key, micros: microsPerCall, freePerMonth: classPrice.freePerMonth))
          }
        }
      }
      return settings
    } show: { settings in
      var object = JSONObject()
      object["currency"] = settings.currency.map { .string($0) }
      for priceClass in settings.classes {
        object[priceClass.name] = [
          "per_thousand": .number(Double(priceClass.micros) / 1000), "free_per_month": .integer(Int64(priceClass.freePerMonth)),
        ]
      }
      return .object(object)
    }
  }()
}
