import PlacesAPI
import PlacesKit
import Synchronization

/// Turns what somebody types into lists of suggestions: waits for a pause, asks for the newest text only, drops overtaken
/// answers. In the sense of the Google SDK's GMSAutocompleteFetcher.
///
/// Somebody must run it: `run()` is a task of its owner, and ends when that is cancelled.
public final class AutocompleteFetcher: Sendable {
  /// States as they come; who reads slowly sees the newest.
  public let states: AsyncStream<FetcherState>

  private let client: PlacesClient
  private let prototype: @Sendable (String) -> Autocomplete.Parameters
  private let pause: Double?
  private let inbox = Mutex(Inbox())
  private let bell: AsyncStream<Void>
  private let ring: AsyncStream<Void>.Continuation
  private let show: AsyncStream<FetcherState>.Continuation

  /// What happened since the loop last looked. Only the newest text counts; there are never more answers than questions.
  private struct Inbox {
    var typed: String?
    var events: [FetcherMachine.Event] = []
    var session: SessionID?
  }

  /// `pause` is in seconds; without it the daemon's suggestion stands. `parameters` makes the request for a text, with the
  /// languages, areas and filters that are wanted; session and number are the fetcher's.
  public init(
    client: PlacesClient, pause: Double? = nil,
    parameters: @escaping @Sendable (String) -> Autocomplete.Parameters = { Autocomplete.Parameters(query: $0) }
  ) {
    self.client = client
    self.pause = pause
    prototype = parameters
    (states, show) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    (bell, ring) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// The field's text changed.
  public func type(_ text: String) {
    inbox.withLock { $0.typed = text }
    ring.yield()
  }

  /// Asks again after a failure.
  public func retry() { post(.retry) }

  /// A row was chosen: reports it, and ends the session. Choosing a query changes nothing.
  public func select(_ row: SuggestionRow) async throws(ClientError) {
    let session = inbox.withLock { $0.session }
    post(.ended)
    if let session, let id = row.id { try await client.select(id, session: session) }
  }

  /// What is known of a row's place; ends the session, which the call carries.
  public func details(_ row: SuggestionRow, fields: Set<PlaceField>) async throws(ClientError) -> PlaceRow? {
    guard let id = row.id else { return nil }
    var parameters = Details.Parameters(id: id, fields: fields)
    parameters.session = inbox.withLock { $0.session }
    post(.ended)
    return try await client.details(parameters).place
  }

  /// Runs until its task is cancelled.
  public func run() async {
    let info = try? await client.info()
    let suggested = info.map { Double(max(0, $0.suggestedDebounceMs)) / 1000 } ?? 0.15
    var machine = FetcherMachine(pause: pause ?? suggested, minimumLetters: info?.minimumLetters ?? 1) { SessionID() }
    await withDiscardingTaskGroup { group in
      for await _ in bell {
        for event in take() {
          for action in machine.handle(event, now: client.time.monotonic()) { perform(action, in: &group) }
        }
        let session = machine.currentSession
        inbox.withLock { $0.session = session }
      }
      group.cancelAll()
    }
    show.finish()
  }

  private func take() -> [FetcherMachine.Event] {
    inbox.withLock { inbox in
      let events = inbox.events + (inbox.typed.map { [.typed($0)] } ?? [])
      inbox.events = []
      inbox.typed = nil
      return events
    }
  }

  private func post(_ event: FetcherMachine.Event) {
    inbox.withLock { $0.events.append(event) }
    ring.yield()
  }

  private func perform(_ action: FetcherMachine.Action, in group: inout DiscardingTaskGroup) {
    switch action {
    case .show(let state): show.yield(state)
    case .sleep(let turn, let end):
      group.addTask(name: "pause before asking") { [self] in
        guard (try? await client.time.sleep(until: end)) != nil else { return }
        post(.woke(turn: turn))
      }
    case .ask(let turn, let text, let session, let seq):
      group.addTask(name: "suggestions") { [self] in
        var parameters = prototype(text)
        parameters.query = text
        parameters.session = session
        parameters.seq = seq
        let result: Result<Autocomplete.Result, ClientError>
        do throws(ClientError) {
          result = .success(
            try await client.autocomplete(parameters) { [self] partial in
              if let rows = partial.suggestions { post(.partial(turn: turn, rows)) }
            })
        } catch { result = .failure(error) }
        post(.answered(turn: turn, result))
      }
    }
  }
}
