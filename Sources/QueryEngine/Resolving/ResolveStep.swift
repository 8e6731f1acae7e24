import PlacesAPI
import PlacesKit

/// One step of resolving a text: a query to the providers on this machine, to the free services, or to one paid service with one kind of
/// call.
struct ResolveStep: Sendable, Hashable {
  enum CallKind: Sendable, Hashable {
    /// A search.
    case search
    /// A call of the service's geocoder.
    case geocode
    /// Autocomplete, and then the details of the first suggestion.
    case suggest
  }
  var providers: [String]
  var callKind: CallKind
  /// True if the providers are free.
  var isFree = false
  /// Fields to request besides those of the caller, because they show how a place fits the text. They do not raise the price.
  var matchingFields: Set<PlaceField> = []

  /// The fields from which `matchingFields` are chosen.
  fileprivate static let usefulFields: [PlaceField] = [.name, .formattedAddress, .addressComponents, .coordinate, .types]
}

extension [ResolveStep] {
  /// The steps in their order: the providers on this machine, the free services, and then each paid service, cheapest first. Providers that
  /// are not ready come last, in the same order. If such a provider is still not ready in its step, the step reports the reason.
  /// - Parameters:
  ///   - providers: the providers that may be queried, in any state.
  ///   - prices: the prices of a provider; nil if they are not known.
  init(_ providers: [ProviderStatus], for request: Resolve.Parameters, prices: (String) -> PriceTable?) {
    // A free provider that is starting counts as ready. The request waits for it, so that no other service is paid meanwhile.
    let ready = providers.filter { $0.state == .ready || ($0.state == .starting && !$0.mayCost) }
    func freeSteps(of providers: [ProviderStatus]) -> [ResolveStep] {
      // If a provider has not started, its calls may not be known. Then a search waits for it, or reports why it cannot be queried.
      let searchIDs = providers.filter { $0.calls.isEmpty || $0.calls.contains(.search) }.map(\.id)
      let suggestIDs = providers.filter { !$0.calls.contains(.search) && $0.calls.contains(.autocomplete) }.map(\.id)
      let steps = [
        ResolveStep(providers: searchIDs, callKind: .search, isFree: true, matchingFields: Set(ResolveStep.usefulFields)),
        ResolveStep(providers: suggestIDs, callKind: .suggest, isFree: true, matchingFields: Set(ResolveStep.usefulFields)),
      ]
      return steps.filter { !$0.providers.isEmpty }
    }
    self = freeSteps(of: ready.filter { !$0.leavesMachine }) + freeSteps(of: ready.filter { $0.leavesMachine && $0.isFree == true })
    self += Self.byPrice(ready.filter(\.mayCost).flatMap { Self.paidSteps(of: $0, for: request) }, for: request, prices)
    let unready = providers.filter { provider in provider.state != .disabled && !ready.contains { $0.id == provider.id } }
    self += freeSteps(of: unready.filter { !$0.mayCost })
    self += Self.byPrice(unready.filter(\.mayCost).flatMap { Self.paidSteps(of: $0, for: request) }, for: request, prices)
    // If no provider can be queried, a search is made, because its error states the reason.
    if isEmpty { append(ResolveStep(providers: request.providers, callKind: .search)) }
  }

  /// The steps of a paid provider, one for each kind of call that can find the place. A geocoder finds only addresses, and is not queried
  /// for other types.
  private static func paidSteps(of provider: ProviderStatus, for request: Resolve.Parameters) -> [ResolveStep] {
    let group = request.includedType?.group
    var callKinds: [ResolveStep.CallKind] = []
    if provider.calls.contains(.search), group != .address || !provider.calls.contains(.geocode) { callKinds.append(.search) }
    if provider.calls.contains(.geocode), group == nil || group == .address { callKinds.append(.geocode) }
    if callKinds.isEmpty, provider.calls.contains(.autocomplete) { callKinds.append(.suggest) }
    if provider.calls.isEmpty { callKinds = [.search] }
    return callKinds.map { ResolveStep(providers: [provider.id], callKind: $0) }
  }

  /// The steps by price, the cheapest first. Currencies are not converted. If the text does not look like an address, geocoders come after
  /// all searches.
  private static func byPrice(
    _ steps: [ResolveStep], for request: Resolve.Parameters, _ prices: (String) -> PriceTable?
  ) -> [ResolveStep] {
    let isAddress = request.includedType != nil || request.query.looksLikeAddress
    let sortableSteps = steps.enumerated().map { index, step in
      var step = step
      let table = step.providers.first.flatMap(prices)
      let price = table?.price(of: step.callKind, fields: request.fields) ?? Int.max
      if let table { step.matchingFields = table.fieldsWithoutCost(ResolveStep.usefulFields, to: step.callKind, besides: request.fields) }
      // A step of phase 1 comes after all steps of phase 0.
      return (phase: step.callKind == .geocode && !isAddress ? 1 : 0, price: price, index: index, step: step)
    }
    return sortableSteps.sorted { ($0.phase, $0.price, $0.index) < ($1.phase, $1.price, $1.index) }.map(\.step)
  }
}

extension ProviderStatus {
  /// True if the provider's calls cost money, or may do so.
  fileprivate var mayCost: Bool { leavesMachine && isFree != true }
}

extension String {
  /// True if the text has a number and a word, as `10 High Street` has.
  fileprivate var looksLikeAddress: Bool {
    let words = split(separator: " ")
    return words.contains { $0.unicodeScalars.contains { $0.properties.numericType != nil } }
      && words.contains { $0.unicodeScalars.allSatisfy { $0.properties.numericType == nil } }
  }
}

extension PriceTable {
  /// The fields that do not raise the price of a call of this kind.
  fileprivate func fieldsWithoutCost(_ fields: [PlaceField], to callKind: ResolveStep.CallKind, besides requested: Set<PlaceField>) -> Set<
    PlaceField
  > {
    let calls: [Call] =
      switch callKind {
      case .search: [.search]
      case .geocode: [.geocode]
      case .suggest: [.autocomplete, .details]
      }
    return fields.reduce(into: []) { fieldsWithoutCost, field in
      let sent = requested.union(fieldsWithoutCost)
      if !calls.contains(where: { mayCostMore($0, adding: [field], to: sent) }) { fieldsWithoutCost.insert(field) }
    }
  }

  /// The price in millionths of the currency's unit. A price that is not known counts as the highest.
  fileprivate func price(of callKind: ResolveStep.CallKind, fields: Set<PlaceField>) -> Int {
    func micros(_ call: Call) -> Int { self.micros(of: call, fields: fields) ?? .max }
    return switch callKind {
    case .search: micros(.search)
    case .geocode: micros(.geocode)
    case .suggest:
      // A sum that overflows sorts last.
      micros(.autocomplete).addingReportingOverflow(micros(.details)).overflow ? .max : micros(.autocomplete) + micros(.details)
    }
  }
}
