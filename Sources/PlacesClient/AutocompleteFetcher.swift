import PlacesAPI
import PlacesKit
import Synchronization

/// Turns typed text into lists of suggestions, like GMSAutocompleteFetcher of Google's SDK. It waits for a pause in typing, sends only the
/// newest text, and drops outdated answers. If the daemon suggests a pause, providers on this machine are asked at once, without waiting.
///
/// Its owner must call `run()` in a task; `run()` returns when that task is cancelled.
public final class AutocompleteFetcher: Sendable {
  /// The states of the list of suggestions. A slow reader gets only the newest one.
  public let states: AsyncStream<FetcherState>

  private let client: PlacesClient
  private let makeParameters: @Sendable (String) -> Autocomplete.Parameters
  /// Seconds to wait for the next keystroke; nil to use the daemon's value.
  private let pause: Double?
  private let inbox = Mutex(Inbox())
  /// Wakes the loop of `run()` after a change of the inbox.
  private let wakeups: AsyncStream<Void>
  private let wakeupContinuation: AsyncStream<Void>.Continuation
  private let stateContinuation: AsyncStream<FetcherState>.Continuation

  /// What the loop of `run()` has not processed yet. Of several texts only the newest is kept.
  private struct Inbox {
    var newestText: String?
    var events: [FetcherMachine.Event] = []
    var session: SessionID?
    /// A continuation for each request in progress, by turn (`FetcherMachine`). Finishing the continuation cancels the request.
    var cancelContinuations: [Int: AsyncStream<Never>.Continuation] = [:]
    /// The same for the requests in progress to the providers on this machine.
    var localCancelContinuations: [Int: AsyncStream<Never>.Continuation] = [:]
  }

