import PlacesAPI
import PlacesClient
import PlacesKit

/// The state of an input field and of the list below it. It takes keys and answers, and returns actions; it does no I/O.
struct TypingField: Sendable {
  enum Action: Sendable, Hashable {
    case nothing
    /// The text changed.
    case typed(String)
    case chose(SuggestionRow)
    /// Enter was pressed on a text without suggestions: the place that the text means is requested.
    case resolve(String)
    /// The resolved text means this place.
    case found(PlaceRow, Resolve.Result)
    /// The failed request is to be sent again at once.
    case retry
    case quit
  }

  /// The activity of the field, which is shown below the list.
  enum Activity: Sendable, Hashable {
    /// Nothing: no text was typed, or the answer is complete.
    case idle
    /// An answer is expected.
    case waiting
    /// The place that the whole text means is requested.
    case resolving
    /// The request for the place that the whole text means has failed; Enter sends it again.
    case resolveFailed(cause: String)
    /// The answer is complete, with remarks: the providers that did not answer and why, or that nothing was found.
    case answered(remarks: String)
    /// The request failed. If a retry may succeed, it is sent automatically at `retryAt`, in monotonic seconds; otherwise `retryAt` is nil.
    case failed(cause: String, retryAt: Double?)
  }

  /// The maximum length of a request's text, in code points.
  static let maxLength = 256

  /// The text before the cursor and after it.
  private(set) var beforeCursor: String
  private(set) var afterCursor = ""
  private(set) var rows: [SuggestionRow] = []
  private(set) var selectedIndex = 0
  /// The credits that must be shown with the rows.
  private(set) var credits: [AttributionRow] = []
  private(set) var activity = Activity.idle
  /// True if the user moved the selection, which then stays on its row.
  private var hasMovedSelection = false
  /// The text that the rows answer, without white space at its ends; nil if there is no answer.
  private var answeredText: Substring?
  /// True if Enter was pressed before the answer to the current text arrived. When the answer arrives, its selected row is chosen; if it
  /// has no rows, the text is resolved.
  private var choosesOnAnswer = false
  /// True if the rows, if any, are the candidates for the resolved text.
  private var showsCandidates = false
  /// Rewords a message of the daemon for users.
  private let reword: @Sendable (String) -> String
  private let offersResolve: Bool

  /// - Parameter offersResolve: whether Enter resolves a text without suggestions.
  init(text: String, offersResolve: Bool = true, reword: @escaping @Sendable (String) -> String = { $0 }) {
    beforeCursor = ""
    self.offersResolve = offersResolve
    self.reword = reword
    _ = insert(text)
  }

  var text: String { beforeCursor + afterCursor }

  /// Handles a key.
  mutating func press(_ key: TerminalKey) -> Action {
    switch key {
    case .text(let characters): return insert(characters)
    case .backspace: return change { $0.beforeCursor = String($0.beforeCursor.dropLast()) }
    case .delete: return change { $0.afterCursor = String($0.afterCursor.dropFirst()) }
    case .clear: return change { $0.beforeCursor = "" }
    case .deleteWord: return change { $0.beforeCursor = TypingField.withoutLastWord($0.beforeCursor) }
    case .left: moveCursor(after: beforeCursor.dropLast())
    case .right: moveCursor(after: (beforeCursor + afterCursor.prefix(1))[...])
    case .home: moveCursor(after: "")
    case .end: moveCursor(after: text[...])
    case .up: return move(by: -1)
    case .down: return move(by: 1)
    case .enter: return choose()
    case .escape, .quit: return .quit
    }
    return .nothing
  }

