import JSON
import PlacesKit

/// `[providers.ID.prices]`: prices that differ from the manifest's.
public struct PriceSettings: Sendable, Hashable {
  public var currency: String?
  public var classes: [PriceClass] = []

  public init() {}

  /// The manifest's table with these prices put in their places, and classes that it lacks added.
  public func applied(to table: PriceTable) -> PriceTable {
    var result = table
    if let currency { result.currency = currency }
    for own in classes {
      if let index = result.classes.firstIndex(where: { $0.name == own.name }) {
        result.classes[index] = own
      } else {
        result.classes.append(own)
      }
    }
    return result
  }
}

/// One class as it is written.
private struct ClassPrice: Sendable {
  /// Millionths of the currency's unit.
  var perThousand = 0
  var freePerMonth = 0

  static var keys: [Key<ClassPrice>] {
    [
      Key("per_thousand", \.perThousand, .money, "Price of a thousand calls."),
      Key("free_per_month", \.freePerMonth, .integer(0...1_000_000_000), "Calls a month that cost nothing."),
    ]
  }
}

extension Kind<PriceSettings> {
  static let prices = {
    let price = Kind<ClassPrice>.table(ClassPrice.keys, standard: ClassPrice())
    let expected = "a table with `currency` and price classes, each `{ per_thousand = 2.83, free_per_month = 10000 }`"
    return Kind(expected: expected, children: price.children.map { $0.inside("CLASS") }) { value, reader in
      guard case .table(let members) = value.content else {
        reader.refuse(value, expected: expected)
        return nil
      }
      var settings = PriceSettings()
      for member in members {
        reader.enter(member) { reader in
          if member.key == "currency" {
            settings.currency = Kind<String>.currency.read(member.value, &reader)
          } else if let read = price.read(member.value, &reader) {
            // Rounded up: a price may never look lower than it is.
            settings.classes.append(PriceClass(member.key, micros: (read.perThousand + 999) / 1000, freePerMonth: read.freePerMonth))
          }
        }
      }
      return settings
    } show: { settings in
      var object = JSONObject()
      object["currency"] = settings.currency.map { .string($0) }
      for own in settings.classes {
        object[own.name] = ["per_thousand": .number(Double(own.micros) / 1000), "free_per_month": .integer(Int64(own.freePerMonth))]
      }
      return .object(object)
    }
  }()
}
