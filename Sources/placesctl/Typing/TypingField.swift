import PlacesAPI
import PlacesClient

/// The state of an input field and the list below it: takes keys and answers, and returns
/// actions. It does no I/O.
struct TypingField: Sendable {
  enum Action: Sendable, Hashable {
    case nothing
    /// The text changed.
    case typed(String)
    case chose(SuggestionRow)
    /// The failed request is to be sent again at once.
    case retry
    case left
  }

  /// What the field does or waits for; shown below the list.
  enum Activity: Sendable, Hashable {
    /// Nothing: no text was typed, or the answer is complete.
    case idle
    /// An answer is expected.
    case waiting
    /// The answer is complete, with remarks: the providers that did not answer and why, or that nothing was found.
    case answered(remarks: String)
    /// The request failed. If a retry may succeed, it is sent automatically at that time, in monotonic seconds.
    case failed(cause: String, retryAt: Double?)
  }

  /// The longest text that a request may have, in code points.
  static let maxLength = 256

  private(set) var text: String
  private(set) var rows: [SuggestionRow] = []
  private(set) var selected = 0
  /// The credits that must be shown with the rows.
  private(set) var credits: [AttributionRow] = []
  private(set) var activity = Activity.idle
  /// True if the user moved the selection, which then stays on its row.
  private var isMoved = false
  /// Converts a message of the protocol for users.
  private let inWords: @Sendable (String) -> String

  init(text: String, inWords: @escaping @Sendable (String) -> String = { $0 }) {
    self.text = text
    self.inWords = inWords
  }

  mutating func press(_ key: TerminalKey) -> Action {
    switch key {
    case .text(let letters):
      guard text.unicodeScalars.count + letters.unicodeScalars.count <= TypingField.maxLength else { return .nothing }
      return change(to: text + letters)
    case .backspace: return change(to: String(text.dropLast()))
    case .clear: return change(to: "")
    case .word:
      let ended = text.lastIndex { $0 != " " }.map { text[...$0] } ?? ""
      return change(to: ended.lastIndex(of: " ").map { String(ended[...$0]) } ?? "")
    case .up: return move(by: -1)
    case .down: return move(by: 1)
    case .enter: return choose()
    case .escape, .leave: return .left
    }
  }

  /// - Parameter now: monotonic seconds.
  mutating func show(_ state: FetcherState, now: Double) {
    switch state {
    case .idle:
      list([], credits: [])
      activity = .idle
    // Rows stay until new ones arrive, so that the list does not flicker.
    case .waiting: activity = .waiting
    case .suggestions(let rows, _, let isFinal, let answer):
      list(rows, credits: answer?.attributions ?? [])
      activity = isFinal ? TypingField.activity(after: answer, isEmpty: rows.isEmpty) : .waiting
    case .failed(let error, _, let pause):
      list([], credits: [])
      activity = .failed(cause: inWords(error.message), retryAt: pause.map { now + $0 })
    }
  }

  private static func activity(after answer: Autocomplete.Result?, isEmpty: Bool) -> Activity {
    let silent = (answer?.providers ?? []).filter { !$0.outcome.isAnswer && $0.outcome != .skipped }
    if !silent.isEmpty { return .answered(remarks: silent.map { "\($0.provider): \($0.reason)" }.joined(separator: "; ")) }
    return isEmpty ? .answered(remarks: "nothing found") : .idle
  }

  /// True while the status changes with time.
  var isCounting: Bool { if case .failed(_, .some) = activity { true } else { false } }

  /// The activity in words, for the line below the list; empty if there is nothing to report.
  func status(now: Double) -> String {
    switch activity {
    case .idle: return ""
    case .waiting: return "waiting…"
    case .answered(let remarks): return remarks
    case .failed(let cause, nil): return "Enter retries: \(cause)"
    case .failed(let cause, let end?):
      let left = end - now
      return left > 0 ? "next attempt in \(Int(left.rounded(.up))) s, Enter retries now: \(cause)" : "retrying: \(cause)"
    }
  }

  private mutating func change(to new: String) -> Action {
    guard new != text else { return .nothing }
    text = new
    isMoved = false
    return .typed(new)
  }

  private mutating func move(by steps: Int) -> Action {
    guard !rows.isEmpty else { return .nothing }
    selected = (selected + steps + rows.count) % rows.count
    isMoved = true
    return .nothing
  }

  /// A place ends the session; a query becomes the text, and places are requested.
  private mutating func choose() -> Action {
    if case .failed = activity { return .retry }
    guard rows.indices.contains(selected) else { return .nothing }
    let row = rows[selected]
    return row.id == nil ? change(to: row.text.text) : .chose(row)
  }

  private mutating func list(_ new: [SuggestionRow], credits: [AttributionRow]) {
    self.credits = credits
    let old = isMoved && rows.indices.contains(selected) ? rows[selected].id : nil
    selected = old.flatMap { id in new.firstIndex { $0.id == id } } ?? 0
    rows = new
  }
}
