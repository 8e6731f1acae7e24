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
    case left
  }

  /// The longest text that a request may have, in code points.
  static let longest = 256

  private(set) var text: String
  private(set) var rows: [SuggestionRow] = []
  private(set) var selected = 0
  /// The credits of the latest whole answer.
  private(set) var credits: [AttributionRow] = []
  /// An error, or the note that nothing was found.
  private(set) var note = ""
  /// True if the user moved the selection, which then stays on its row.
  private var isMoved = false
  /// Converts a message of the protocol for users.
  private let inWords: @Sendable (String) -> String

  init(text: String, inWords: @escaping @Sendable (String) -> String = { $0 }) {
    self.text = text
    self.inWords = inWords
  }

  mutating func press(_ key: Key) -> Action {
    switch key {
    case .text(let letters):
      guard text.unicodeScalars.count + letters.unicodeScalars.count <= TypingField.longest else { return .nothing }
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

  mutating func show(_ state: FetcherState) {
    switch state {
    case .idle:
      list([])
      note = ""
    // Rows stay until new ones arrive, so that the list does not flicker.
    case .waiting: note = ""
    case .suggestions(let rows, _, let isFinal, let answer):
      list(rows)
      if let answer { credits = answer.attributions }
      let silent = answer?.providers.filter { !$0.outcome.isAnswer && $0.outcome != .skipped }.map(\.provider) ?? []
      note = !silent.isEmpty ? "no answer: \(silent.joined(separator: ", "))" : rows.isEmpty && isFinal ? "nothing found" : ""
    case .failed(let error, _, _):
      list([])
      note = inWords(error.message)
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
    guard rows.indices.contains(selected) else { return .nothing }
    let row = rows[selected]
    return row.id == nil ? change(to: row.text.text) : .chose(row)
  }

  private mutating func list(_ new: [SuggestionRow]) {
    let old = isMoved && rows.indices.contains(selected) ? rows[selected].id : nil
    selected = old.flatMap { id in new.firstIndex { $0.id == id } } ?? 0
    rows = new
  }
}
