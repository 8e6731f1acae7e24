import Resilience
import PlacesKit
import Testing

@Suite("Session pricing")
struct SessionPricingTests {
  /// Google's list prices of 2026 (providers.md 1.7).
  static let prices = PriceTable(
    classes: [
      PriceClass("autocomplete", micros: 2_830, freePerMonth: 10_000), PriceClass("details-ids", micros: 0),
      PriceClass("details-essentials", micros: 5_000), PriceClass("details-pro", micros: 17_000),
      PriceClass("details-enterprise", micros: 20_000),
    ],
    calls: [.autocomplete: "autocomplete", .details: "details-ids"],
    fieldClasses: [
      .details: [
        .coordinate: "details-essentials", .formattedAddress: "details-essentials", .name: "details-pro", .rating: "details-enterprise",
      ]
    ])
  static let pricing = SessionPricing(
    prices: prices,
    rule: SessionRule(endings: ["details-essentials": .first(12), "details-pro": .none, "details-enterprise": .none, "details-ids": .all]))

  @Test("ends with Essentials up to four requests and with Pro from five on", arguments: 0...30)
  func cheapest(requests: Int) {
    let ending = SessionPricingTests.pricing.cheapestEnding(requests: requests, fields: [.coordinate])
    #expect(SessionPricingTests.pricing.priceClass(of: ending) == (requests <= 4 ? "details-essentials" : "details-pro"))
    #expect(ending.fields.isSuperset(of: [.coordinate]))
    #expect(ending.totalMicros == (requests <= 4 ? 5_000 + 2_830 * requests : 17_000))
  }

  @Test("never costs more than an ending with only the wanted fields", arguments: 0...30)
  func neverDearer(requests: Int) {
    for fields: Set<PlaceField> in [[], [.coordinate], [.name], [.rating], [.rating, .coordinate]] {
      let price = SessionPricingTests.prices.priceClass(of: .details, fields: fields)
      let plain =
        SessionPricingTests.pricing.autocompleteMicros(requests, endedBy: price?.name) + (price?.micros ?? 0)
      let ending = SessionPricingTests.pricing.cheapestEnding(requests: requests, fields: fields)
      #expect(ending.totalMicros <= plain)
      #expect(ending.fields.isSuperset(of: fields))
    }
  }

  @Test(
    "bills the autocomplete calls by the ending",
    arguments: [("details-essentials", 20, 12), ("details-pro", 20, 0), ("details-ids", 20, 20), (nil, 20, 20), ("unknown", 3, 3)])
  func billing(ending: String?, requests: Int, billed: Int) {
    #expect(SessionPricingTests.pricing.autocompleteMicros(requests, endedBy: ending) == billed * 2_830)
  }

  @Test("follows the price table: with Pro at 12 USD a thousand three requests are enough")
  func tableDecides() {
    var prices = SessionPricingTests.prices
    prices.classes = prices.classes.map { $0.name == "details-pro" ? PriceClass("details-pro", micros: 12_000) : $0 }
    let pricing = SessionPricing(prices: prices, rule: SessionPricingTests.pricing.rule)
    #expect(pricing.priceClass(of: pricing.cheapestEnding(requests: 2, fields: [.coordinate])) == "details-essentials")
    #expect(pricing.priceClass(of: pricing.cheapestEnding(requests: 3, fields: [.coordinate])) == "details-pro")
  }

  @Test("never requests a field of unknown price, and never makes a call of unknown price to save money")
  func unknownPrice() {
    var prices = SessionPricingTests.prices
    prices.fieldClasses[.details]?[.reviews] = "details-unlisted"
    let pricing = SessionPricing(prices: prices, rule: SessionPricingTests.pricing.rule)
    #expect(pricing.cheapestEnding(requests: 20, fields: [.coordinate]).fields.isDisjoint(with: [.reviews]))
    let unknown = pricing.cheapestEnding(requests: 20, fields: [.reviews])
    #expect(unknown.fields == [.reviews] && unknown.totalMicros == .max && unknown.autocompleteMicros == 20 * 2_830)
  }

  @Test("counts calls within the month's free calls as free")
  func freeTier() {
    let pricing = SessionPricing(
      prices: SessionPricingTests.prices, rule: SessionPricingTests.pricing.rule,
      remainingFreeCalls: ["autocomplete": 100, "details-essentials": 1])
    let ending = pricing.cheapestEnding(requests: 20, fields: [.coordinate])
    #expect(pricing.priceClass(of: ending) == "details-essentials" && ending.totalMicros == 0)
  }
}

extension SessionPricing {
  fileprivate func priceClass(of ending: Ending) -> String? { prices.priceClass(of: .details, fields: ending.fields)?.name }
}
