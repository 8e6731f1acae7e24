import PlacesAPI
import PlacesKit

/// The calls by name.
extension PlacesClient {
  /// Suggestions for a text as it is typed. With `parameters.stream`, `partial` gets what is known before the reply.
  public func autocomplete(
    _ parameters: Autocomplete.Parameters, partial: (@Sendable (Partial) -> Void)? = nil
  ) async throws(ClientError) -> Autocomplete.Result {
    try await call(Autocomplete.self, parameters, within: PlacesClient.limit(parameters.deadlineMs), partial: partial)
  }

  /// Places by text and filters.
  public func search(
    _ parameters: Search.Parameters, partial: (@Sendable (Partial) -> Void)? = nil
  ) async throws(ClientError) -> PlacesResult {
    try await call(Search.self, parameters, within: PlacesClient.limit(parameters.deadlineMs), partial: partial)
  }

  /// What is known of one place; ends the session that it names.
  public func details(_ parameters: Details.Parameters) async throws(ClientError) -> Details.Result {
    try await call(Details.self, parameters, within: PlacesClient.limit(parameters.deadlineMs))
  }

  /// What is at a point.
  public func reverse(_ parameters: Reverse.Parameters) async throws(ClientError) -> PlacesResult {
    try await call(Reverse.self, parameters, within: PlacesClient.limit(parameters.deadlineMs))
  }

  /// Reports a choice and ends the session.
  public func select(_ id: PlaceID, session: SessionID) async throws(ClientError) {
    _ = try await call(Select.self, Select.Parameters(session: session, id: id))
  }

  /// What runs at the other end.
  public func info() async throws(ClientError) -> ServiceInfo.Result { try await call(ServiceInfo.self, NoParameters()) }

  static func limit(_ deadlineMs: Int?) -> Double { (deadlineMs.map { Double($0) / 1000 } ?? longest) + grace }

  /// Turns a text that nothing was chosen for into a place, cheapest first: with one search of the providers on this machine,
  /// which cost nothing, and where these know no such place with one search of all. Nil where nobody does.
  public func resolve(
    _ text: String, fields: Set<PlaceField> = Set(PlaceField.Tier.basic.fields),
    adjust: @Sendable (inout Search.Parameters) -> Void = { _ in }
  ) async throws(ClientError) -> PlaceRow? {
    var parameters = Search.Parameters(query: text, fields: fields)
    adjust(&parameters)
    parameters.limit = 1
    let providers = try await call(ProvidersList.self, NoParameters()).providers
    let local = providers.filter { $0.state == .ready && !$0.leavesMachine && $0.calls.contains(.search) }.map(\.id)
    let wanted = parameters.providers
    parameters.providers = local.filter { wanted.isEmpty || wanted.contains($0) }
    if !parameters.providers.isEmpty {
      do throws(ClientError) {
        if let place = try await search(parameters).places.first { return place }
      } catch {
        // A local provider that fails or cannot serve these filters is no reason not to ask the others.
        guard case .refused = error else { throw error }
      }
    }
    if parameters.providers.count == providers.count { return nil }
    parameters.providers = wanted
    return try await search(parameters).places.first
  }
}