  /// Shows a state of the fetcher. The rows of an answer to an earlier text stay until those of the current one arrive, so that the list
  /// does not flicker.
  /// - Parameter now: monotonic seconds.
  /// - Returns: the choice, or the text to resolve, if Enter was pressed before the rows arrived.
  mutating func show(_ state: FetcherState, now: Double) -> Action {
    switch state {
    case .idle:
      replaceRows([], credits: [], answerTo: nil)
      activity = .idle
    case .waiting: activity = .waiting
    case .suggestions(let rows, let query, let isFinal, let answer):
      let (hadMovedSelection, selectedBefore) = (hasMovedSelection, selectedID)
      replaceRows(rows, credits: answer?.attributions ?? [], answerTo: TypingField.trimmed(query))
      activity = isFinal ? activity(after: answer, isEmpty: rows.isEmpty) : .waiting
      guard choosesOnAnswer, !isOutdated, isFinal || !rows.isEmpty else { break }
      choosesOnAnswer = false
      // A row that the user selected in the earlier list is not replaced by another one.
      let keptSelectedRow = selectedBefore != nil && selectedBefore == selectedID
      return !hadMovedSelection || keptSelectedRow ? choose() : .nothing
    case .failed(let error, _, let pause):
      replaceRows([], credits: [], answerTo: nil)
      activity = .failed(cause: reword(error.message), retryAt: pause.map { now + $0 })
      choosesOnAnswer = false
    }
    return .nothing
  }

  /// Shows the answer to a text that was resolved, unless the text has changed since. Candidates are chosen as suggestions are.
  mutating func show(_ answer: Result<Resolve.Result, ClientError>, toResolved resolvedText: String) -> Action {
    guard activity == .resolving, TypingField.trimmed(text) == resolvedText else { return .nothing }
    switch answer {
    case .failure(let error): activity = .resolveFailed(cause: reword(error.message))
    case .success(let resolution):
      if resolution.certain, let place = resolution.place { return .found(place, resolution) }
      // A place that only a part of the text names is not a candidate.
      let candidates = resolution.match == .part ? [] : resolution.candidates ?? []
      replaceRows(candidates.map { SuggestionRow($0) }, credits: resolution.attributions, answerTo: TypingField.trimmed(text))
      showsCandidates = true
      let failures = failureRemarks(resolution.providers)
      let emptyRemarks = failures.isEmpty ? nothingFound(resolution.providers) : failures
      activity = .answered(remarks: candidates.isEmpty ? emptyRemarks : "not certain which of these is meant")
    }
    return .nothing
  }

  /// The activity after a complete answer: the remarks on the providers that did not answer, or on an empty list.
  private func activity(after answer: Autocomplete.Result?, isEmpty: Bool) -> Activity {
    let reports = answer?.providers ?? []
    let failures = failureRemarks(reports)
    if !failures.isEmpty { return .answered(remarks: ([failures] + (isEmpty ? advice(reports) : [])).joined(separator: "; ")) }
    guard isEmpty else { return .idle }
    return .answered(remarks: nothingFound(reports) + (offersResolve ? "; Enter searches for the whole text" : ""))
  }

  /// The providers that did not answer, each with its reason; empty if all answered.
  private func failureRemarks(_ reports: [ProviderReport]) -> String {
    reports.filter { !$0.outcome.isAnswer && $0.outcome != .skipped }.map { "\($0.provider): \(reword($0.reason))" }
      .joined(separator: "; ")
  }

  /// The remark on an answer without rows, with the advice of the providers.
  private func nothingFound(_ reports: [ProviderReport]) -> String {
    (["nothing found"] + advice(reports)).joined(separator: "; ")
  }

  private func advice(_ reports: [ProviderReport]) -> [String] { reports.compactMap(\.advice).map(reword) }

  /// True if the status contains a time that must be updated.
  var statusShowsTime: Bool { if case .failed(_, .some) = activity { true } else { false } }

  /// The activity in words, for the line below the list; empty if there is nothing to report.
  func status(now: Double) -> String {
    switch activity {
    case .idle: return ""
    case .resolving: return "searching…"
    case .resolveFailed(let cause): return "Enter retries: \(cause)"
    case .waiting: return choosesOnAnswer ? "will choose when the answer arrives…" : "waiting…"
    case .answered(let remarks): return remarks
    case .failed(let cause, nil): return "Enter retries: \(cause)"
    case .failed(let cause, let retryAt?):
      let secondsLeft = retryAt - now
      return secondsLeft > 0
        ? "next attempt in \(Int(secondsLeft.rounded(.up))) s, Enter retries now: \(cause)" : "retrying: \(cause)"
    }
  }

  /// Edits the text. If the text changes, drops a pending choice and the request that resolves the earlier text.
  private mutating func change(_ edit: (inout TypingField) -> Void) -> Action {
    let oldText = text
    edit(&self)
    guard text != oldText else { return .nothing }
    (hasMovedSelection, choosesOnAnswer) = (false, false)
    switch activity {
    case .resolving, .resolveFailed: activity = .idle
    default: break
    }
    return .typed(text)
  }

