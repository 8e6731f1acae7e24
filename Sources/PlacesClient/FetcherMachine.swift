import PlacesAPI
import PlacesKit

/// The fetcher's state machine. It takes events and returns actions, does no I/O and never waits.
struct FetcherMachine: Sendable {
  enum Event: Sendable {
    /// The text of the field has changed to this text.
    case typed(String)
    /// The pause before the request of this turn has ended.
    case pauseEnded(turn: Int)
    /// The answer of the providers on this machine.
    case answeredLocally(turn: Int, Autocomplete.Result)
    /// The rows so far; more may follow.
    case partial(turn: Int, Autocomplete.Result)
    /// The request of this turn has ended.
    case answered(turn: Int, Result<Autocomplete.Result, ClientError>)
    /// The caller asked to try again.
    case retry
    /// The daemon's settings for clients arrived. `pause` is nil if the fetcher's owner has set a pause. `localProviders` need no pause;
    /// they are nil if they are not known yet.
    case settingsReceived(pause: Double?, minimumLetters: Int, localProviders: [String]? = nil)
    /// A row was chosen, or its details were requested: later text belongs to another session.
    case chosen
    /// The choice ended this session, or may have ended it; nil if there was no session.
    case sessionEnded(SessionID?)
    /// The choice did not reach the daemon: this session continues.
    case sessionContinued(SessionID)
  }

  enum Action: Sendable, Hashable {
    /// Show this state to the fetcher's owner.
    case show(FetcherState)
    /// Wait until this monotonic time, in seconds, and then report `pauseEnded`.
    case sleep(turn: Int, until: Double)
    /// Send a request to the providers on this machine, before the pause ends.
    case askLocally(turn: Int, text: String, providers: [String])
    /// Send a request.
    case ask(turn: Int, text: String, session: SessionID, seq: Int)
    /// Cancel the pending requests, whose answers are no longer wanted.
    case cancel
    /// Cancel the pending requests to the providers on this machine. The other requests continue, because the daemon stores their answers
    /// for the next text.
    case cancelLocal
    /// Request the daemon's settings for clients and its list of providers again, and report `settingsReceived`.
    case readSettings
  }

  /// Seconds without use after which the daemon forgets a session.
  static let sessionIdleLimit = 180.0
  /// Seconds after which a new text requests the daemon's settings again, because its providers may have changed.
  static let settingsLifetime = 60.0

  /// Seconds to wait for the next keystroke.
  var pause: Double
  /// The minimum length, in code points, of a text for which requests are sent.
  var minimumLetters: Int
  private var localProviders: [String] = []
  /// The time at which the daemon's settings were last requested.
  private var settingsReadAt: Double
  let makeSession: @Sendable () -> SessionID

  /// The number of the current turn: each text and each retry begins a new one. Answers and timers of an older turn are ignored.
  private var turn = 0
  private var text = ""
  /// The rows that are shown for the current text. Later rows do not change their order.
  private var shownRows: [SuggestionRow] = []
  /// The session, the sequence number of its latest request, and the time of that request.
  private var session: (id: SessionID, seq: Int, lastUse: Double)?
  /// True while a choice that will end the session is in progress.
  private var isEndingSession = false
  /// True while a request is in progress.
  private var isAsking = false
  /// True while a request to the providers on this machine is in progress.
  private var isAskingLocally = false
  /// True if a failed request is to be retried automatically.
  private var willRetry = false
  /// True if a choice cancelled a request, which must be sent again if the choice fails.
  private var hasStoppedRequest = false
  /// The time at which the text was typed, until its pause ends.
  private var typedAt: Double?
  /// The number of failed requests for the current text since the last success or `retry`.
  private var failureCount = 0

  /// - Parameter now: the time at which the caller requests the daemon's settings.
  init(pause: Double, minimumLetters: Int, now: Double = 0, makeSession: @escaping @Sendable () -> SessionID) {
    self.pause = pause
    self.minimumLetters = minimumLetters
    settingsReadAt = now
    self.makeSession = makeSession
  }