  /// - Parameters:
  ///   - client: sends the requests.
  ///   - pause: seconds to wait for the next keystroke; if nil, the daemon's value is used.
  ///   - parameters: returns the request for a text, with the wanted language, areas and filters. The fetcher sets the session and the
  ///     sequence number.
  public init(
    client: PlacesClient, pause: Double? = nil,
    parameters: @escaping @Sendable (String) -> Autocomplete.Parameters = { Autocomplete.Parameters(query: $0) }
  ) {
    self.client = client
    self.pause = pause
    makeParameters = parameters
    (states, stateContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    (wakeups, wakeupContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Must be called when the text of the field has changed.
  public func type(_ text: String) {
    inbox.withLock { $0.newestText = text }
    wakeupContinuation.yield()
  }

  /// Sends the request again after a failure.
  public func retry() { post(.retry) }

  /// Reports the chosen row, and ends the session. If the row is a query, the call has no effect. If the daemon cannot be reached or
  /// rejects the report, the session continues, and the caller may report the choice again. After any other error, the session has ended.
  public func select(_ row: SuggestionRow) async throws(ClientError) {
    guard let id = row.id else { return }
    try await endSession { session throws(ClientError) in
      if let session { try await client.select(id, session: session) }
    }
  }

  /// The details of a row's place, in the language and region that `parameters` returns for the row's text. The call ends the session. If
  /// the daemon cannot be reached or rejects the call, the session continues. Returns nil if the row is a query.
  public func details(_ row: SuggestionRow, fields: Set<PlaceField>) async throws(ClientError) -> PlaceRow? {
    guard let id = row.id else { return nil }
    return try await endSession { session throws(ClientError) in
      var parameters = Details.Parameters(id: id, fields: fields)
      let request = makeParameters(row.text.text)
      (parameters.language, parameters.region) = (request.language, request.region)
      parameters.session = session
      return try await client.details(parameters).place
    }
  }

  /// Makes a call that ends the session, and reports to the state machine whether the session has ended.
  /// - Parameter call: its argument is the current session; nil if there is none.
  private func endSession<Result>(with call: (SessionID?) async throws(ClientError) -> Result) async throws(ClientError) -> Result {
    let session = inbox.withLock { $0.session }
    post(.chosen)
    do throws(ClientError) {
      let result = try await call(session)
      post(.sessionEnded(session))
      return result
    } catch {
      if let session, !error.mayHaveExecuted { post(.sessionContinued(session)) } else { post(.sessionEnded(session)) }
      throw error
    }
  }

  /// Sends requests and publishes `states`. Returns when its task is cancelled.
  public func run() async {
    // These values hold until the daemon's settings arrive.
    var machine = FetcherMachine(pause: pause ?? 0.15, minimumLetters: 1, now: client.time.monotonic()) { SessionID() }
    await withDiscardingTaskGroup { group in
      // The settings are requested concurrently with the loop, so that a slow daemon does not delay typing.
      perform(.readSettings, in: &group)
      for await _ in wakeups {
        for event in takeEvents() {
          for action in machine.handle(event, now: client.time.monotonic()) { perform(action, in: &group) }
        }
        let session = machine.currentSession
        inbox.withLock { $0.session = session }
      }
      group.cancelAll()
    }
    stateContinuation.finish()
  }

  /// Empties the inbox and returns its events, the newest text last.
  private func takeEvents() -> [FetcherMachine.Event] {
    inbox.withLock { inbox in
      let events = inbox.events + (inbox.newestText.map { [.typed($0)] } ?? [])
      inbox.events = []
      inbox.newestText = nil
      return events
    }
  }

  private func post(_ event: FetcherMachine.Event) {
    inbox.withLock { $0.events.append(event) }
    wakeupContinuation.yield()
  }

  /// Requests the daemon's settings for clients, and the list of its providers: those on this machine are asked without a pause.
  private func readSettings() async {
    guard let info = try? await client.info() else { return }
    let suggestedPause = pause == nil ? Double(max(0, info.suggestedDebounceMs)) / 1000 : nil
    post(.settingsReceived(pause: suggestedPause, minimumLetters: info.minimumLetters))
    guard let suggestedPause, suggestedPause > 0, let providers = try? await client.call(ProvidersList.self, NoParameters()).providers
    else { return }
    let localProviders = providers.filter { !$0.leavesMachine && $0.state == .ready }.map(\.id)
    post(.settingsReceived(pause: suggestedPause, minimumLetters: info.minimumLetters, localProviders: localProviders))
  }

  /// Performs an action. Actions that wait are child tasks of `run()`, and post an event when they end.
  private func perform(_ action: FetcherMachine.Action, in group: inout DiscardingTaskGroup) {
    switch action {
    case .show(let state): stateContinuation.yield(state)
    case .sleep(let turn, let end):
      group.addTask(name: "pause before asking") { [self] in
        guard (try? await client.time.sleep(until: end)) != nil else { return }
        post(.pauseEnded(turn: turn))
      }
    case .askLocally(let turn, let text, let providers):
      var parameters = makeParameters(text)
      let chosenProviders = parameters.providers.isEmpty ? providers : providers.filter(parameters.providers.contains)
      guard !chosenProviders.isEmpty else { return }
      (parameters.query, parameters.providers, parameters.stream) = (text, chosenProviders, false)
      // A third of the list stays free for the rows of other providers, as in the daemon's partial answers.
      parameters.limit -= parameters.limit / 3
      let (cancellation, cancelContinuation) = AsyncStream.makeStream(of: Never.self)
      inbox.withLock { $0.localCancelContinuations[turn] = cancelContinuation }
      group.addTask(name: "suggestions of this machine") { [self, parameters] in
        let answer = await ask(parameters, turn, until: cancellation)
        inbox.withLock { _ = $0.localCancelContinuations.removeValue(forKey: turn) }
        // A failure is not reported, because all providers are asked after the pause.
        if case .success(let result)? = answer { post(.answeredLocally(turn: turn, result)) }
      }
    case .ask(let turn, let text, let session, let seq):
      var parameters = makeParameters(text)
      parameters.query = text
      parameters.session = session
      parameters.seq = seq
      let (cancellation, cancelContinuation) = AsyncStream.makeStream(of: Never.self)
      inbox.withLock { $0.cancelContinuations[turn] = cancelContinuation }
      group.addTask(name: "suggestions") { [self, parameters] in
        let result = await ask(parameters, turn, until: cancellation)
        inbox.withLock { _ = $0.cancelContinuations.removeValue(forKey: turn) }
        if let result { post(.answered(turn: turn, result)) }
      }
    case .cancel:
      for cancelContinuation in inbox.withLock({ Array($0.cancelContinuations.values) }) { cancelContinuation.finish() }
    case .cancelLocal:
      for cancelContinuation in inbox.withLock({ Array($0.localCancelContinuations.values) }) { cancelContinuation.finish() }
    case .readSettings:
      group.addTask(name: "client settings of the daemon") { [self] in await readSettings() }
    }
  }

  /// Sends a request and returns its answer; nil if `cancellation` ended first, which also cancels the request in the daemon.
  private func ask(
    _ parameters: Autocomplete.Parameters, _ turn: Int, until cancellation: AsyncStream<Never>
  ) async -> Result<Autocomplete.Result, ClientError>? {
    await withTaskGroup(of: Result<Autocomplete.Result, ClientError>?.self) { group in
      group.addTask(name: "request") { [self] in
        do throws(ClientError) {
          return .success(
            try await client.autocomplete(parameters) { [self] partialAnswer in
              if let result = Autocomplete.Result(partialAnswer) { post(.partial(turn: turn, result)) }
            })
        } catch { return .failure(error) }
      }
      group.addTask(name: "until the request is cancelled") {
        for await _ in cancellation {}
        return nil
      }
      let firstResult = await group.next() ?? nil
      group.cancelAll()
      return firstResult
    }
  }
}

extension Autocomplete.Result {
  /// The content of a partial answer; nil if it belongs to a search.
  init?(_ partial: Partial) {
    guard let rows = partial.suggestions else { return nil }
    self.init(
      suggestions: rows, providers: partial.providers, attributions: partial.attributions, complete: false, revision: partial.revision)
  }
}
