import PlacesAPI
import PlacesKit

/// The fetcher's life as a value: what happens goes in, what is to be done comes out. It waits for nothing and asks nobody.
struct FetcherMachine: Sendable {
  enum Event: Sendable {
    case typed(String)
    case woke(turn: Int)
    case partial(turn: Int, [SuggestionRow])
    case answered(turn: Int, Result<Autocomplete.Result, ClientError>)
    /// Somebody asked to try again.
    case retry
    /// The daemon's own suggestions have come; a pause where the owner gave none.
    case informed(pause: Double?, minimumLetters: Int)
    /// A row was chosen, or the details of one are asked for: what is typed from now on is for another session.
    case chosen
    /// The choice ended this session, or may have.
    case ended(SessionID?)
    /// The choice did not reach the daemon: this session goes on.
    case resumed(SessionID)
  }

  enum Action: Sendable, Hashable {
    case show(FetcherState)
    case sleep(turn: Int, until: Double)
    case ask(turn: Int, text: String, session: SessionID, seq: Int)
    /// Nobody wants the answers that are awaited.
    case cancel
  }

  /// Seconds without use after which the daemon forgets a session.
  static let idleSession = 180.0

  /// Seconds to wait for the next letter.
  var pause: Double
  var minimumLetters: Int
  let makeSession: @Sendable () -> SessionID

  /// Counts what was typed and tried; an answer or an alarm of an older turn is dropped.
  private var turn = 0
  private var text = ""
  private var session: (id: SessionID, seq: Int, used: Double)?
  /// Whether a choice is under way that will end the session.
  private var isChosen = false
  private var isAsking = false
  /// Whether a failed question is to be asked again by itself.
  private var isRetrying = false
  /// Whether a choice broke off a question, so that it has to be asked again where the choice fails.
  private var wasStopped = false
  /// When the text was typed, for as long as its pause lasts.
  private var typedAt: Double?
  private var failures = 0

  init(pause: Double, minimumLetters: Int, makeSession: @escaping @Sendable () -> SessionID) {
    self.pause = pause
    self.minimumLetters = minimumLetters
    self.makeSession = makeSession
  }

  /// The session of the latest question, where it is not over; also while a choice is under way, which may have to be made again.
  var currentSession: SessionID? { session?.id }

  mutating func handle(_ event: Event, now: Double) -> [Action] {
    switch event {
    case .typed(let typed): return type(typed, now: now)
    case .woke(let woken): return woken == turn ? ask(now: now) : []
    case .partial(let answered, let rows):
      return answered == turn ? [.show(.suggestions(rows, text: text, isFinal: false, answer: nil))] : []
    case .answered(let answered, let result): return answered == turn ? answer(result, now: now) : []
    case .retry:
      guard isLongEnough(text) else { return [] }
      failures = 0
      turn += 1
      return [.show(.waiting(text: text))] + ask(now: now)
    case .informed(let suggested, let letters):
      if let suggested { pause = suggested }
      minimumLetters = letters
      // A text that waits already waits as long as the daemon says.
      guard suggested != nil, let typedAt else { return [] }
      turn += 1
      return [.sleep(turn: turn, until: typedAt + pause)]
    case .chosen:
      wasStopped = wasStopped || isAsking || isRetrying || typedAt != nil
      isChosen = true
      turn += 1
      return stopAsking()
    case .ended(let ended):
      // Where it is another one, somebody types on already.
      guard ended == nil ? session == nil && isChosen : session?.id == ended else { return [] }
      session = nil
      (isChosen, wasStopped) = (false, false)
      turn += 1
      text = ""
      return stopAsking() + [.show(.idle)]
    case .resumed(let resumed):
      guard session?.id == resumed else { return [] }
      isChosen = false
      guard wasStopped, isLongEnough(text) else { return [] }
      wasStopped = false
      turn += 1
      return [.show(.waiting(text: text))] + ask(now: now)
    }
  }

  private mutating func type(_ typed: String, now: Double) -> [Action] {
    let trimmed = typed.trimmed
    // A space at the end changes nothing that is asked.
    if trimmed == text { return [] }
    text = trimmed
    turn += 1
    failures = 0
    (isRetrying, wasStopped) = (false, false)
    if isChosen { (session, isChosen) = (nil, false) }
    guard isLongEnough(trimmed) else { return stopAsking() + [.show(.idle)] }
    typedAt = now
    return [.show(.waiting(text: trimmed)), .sleep(turn: turn, until: now + pause)]
  }

  private mutating func stopAsking() -> [Action] {
    defer { (isAsking, isRetrying, typedAt) = (false, false, nil) }
    return isAsking ? [.cancel] : []
  }

  private func isLongEnough(_ text: String) -> Bool { text.unicodeScalars.count >= max(1, minimumLetters) }

  private mutating func ask(now: Double) -> [Action] {
    var current = session ?? (makeSession(), 0, now)
    if now - current.used >= FetcherMachine.idleSession { current = (makeSession(), 0, now) }
    current.seq += 1
    current.used = now
    session = current
    (isAsking, isRetrying, typedAt) = (true, false, nil)
    return [.ask(turn: turn, text: text, session: current.id, seq: current.seq)]
  }

  private mutating func answer(_ result: Result<Autocomplete.Result, ClientError>, now: Double) -> [Action] {
    isAsking = false
    switch result {
    case .success(let answer):
      failures = 0
      return [.show(.suggestions(answer.suggestions, text: text, isFinal: true, answer: answer))]
    case .failure(let error):
      guard error.isTransient, failures < 5 else { return [.show(.failed(error, text: text, retryAfter: nil))] }
      let pause = error.retryAfter ?? Backoff(first: 0.5, longest: 8).ceiling(after: failures)
      failures += 1
      isRetrying = true
      turn += 1
      return [.show(.failed(error, text: text, retryAfter: pause)), .sleep(turn: turn, until: now + pause)]
    }
  }
}

extension String {
  /// Without white space at either end, and without more than the 256 code points that a query may have.
  var trimmed: String {
    let scalars = unicodeScalars.drop { $0.properties.isWhitespace }
    let end = scalars.lastIndex { !$0.properties.isWhitespace }.map { scalars.index(after: $0) } ?? scalars.startIndex
    return String(String.UnicodeScalarView(scalars[..<end].prefix(256)))
  }
}