  /// The session of the latest request, unless it has ended; kept while a choice is in progress, because the choice may fail.
  var currentSession: SessionID? { session?.id }

  /// Changes the state, and returns the actions to perform, in this order.
  /// - Parameter now: monotonic seconds.
  mutating func handle(_ event: Event, now: Double) -> [Action] {
    switch event {
    case .typed(let newText): return type(newText, now: now)
    case .pauseEnded(let endedTurn): return endedTurn == turn ? ask(now: now) : []
    case .answeredLocally(let answeredTurn, let result):
      guard answeredTurn == turn else { return [] }
      isAskingLocally = false
      // After the pause, all providers are asked, and the answer to that request contains these rows.
      guard typedAt != nil, !result.suggestions.isEmpty else { return [] }
      return [show(result, isFinal: false)]
    case .partial(let answeredTurn, let result): return answeredTurn == turn ? [show(result, isFinal: false)] : []
    case .answered(let answeredTurn, let result): return answeredTurn == turn ? answer(result, now: now) : []
    case .retry:
      guard isLongEnough(text) else { return [] }
      failureCount = 0
      turn += 1
      return [.show(.waiting(text: text))] + ask(now: now)
    case .settingsReceived(let newPause, let newMinimum, let newProviders):
      let oldSettings = (pause, localProviders)
      if let newPause { pause = newPause }
      minimumLetters = newMinimum
      localProviders = newProviders ?? localProviders
      // A text whose pause has not ended yet waits for the daemon's pause instead.
      guard oldSettings != (pause, localProviders), let typedAt else { return [] }
      turn += 1
      return stopAskingLocally() + startPause(since: typedAt)
    case .chosen:
      hasStoppedRequest = hasStoppedRequest || isAsking || willRetry || typedAt != nil
      isEndingSession = true
      turn += 1
      return stopAsking()
    case .sessionEnded(let endedSession):
      // If the current session is another one, the user has already begun to type again. A choice without a session is over, unless a text
      // was typed since, which clears `isEndingSession`.
      let isCurrent = if let endedSession { session?.id == endedSession } else { session == nil && isEndingSession }
      guard isCurrent else { return [] }
      session = nil
      (isEndingSession, hasStoppedRequest) = (false, false)
      turn += 1
      (text, shownRows) = ("", [])
      return stopAsking() + [.show(.idle)]
    case .sessionContinued(let continuedSession):
      guard session?.id == continuedSession else { return [] }
      isEndingSession = false
      guard hasStoppedRequest, isLongEnough(text) else { return [] }
      hasStoppedRequest = false
      turn += 1
      return [.show(.waiting(text: text))] + ask(now: now)
    }
  }

  /// Begins a turn for a new text. A text that is typed after a choice belongs to another session.
  private mutating func type(_ newText: String, now: Double) -> [Action] {
    let query = newText.trimmedQuery
    // A trailing space does not change the request.
    if query == text { return [] }
    text = query
    shownRows = []
    turn += 1
    failureCount = 0
    (willRetry, hasStoppedRequest) = (false, false)
    if isEndingSession { (session, isEndingSession) = (nil, false) }
    guard isLongEnough(query) else { return stopAsking() + [.show(.idle)] }
    typedAt = now
    let stopping = stopAskingLocally()
    return stopping + [.show(.waiting(text: query))] + startPause(since: now) + readSettings(now: now)
  }

  /// Begins the pause after a keystroke: asks the providers on this machine, and waits until the pause ends.
  private mutating func startPause(since typedAt: Double) -> [Action] {
    isAskingLocally = pause > 0 && !localProviders.isEmpty
    let local = isAskingLocally ? [Action.askLocally(turn: turn, text: text, providers: localProviders)] : []
    return local + [.sleep(turn: turn, until: typedAt + pause)]
  }

  /// Cancels the request and the pause that are in progress.
  private mutating func stopAsking() -> [Action] {
    let actions: [Action] = stopAskingLocally() + (isAsking ? [.cancel] : [])
    (isAsking, willRetry, typedAt) = (false, false, nil)
    return actions
  }

