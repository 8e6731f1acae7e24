import PlacesAPI
import PlacesKit

/// One function for each method that programs usually call.
extension PlacesClient {
  /// The suggestions for the text typed so far. If `parameters.stream` is set, `partial` receives the partial answers before the reply.
  public func autocomplete(
    _ parameters: Autocomplete.Parameters, partial: (@Sendable (Partial) -> Void)? = nil
  ) async throws(ClientError) -> Autocomplete.Result {
    try await call(Autocomplete.self, parameters, within: PlacesClient.timeLimit(parameters.deadlineMs), partial: partial)
  }

  /// The places that match a text and filters.
  public func search(
    _ parameters: Search.Parameters, partial: (@Sendable (Partial) -> Void)? = nil
  ) async throws(ClientError) -> PlacesResult {
    try await call(Search.self, parameters, within: PlacesClient.timeLimit(parameters.deadlineMs), partial: partial)
  }

  /// The one place that a text most likely means, or the candidates if that is not certain.
  public func resolve(_ parameters: Resolve.Parameters) async throws(ClientError) -> Resolve.Result {
    try await call(Resolve.self, parameters, within: PlacesClient.timeLimit(parameters.deadlineMs))
  }

  /// The details of one place; ends the session that the request names.
  public func details(_ parameters: Details.Parameters) async throws(ClientError) -> Details.Result {
    try await call(Details.self, parameters, within: PlacesClient.timeLimit(parameters.deadlineMs))
  }

  /// A photo of a place, with the credits that must be shown with it.
  public func photo(_ parameters: Photo.Parameters) async throws(ClientError) -> Photo.Result {
    try await call(Photo.self, parameters, within: PlacesClient.timeLimit(parameters.deadlineMs))
  }

  /// The places at a point.
  public func reverse(_ parameters: Reverse.Parameters) async throws(ClientError) -> PlacesResult {
    try await call(Reverse.self, parameters, within: PlacesClient.timeLimit(parameters.deadlineMs))
  }

  /// Reports a choice and ends the session.
  public func select(_ id: PlaceID, session: SessionID) async throws(ClientError) {
    _ = try await call(Select.self, Select.Parameters(session: session, id: id))
  }

  /// The user's learned choices, the latest first.
  /// - Parameter limit: 1…1,000.
  public func choices(limit: Int = 100) async throws(ClientError) -> [ChoicesList.Choice] {
    var parameters = ChoicesList.Parameters()
    parameters.limit = limit
    return try await call(ChoicesList.self, parameters).choices
  }

  /// Removes the user's learned choices of one place, or all of them if `id` is nil. Returns the number of removed choices.
  @discardableResult public func forgetChoices(of id: PlaceID? = nil) async throws(ClientError) -> Int {
    try await call(ChoicesForget.self, id.map { ChoicesForget.Parameters(id: $0) } ?? ChoicesForget.Parameters()).choices
  }

  /// The daemon's version, protocol and limits.
  public func info() async throws(ClientError) -> ServiceInfo.Result { try await call(ServiceInfo.self, NoParameters()) }

  /// The time limit of a call: the seconds to wait for the reply to its request.
  /// - Parameter deadlineMs: the deadline of the request; nil if it has none.
  public static func timeLimit(_ deadlineMs: Int?) -> Double { (deadlineMs.map { Double($0) / 1000 } ?? maxCallSeconds) + graceSeconds }
}
