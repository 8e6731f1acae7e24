import Linux
import PlacesAPI
import PlacesClient
import PlacesKit

/// Runs the interactive list: requests suggestions for the typed text and draws them, until the user chooses a place or quits.
struct TypingSession: Sendable {
  var context: CommandContext
  var terminal: any TypingTerminal
  /// The parameters of the requests; the typed text replaces `query`.
  var parameters: Autocomplete.Parameters
  /// The initial text of the field.
  var text: String
  /// Rewords a message of the daemon for users.
  var reword: @Sendable (String) -> String

  private enum Event: Sendable {
    case key(TerminalKey)
    case state(FetcherState)
    /// A second has passed.
    case tick
    /// The answer to the request that resolves a text.
    case resolved(String, Result<Resolve.Result, ClientError>)
  }

  /// The place or row that the user chose.
  enum Choice: Sendable {
    /// A place with its fields.
    /// - Parameters:
    ///   - chosen: the row of the list; nil if the whole text was resolved.
    ///   - note: a note for the user on the match; nil if there is none.
    case place(PlaceRow, chosen: SuggestionRow?, credits: [AttributionRow], note: String? = nil)
    /// A row whose provider has no details. The credits are those of the row.
    case row(SuggestionRow, [AttributionRow])
  }

  /// Runs until the user chooses or quits. Returns the choice; nil if the user quits. The terminal's settings are always restored.
  func run() async throws(Failure) -> Choice? {
    let keys: AsyncStream<TerminalKey>
    do throws(SystemError) { keys = try terminal.open() } catch {
      terminal.close()
      throw Failure(.failed, "\(error)")
    }
    defer { terminal.close() }
    let fetcher = AutocompleteFetcher(client: context.client) { [parameters] text in
      var request = parameters
      request.query = text
      return request
    }
    let result = await withTaskGroup(of: Void.self) { group in
      let (events, continuation) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingOldest(4_096))
      group.addTask(name: "fetcher") { await fetcher.run() }
      group.addTask(name: "keys") {
        for await key in keys { continuation.yield(.key(key)) }
        continuation.finish()
      }
      group.addTask(name: "answers") { for await state in fetcher.states { continuation.yield(.state(state)) } }
      group.addTask(name: "seconds") { [time = context.client.time] in
        while (try? await time.sleep(until: time.monotonic() + 1)) != nil { continuation.yield(.tick) }
      }
      let result = await handle(events, continuation, fetcher)
      group.cancelAll()
      return result
    }
    terminal.draw(TypingView.erasing)
    return try result.get()
  }

  /// Handles events until the user chooses a place or quits, or the terminal is closed.
  private func handle(
    _ events: AsyncStream<Event>, _ continuation: AsyncStream<Event>.Continuation, _ fetcher: AutocompleteFetcher
  ) async -> Result<Choice?, Failure> {
    // `places.resolve` cannot be restricted to types, so it is offered only if the suggestions may be places of any type.
    let offersResolve = parameters.types == .none && parameters.kinds.contains(.place)
    var field = TypingField(text: text, offersResolve: offersResolve, reword: reword)
    // The request for the place that the text means, and the places that it returned.
    var resolving: Task<Void, Never>?
    var candidates: [PlaceRow] = []
    defer { resolving?.cancel() }
    if !field.text.isEmpty { fetcher.type(field.text) }
    draw(field)
    for await event in events {
      var action = TypingField.Action.nothing
      switch event {
      case .tick:
        guard field.statusShowsTime else { continue }
      case .state(let state): action = field.show(state, now: context.client.time.monotonic())
      case .key(let key): action = field.press(key)
      case .resolved(let text, let answer):
        if case .success(let resolution) = answer { candidates = resolution.candidates ?? [] }
        action = field.show(answer, toResolved: text)
      }
      switch action {
      case .nothing: break
      case .typed(let text):
        resolving?.cancel()
        fetcher.type(text)
      case .retry: fetcher.retry()
      case .quit: return .success(nil)
      case .resolve(let text):
        resolving = Task { continuation.yield(.resolved(text, await resolve(text))) }
      case .found(let place, let resolution):
        return .success(
          .place(place, chosen: nil, credits: resolution.attributions, note: ResolveCommand.note(on: resolution, for: field.text)))
      case .chose(let row):
        // A candidate has its fields already.
        if let place = candidates.first(where: { $0.id == row.id }) { return .success(.place(place, chosen: row, credits: field.credits)) }
        do throws(Failure) { return .success(try await choose(row, of: field, fetcher)) } catch { return .failure(error) }
      }
      draw(field)
    }
    return .success(nil)
  }

  /// The fields that the card of the chosen place shows besides the basic fields, if they do not raise the price.
  private static let cardFields: Set<PlaceField> = [
    .phoneNumber, .website, .openingHours, .currentOpeningHours, .rating, .userRatingsTotal,
  ]

  /// The basic fields, and those for a card unless they may raise the price of the details, or the provider's prices cannot be read.
  private func fields(of row: SuggestionRow) async -> Set<PlaceField> {
    let basic = Set(PlaceField.Tier.basic.fields)
    let showsCard = context.console.width != nil
    guard showsCard, let provider = row.id?.provider,
      let manifest = try? await context.client.call(ProvidersGet.self, ProviderParameters(provider: provider)).manifest,
      !manifest.prices.mayCostMore(.details, adding: TypingSession.cardFields, to: basic)
    else { return basic }
    return basic.union(TypingSession.cardFields)
  }

  /// Requests the place that a text means, with the language, areas and providers of the suggestions.
  private func resolve(_ text: String) async -> Result<Resolve.Result, ClientError> {
    var request = Resolve.Parameters(query: text)
    request.fields = Set(PlaceField.Tier.basic.fields)
    (request.language, request.region, request.origin) = (parameters.language, parameters.region, parameters.origin)
    (request.bias, request.restriction, request.countries) = (parameters.bias, parameters.restriction, parameters.countries)
    (request.providers, request.deadlineMs, request.cache) = (parameters.providers, parameters.deadlineMs, parameters.cache)
    do throws(ClientError) { return .success(try await context.client.resolve(request)) } catch { return .failure(error) }
  }

  /// The details of the chosen row. The request tells the provider's service which row was chosen, which ends its autocomplete session.
  private func choose(_ row: SuggestionRow, of field: TypingField, _ fetcher: AutocompleteFetcher) async throws(Failure) -> Choice {
    let providers = Set(row.sources.map(\.provider))
    let credits = field.credits.filter { providers.contains($0.provider) } + (row.attributions ?? [])
    let rowChoice = Choice.row(row, credits)
    do throws(ClientError) {
      let place = try await fetcher.details(row, fields: await fields(of: row))
      return place.map { .place($0, chosen: row, credits: credits) } ?? rowChoice
    } catch {
      guard case .refused(let refusal) = error, refusal.name == .unsupported else { throw Failure(error) }
      return rowChoice
    }
  }

  private func draw(_ field: TypingField) {
    let size = terminal.size()
    let view = TypingView(
      columns: size.columns, height: size.rows, usesColour: context.console.usesColour, rowCount: parameters.limit,
      showsDistances: parameters.origin != nil)
    terminal.draw(view.drawing(field, now: context.client.time.monotonic()))
  }
}