  private mutating func stopAskingLocally() -> [Action] {
    defer { isAskingLocally = false }
    return isAskingLocally ? [.cancelLocal] : []
  }

  /// Requests the daemon's settings again if they are older than `settingsLifetime`.
  private mutating func readSettings(now: Double) -> [Action] {
    guard now - settingsReadAt >= FetcherMachine.settingsLifetime else { return [] }
    settingsReadAt = now
    return [.readSettings]
  }

  private func isLongEnough(_ text: String) -> Bool { text.unicodeScalars.count >= max(1, minimumLetters) }

  /// Shows the rows of an answer. The daemon keeps the order of rows within one request, but the answer of the providers on this machine
  /// comes from another one: the row that a user is about to choose must not be replaced by another row that was already below it.
  private mutating func show(_ answer: Autocomplete.Result, isFinal: Bool) -> Action {
    shownRows = answer.suggestions.keepingOrder(of: shownRows)
    return .show(.suggestions(shownRows, text: text, isFinal: isFinal, answer: answer))
  }

  /// Sends a request for the text, in the current session or, if the daemon has forgotten that one, in a new session.
  private mutating func ask(now: Double) -> [Action] {
    var current = session ?? (makeSession(), 0, now)
    if now - current.lastUse >= FetcherMachine.sessionIdleLimit { current = (makeSession(), 0, now) }
    current.seq += 1
    current.lastUse = now
    session = current
    (isAsking, willRetry, typedAt) = (true, false, nil)
    // The answer to this request also contains the rows of the providers on this machine.
    return stopAskingLocally() + [.ask(turn: turn, text: text, session: current.id, seq: current.seq)]
  }

  /// Shows the result of the request. After a temporary failure, the request is sent again after a pause, in a new turn.
  private mutating func answer(_ result: Result<Autocomplete.Result, ClientError>, now: Double) -> [Action] {
    isAsking = false
    switch result {
    case .success(let answer):
      failureCount = 0
      return [show(answer, isFinal: true)]
    case .failure(let error):
      // A request is retried at most five times.
      guard error.isTransient, failureCount < 5 else { return [.show(.failed(error, text: text, retryAfter: nil))] }
      let pause = error.retryAfter ?? Backoff(firstPause: 0.5, maxPause: 8).ceiling(after: failureCount)
      failureCount += 1
      willRetry = true
      turn += 1
      return [.show(.failed(error, text: text, retryAfter: pause)), .sleep(turn: turn, until: now + pause)]
    }
  }
}

extension [SuggestionRow] {
  /// These rows, reordered: the rows that are also in `shown` are in the order of `shown`, and all other rows keep their positions.
  func keepingOrder(of shown: [SuggestionRow]) -> [SuggestionRow] {
    var shownPositions: [(shownIndex: Int, index: Int)] = []
    for (index, row) in enumerated() {
      let keys = row.identityKeys
      guard let shownIndex = shown.firstIndex(where: { !$0.identityKeys.isDisjoint(with: keys) }) else { continue }
      shownPositions.append((shownIndex, index))
    }
    var rows = self
    let sortedPositions = shownPositions.sorted { ($0.shownIndex, $0.index) < ($1.shownIndex, $1.index) }
    for (target, origin) in zip(shownPositions, sortedPositions) { rows[target.index] = self[origin.index] }
    return rows
  }
}

extension SuggestionRow {
  /// The keys by which the row is recognized in several answers: the ids of all its sources or, for a query, its text.
  fileprivate var identityKeys: Set<String> {
    guard kind == .place else { return [text.text] }
    return Set((sources + (alternatives ?? []).flatMap(\.sources)).compactMap { $0.id?.text })
  }
}

extension String {
  /// The text without white space at either end, shortened to the 256 code points that a query may have.
  var trimmedQuery: String {
    let scalars = unicodeScalars.drop { $0.properties.isWhitespace }
    let end = scalars.lastIndex { !$0.properties.isWhitespace }.map { scalars.index(after: $0) } ?? scalars.startIndex
    return String(String.UnicodeScalarView(scalars[..<end].prefix(256)))
  }
}
