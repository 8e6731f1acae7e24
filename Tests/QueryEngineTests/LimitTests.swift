import PlacesKit
import PlacesTesting
import Testing

@testable import QueryEngine

@Suite("The number of rows")
struct LimitTests {
  private static let names = [
    "Bern", "Bergen", "Berlin", "Bermeo", "Berezniki", "Beringen", "Berat", "Berea", "Berga", "Berkane", "Bernau", "Berwyn",
  ]

  /// Towns in this order, up to the requested number.
  private func provider(_ order: [String], remote: Bool, mixing: Terms.Mixing = .free) -> EngineFixture.ScriptedProvider {
    var terms = Terms.testing
    terms.mixing = mixing
    let towns = order.enumerated().map { index, name in
      Suggestion.city(name, Coordinate(latitude: Double(name.count), longitude: Double(Self.names.firstIndex(of: name) ?? index)))
    }
    return .init(manifest: .scripted("A", remote: remote, terms: terms), answersImmediately: !remote) { call, _ in
      guard case .autocomplete(let request) = call else { return .suggestions([]) }
      return .suggestions(Array(towns.prefix(request.limit)))
    }
  }

  @Test("The first rows do not depend on the limit, and one call to each service answers all limits")
  func fewer() throws {
    let fixture = EngineFixture(
      storesAnswers: true,
      [
        "a": provider(Self.names, remote: false), "b": provider(Self.names.reversed(), remote: true),
        "c": provider(Self.names.sorted(), remote: true),
      ])
    func ids(_ limit: Int) throws -> [String?] {
      try #require(fixture.answer("ber") { $0.limit = limit }?.value).suggestions.map { $0.id?.text }
    }
    let ten = try ids(10)
    #expect(ten.count == 10)
    for limit in 1...9 { #expect(try ids(limit) == Array(ten.prefix(limit))) }
    #expect(fixture.calls(to: "b").count == 1 && fixture.calls(to: "c").count == 1)
    #expect(try ids(20).count == 12)
  }

  @Test("Folded rows do not count: the limit is reached if the providers have that many places", arguments: [5, 10, 12, 20])
  func folded(limit: Int) throws {
    let fixture = EngineFixture([
      "a": provider(Self.names, remote: false), "b": provider(Self.names.reversed(), remote: true, mixing: .never),
      "c": provider(Self.names.sorted(), remote: true, mixing: .never),
    ])
    let rows = try #require(fixture.answer("ber") { $0.limit = limit }?.value).suggestions
    #expect(rows.count == min(limit, 12) && Set(rows.map(\.text.text)).count == rows.count)
    #expect(rows.contains { !($0.alternatives ?? []).isEmpty })
  }

  @Test("A provider that answers immediately returns only the requested number of rows if it is the only one")
  func alone() throws {
    let fixture = EngineFixture(["a": provider(Self.names, remote: false), "b": provider(Self.names, remote: true)])
    let report = try #require(fixture.answer("ber") { ($0.limit, $0.providers) = (3, ["a"]) }?.value).providers
    #expect(report.map(\.count) == [3])
    let both = try #require(fixture.answer("ber") { $0.limit = 3 }?.value)
    #expect(both.providers.map(\.count) == [10, 10] && both.suggestions.count == 3)
  }
}
