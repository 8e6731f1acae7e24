import PlacesAPI
import PlacesKit

/// The steps that resolve a text: the providers on this machine, the free services, and the paid ones, each alone and cheapest first.
struct ResolveSteps {
  struct Step: Sendable, Hashable {
    enum Way: Sendable, Hashable { case search, geocode, suggest }
    var providers: [String]
    var way: Way
    /// True if no field costs anything.
    var isFree = false

    /// Fields that show how a place fits the text, requested if they cost nothing more: a geocoder has one price for all fields.
    var matchingFields: Set<PlaceField> {
      way == .geocode || isFree ? [.name, .formattedAddress, .addressComponents, .coordinate, .types] : []
    }
  }

  private let client: PlacesClient
  private let search: Search.Parameters
  private var steps: [Step]
  /// The paid steps, until all free ones are done: only then are prices requested.
  private var paid: [Step]
  /// Providers that were not ready are queried last, and report why if they still are not: free ones together, paid ones each alone.
  private var late: [Step]

  /// - Parameter all: the providers that may be queried, in any state.
  init(_ all: [ProviderStatus], for search: Search.Parameters, of client: PlacesClient) {
    self.client = client
    self.search = search
    let ready = all.filter { $0.state == .ready }
    func together(_ providers: [ProviderStatus]) -> [Step] {
      let searching = providers.filter { $0.calls.contains(.search) }.map(\.id)
      let suggesting = providers.filter { !$0.calls.contains(.search) && $0.calls.contains(.autocomplete) }.map(\.id)
      let steps = [Step(providers: searching, way: .search, isFree: true), Step(providers: suggesting, way: .suggest, isFree: true)]
      return steps.filter { !$0.providers.isEmpty }
    }
    steps = together(ready.filter { !$0.leavesMachine }) + together(ready.filter { $0.leavesMachine && $0.isFree == true })
    paid = ready.filter { $0.leavesMachine && $0.isFree != true }.flatMap { ResolveSteps.ways(of: $0, for: search) }
    let others = all.filter { $0.state != .ready && $0.state != .disabled }
    let free = others.filter { !$0.leavesMachine || $0.isFree == true }.map(\.id)
    late = free.isEmpty ? [] : [Step(providers: free, way: .search)]
    for provider in others where provider.leavesMachine && provider.isFree != true {
      let ways = ResolveSteps.ways(of: provider, for: search)
      late += ways.isEmpty ? [Step(providers: [provider.id], way: .search)] : ways
    }
    // If no provider can be queried, the daemon's error has the reason.
    if (steps + paid + late).isEmpty { late = [Step(providers: search.providers, way: .search)] }
  }

  mutating func next() async throws(ClientError) -> Step? {
    if steps.isEmpty {
      steps = try await byPrice(paid) + late
      (paid, late) = ([], [])
    }
    return steps.isEmpty ? nil : steps.removeFirst()
  }

  /// A geocoder finds only addresses, and is not queried for other types.
  private static func ways(of provider: ProviderStatus, for search: Search.Parameters) -> [Step] {
    let group = search.includedType?.group
    var ways: [Step.Way] = []
    if provider.calls.contains(.search), group != .address || !provider.calls.contains(.geocode) { ways.append(.search) }
    if provider.calls.contains(.geocode), group == nil || group == .address { ways.append(.geocode) }
    if ways.isEmpty, provider.calls.contains(.autocomplete) { ways.append(.suggest) }
    return ways.map { Step(providers: [provider.id], way: $0) }
  }

  /// The cheapest first; currencies are not converted. A text that does not look like an address is geocoded only after all searches.
  private func byPrice(_ steps: [Step]) async throws(ClientError) -> [Step] {
    guard steps.count > 1 else { return steps }
    var prices: [String: PriceTable] = [:]
    for id in steps.flatMap(\.providers) where prices[id] == nil {
      do throws(ClientError) {
        prices[id] = try await client.call(ProvidersGet.self, ProviderParameters(provider: id)).manifest?.prices
      } catch {
        // The provider was removed since it was listed; its price is unknown.
        guard case .refused = error else { throw error }
      }
    }
    let isAddress = search.includedType != nil || ResolveSteps.looksLikeAddress(search.query)
    let keyed = steps.enumerated().map { index, step in
      let price = step.providers.first.flatMap { prices[$0]?.price(of: step.way, fields: search.fields) } ?? Int.max
      return (isLater: step.way == .geocode && !isAddress ? 1 : 0, price: price, index: index, step: step)
    }
    return keyed.sorted { ($0.isLater, $0.price, $0.index) < ($1.isLater, $1.price, $1.index) }.map(\.step)
  }

  /// True if the text has a number and a word, as `10 High Street` has.
  static func looksLikeAddress(_ text: String) -> Bool {
    let words = text.split(separator: " ")
    return words.contains { $0.unicodeScalars.contains { $0.properties.numericType != nil } }
      && words.contains { $0.unicodeScalars.allSatisfy { $0.properties.numericType == nil } }
  }
}

extension PriceTable {
  /// Millionths of the currency's unit; a price that is not known is the highest.
  fileprivate func price(of way: ResolveSteps.Step.Way, fields: Set<PlaceField>) -> Int {
    func micros(_ call: Call) -> Int { self.micros(of: call, fields: fields) ?? .max }
    return switch way {
    case .search: micros(.search)
    case .geocode: micros(.geocode)
    case .suggest:
      // A sum that overflows sorts last.
      micros(.autocomplete).addingReportingOverflow(micros(.details)).overflow ? .max : micros(.autocomplete) + micros(.details)
    }
  }
}