  /// Inserts as many of the characters as fit.
  private mutating func insert(_ characters: String) -> Action {
    var room = TypingField.maxLength - text.unicodeScalars.count
    let fitting = characters.prefix { character in
      room -= character.unicodeScalars.count
      return room >= 0
    }
    return change { $0.beforeCursor += fitting }
  }

  private static func trimmed(_ text: String) -> Substring {
    let end = text.lastIndex { !$0.isWhitespace }.map { text.index(after: $0) } ?? text.startIndex
    return text[..<end].drop { $0.isWhitespace }
  }

  /// The text without its last word and the spaces after that word.
  private static func withoutLastWord(_ text: String) -> String {
    let trimmedEnd = text.lastIndex { $0 != " " }.map { text[...$0] } ?? ""
    return trimmedEnd.lastIndex(of: " ").map { String(trimmedEnd[...$0]) } ?? ""
  }

  /// Moves the cursor to the end of a prefix of the text.
  private mutating func moveCursor(after prefix: Substring) {
    afterCursor = String(text.dropFirst(prefix.count))
    beforeCursor = String(prefix)
  }

  /// Moves the selection, which wraps around at both ends of the list.
  private mutating func move(by steps: Int) -> Action {
    guard !rows.isEmpty else { return .nothing }
    selectedIndex = (selectedIndex + steps + rows.count) % rows.count
    hasMovedSelection = true
    return .nothing
  }

  /// True if the rows, if any, are not the answer to the text. White space at its ends does not change the request.
  private var isOutdated: Bool { answeredText != TypingField.trimmed(text) }

  private var selectedID: PlaceID? { rows.indices.contains(selectedIndex) ? rows[selectedIndex].id : nil }

  /// Handles Enter. A selected place is returned as the choice, and a selected query becomes the text. Without rows, the text is resolved.
  /// After a failure, the request is sent again.
  private mutating func choose() -> Action {
    if case .failed = activity { return .retry }
    guard !isOutdated else {
      choosesOnAnswer = !TypingField.trimmed(text).isEmpty
      return .nothing
    }
    guard rows.indices.contains(selectedIndex) else { return resolve() }
    let row = rows[selectedIndex]
    guard row.id == nil else { return .chose(row) }
    return change { ($0.beforeCursor, $0.afterCursor) = (row.text.text, "") }
  }

  /// Requests the place that the whole text means. If the suggestions have not arrived, waits for them first.
  private mutating func resolve() -> Action {
    let wholeText = String(TypingField.trimmed(text))
    guard offersResolve, !wholeText.isEmpty, !showsCandidates, activity != .resolving else { return .nothing }
    guard activity != .waiting else {
      choosesOnAnswer = true
      return .nothing
    }
    activity = .resolving
    return .resolve(wholeText)
  }

  /// Replaces the list. A row that the user selected stays selected if it is in the new list.
  private mutating func replaceRows(_ newRows: [SuggestionRow], credits: [AttributionRow], answerTo text: Substring?) {
    self.credits = credits
    answeredText = text
    showsCandidates = false
    let keptID = hasMovedSelection ? selectedID : nil
    selectedIndex = keptID.flatMap { id in newRows.firstIndex { $0.id == id } } ?? 0
    rows = newRows
  }
}

extension SuggestionRow {
  /// A candidate for a resolved text.
  fileprivate init(_ place: PlaceRow) {
    let name = place.values[.name]?.string ?? place.id.text
    let address = ShortAddress.text(place)
    // Addresses of some services begin with the name.
    let text = address.map { $0.hasPrefix(name) ? $0 : "\(name), \($0)" } ?? name
    let types = (place.values[.types]?.array ?? []).compactMap { $0.string.map { PlaceType(rawValue: $0) } }
    let suggestion = Suggestion(
      kind: .place, id: place.id.text, text: FormattedText(text), primary: FormattedText(name),
      secondary: address.map { FormattedText($0) }, types: types)
    self.init(suggestion, row: place.row, id: place.id, sources: place.sources, distance: place.distance, attributions: place.attributions)
  }
}
