import Foundation
import JSON
import PlacesAPI
import PlacesClient
import PlacesKit
import Synchronization
import Testing

@testable import placesctl

@Suite("Suggestions during typing")
struct TypingTests {
  private func rows(_ names: String...) throws -> [SuggestionRow] {
    let values = names.enumerated().map { row($0.element, id: "gazetteer:\($0.offset + 1)") }
    return try Autocomplete.Result(json: suggestions(values).bytes).suggestions
  }

  @Test("The field: letters, words and the selection")
  func field() throws {
    var field = TypingField(text: "san fr")
    #expect(field.press(.enter) == .nothing)
    #expect(field.press(.down) == .nothing)
    #expect(field.press(.backspace) == .typed("san f"))
    #expect(field.press(.deleteWord) == .typed("san "))
    #expect(field.press(.deleteWord) == .typed(""))
    #expect(field.press(.backspace) == .nothing)
    #expect(field.press(.text("b")) == .typed("b"))
    let three = try rows("Bern", "Berlin", "Bari")
    _ = field.show(.suggestions(three, text: "b", isFinal: false, answer: nil), now: 0)
    #expect(field.press(.up) == .nothing)
    #expect(field.selectedIndex == 2)
    #expect(field.press(.down) == .nothing)
    #expect(field.press(.down) == .nothing)
    // A row that was chosen by hand stays chosen where others come before it.
    _ = field.show(.suggestions([three[2], three[0], three[1]], text: "b", isFinal: true, answer: nil), now: 0)
    #expect(field.press(.enter) == .chose(three[1]))
    #expect(field.press(.text("e")) == .typed("be"))
    _ = field.show(.suggestions(three, text: "be", isFinal: true, answer: nil), now: 0)
    #expect(field.press(.enter) == .chose(three[0]))
    #expect(field.press(.text(String(repeating: "x", count: 255))) == .typed("be" + String(repeating: "x", count: 254)))
    #expect(field.press(.text("x")) == .nothing)
    #expect(field.press(.escape) == .quit)
  }

  @Test("The cursor moves by letters, and letters are inserted and deleted at it")
  func cursor() {
    var field = TypingField(text: "beirn")
    #expect(field.press(.right) == .nothing)
    for _ in 0..<2 { #expect(field.press(.left) == .nothing) }
    #expect(field.beforeCursor == "bei" && field.afterCursor == "rn")
    #expect(field.press(.backspace) == .typed("bern"))
    #expect(field.press(.end) == .nothing)
    #expect(field.press(.text("!")) == .typed("bern!"))
    #expect(field.press(.home) == .nothing)
    #expect(field.press(.left) == .nothing)
    #expect(field.press(.backspace) == .nothing)
    #expect(field.press(.delete) == .typed("ern!"))
    #expect(field.press(.text("k")) == .typed("kern!"))
    #expect(field.press(.right) == .nothing)
    #expect(field.press(.clear) == .typed("rn!"))
    let drawing = TypingView(columns: 30, height: 6, usesColour: false, rowCount: 10, showsDistances: false).drawing(field, now: 0)
    #expect(drawing == TypingView.erasing + "> rn!\n\n\n\n" + "\u{1B}[4F\u{1B}[2C")
    for _ in 0..<3 { _ = field.press(.delete) }
    #expect(field.press(.delete) == .nothing)
  }

  @Test("Enter chooses no row of an earlier text: it waits for the answer to the current one")
  func outdatedRows() throws {
    let (older, newer) = (try rows("Bern", "Berlin"), try rows("Linz", "Lima"))
    func typed(_ keys: [TerminalKey]) -> TypingField {
      var field = TypingField(text: "ber")
      _ = field.show(.suggestions(older, text: "ber", isFinal: true, answer: nil), now: 0)
      for key in keys + [.enter] { #expect(![.chose(older[0]), .chose(older[1])].contains(field.press(key))) }
      return field
    }
    var field = typed([.clear, .text("lin")])
    #expect(field.status(now: 0) == "")
    #expect(field.show(.waiting(text: "lin"), now: 0) == .nothing)
    #expect(field.status(now: 0) == "will choose when the answer arrives…")
    // A late answer to the earlier text, and a partial answer without rows, decide nothing.
    #expect(field.show(.suggestions(older, text: "ber", isFinal: true, answer: nil), now: 0) == .nothing)
    #expect(field.show(.suggestions([], text: "lin", isFinal: false, answer: nil), now: 0) == .nothing)
    #expect(field.show(.suggestions(newer, text: "lin", isFinal: false, answer: nil), now: 0) == .chose(newer[0]))
    #expect(field.show(.suggestions(newer, text: "lin", isFinal: true, answer: nil), now: 0) == .nothing)

    // Further typing and a failure withdraw it; after an empty answer the whole text is resolved.
    field = typed([.text("n")])
    #expect(field.press(.text("e")) == .typed("berne"))
    #expect(field.show(.suggestions(newer, text: "berne", isFinal: true, answer: nil), now: 0) == .nothing)
    field = typed([.text("n")])
    #expect(field.show(.suggestions([], text: "bern", isFinal: true, answer: nil), now: 0) == .resolve("bern"))
    #expect(field.status(now: 0) == "searching…")
    field = typed([.text("n")])
    #expect(field.show(.failed(.connectionLost, text: "bern", retryAfter: 1), now: 0) == .nothing)
    #expect(field.show(.suggestions(newer, text: "bern", isFinal: true, answer: nil), now: 0) == .nothing)

    // A row that the user selected is chosen if the new list has it, and no other row in its place.
    field = typed([.text("l"), .down])
    #expect(field.show(.suggestions([newer[0], older[1]], text: "berl", isFinal: true, answer: nil), now: 0) == .chose(older[1]))
    field = typed([.text("l"), .down])
    #expect(field.show(.suggestions([newer[0]], text: "berl", isFinal: true, answer: nil), now: 0) == .nothing)
    #expect(field.press(.enter) == .chose(newer[0]))

    // A completion that the user selected has no id: no other row is chosen in its place.
    field = TypingField(text: "ber")
    var completion = row("berlin hotel").object ?? [:]
    (completion["kind"], completion["id"]) = ("query", nil)
    let completions = try Autocomplete.Result(json: suggestions([.object(completion)]).bytes).suggestions
    _ = field.show(.suggestions(older + completions, text: "ber", isFinal: true, answer: nil), now: 0)
    for key in [.text("l"), .up, .enter] as [TerminalKey] { _ = field.press(key) }
    #expect(field.show(.suggestions(newer, text: "berl", isFinal: true, answer: nil), now: 0) == .nothing)

    // A text that was typed and deleted again has its answer already: no other one arrives.
    field = TypingField(text: "ber")
    _ = field.show(.suggestions(older, text: "ber", isFinal: true, answer: nil), now: 0)
    #expect(field.press(.text("l")) == .typed("berl"))
    #expect(field.press(.backspace) == .typed("ber"))
    #expect(field.press(.enter) == .chose(older[0]))
    #expect(TypingField(text: String(repeating: "x", count: 300)).text.count == 256)

    // A space at the end does not change the request.
    field = TypingField(text: "ber")
    _ = field.show(.suggestions(older, text: "ber", isFinal: true, answer: nil), now: 0)
    #expect(field.press(.text(" ")) == .typed("ber "))
    #expect(field.press(.enter) == .chose(older[0]))
    // Without any text there is nothing to wait for.
    field = TypingField(text: " ")
    #expect(field.press(.enter) == .nothing)
    #expect(field.show(.suggestions(newer, text: "", isFinal: true, answer: nil), now: 0) == .nothing)
  }

  @Test("Enter on a text without suggestions finds the place that the text means, or lists the candidates", arguments: [true, false])
  func resolving(isCertain: Bool) async {
    let script = Script([("nothing found", .enter), ("not certain which of these is meant", .down), ("› Coop, Schaan", .enter)])
    let outcome = await run(["suggest", "-i", "coop 5", "--cache", "only"], terminal: script) { asked throws(ClientError) in
      let places: [JSONValue] = ["Vaduz", "Schaan"].enumerated().map { number, town in
        [
          "id": .string("google:\(number)"), "row": .string("r\(number)"), "name": "Coop", "formattedAddress": .string("Coop, \(town)"),
          "sources": [], "attributions": [],
        ]
      }
      switch asked.method {
      case "places.autocomplete": return suggestions([])
      case "places.resolve":
        #expect(asked.params["query"] == "coop 5" && asked.params["cache"] == "only")
        let answer: JSONValue = isCertain ? ["certain": true, "place": places[1]] : ["certain": false, "candidates": .array(places)]
        var result = answer.object ?? [:]
        (result["confidence"], result["match"], result["providers"], result["attributions"]) = (0.98, "exact", [], [])
        return .object(result)
      default: return try TypingTests.answer(asked)
      }
    }
    #expect(outcome.exit == .results, "\(outcome)")
    #expect(outcome.output.contains("google:1"), "\(outcome)")
    // The candidates have their fields already.
    #expect(!outcome.asked.contains { $0.method == "places.details" })
  }

  @Test(
    "A text that cannot be resolved stays in the field with the reason, and Enter resolves it again; an answer to an earlier text is dropped"
  )
  func unresolved() {
    var field = TypingField(text: "xyz")
    #expect(field.press(.enter) == .nothing)
    #expect(field.show(.suggestions([], text: "xyz", isFinal: true, answer: nil), now: 0) == .resolve("xyz"))
    for key in [.enter, .down, .up] as [TerminalKey] { #expect(field.press(key) == .nothing) }
    #expect(field.show(.failure(.connectionLost), toResolved: "xyz") == .nothing)
    #expect(field.status(now: 0).hasPrefix("Enter retries: ") && field.text == "xyz")
    #expect(field.press(.enter) == .resolve("xyz"))
    #expect(field.show(.success(.init(certain: false, confidence: 0)), toResolved: "xyz") == .nothing)
    #expect(field.status(now: 0) == "nothing found" && field.press(.enter) == .nothing)

    #expect(field.press(.text("y")) == .typed("xyzy"))
    _ = field.show(.suggestions([], text: "xyzy", isFinal: true, answer: nil), now: 0)
    #expect(field.press(.enter) == .resolve("xyzy"))
    #expect(field.press(.backspace) == .typed("xyz"))
    let place = PlaceRow(id: PlaceID("a:1")!, row: "r1", values: [:], sources: [], attributions: [])
    #expect(field.show(.success(.init(certain: true, confidence: 1, place: place)), toResolved: "xyzy") == .nothing)
    // Suggestions are restricted to types, which a resolved place need not have.
    field = TypingField(text: "xyz", offersResolve: false)
    _ = field.show(.suggestions([], text: "xyz", isFinal: true, answer: nil), now: 0)
    #expect(field.press(.enter) == .nothing)
  }

  @Test("Escape ends the list while a text is resolved, and the request is cancelled")
  func leavingWhileResolving() async {
    let script = Script([("nothing found", .enter), ("searching…", .escape)])
    let outcome = await run(["suggest", "-i", "xyz"], terminal: script) { asked throws(ClientError) in
      switch asked.method {
      case "places.autocomplete": return suggestions([])
      case "places.resolve": throw .connectionLost
      default: return try TypingTests.answer(asked)
      }
    }
    #expect(outcome.exit == .noResults && outcome.output == "", "\(outcome)")
  }

  @Test("Enter that is pressed before the answer chooses its first row")
  func earlyEnter() async {
    let script = Script([("> b", .enter)])
    let outcome = await run(["suggest", "-i", "b"], terminal: script) { asked throws(ClientError) in
      if asked.method == "places.details" { #expect(asked.params["id"] == "gazetteer:1") }
      return try TypingTests.answer(asked)
    }
    #expect(outcome.exit == .results, "\(outcome)")
  }

  @Test("A drawing fits the terminal, shows the selected row, and has no control sequences from outside")
  func drawing() throws {
    var field = TypingField(text: String(repeating: "w", count: 60))
    _ = field.show(
      .suggestions(try rows("1 \u{1B}[2J", "2 慕尼黑慕尼黑慕尼黑慕尼黑慕尼黑慕尼黑", "3", "4", "5"), text: "w", isFinal: true, answer: nil), now: 0)
    for _ in 0..<4 { _ = field.press(.down) }
    let drawing = TypingView(columns: 30, height: 6, usesColour: false, rowCount: 10, showsDistances: false).drawing(field, now: 0)
    #expect(drawing.contains("› 5"))
    #expect(!drawing.contains("\u{1B}[2J"))
    let up = try #require(drawing.range(of: "\u{1B}[4F"))
    let lines = drawing[..<up.lowerBound].dropFirst(TypingView.erasing.count).split(separator: "\n")
    #expect(lines.count == 5)
    for line in lines { #expect(Width.of(String(line)) < 30) }
  }

  /// An answer with a row of Google and one of the gazetteer.
  private func answer(
    _ rows: [JSONValue] = [row("Berlin", id: "google:1", sources: [("google", 1)]), row("Bern")], providers: [JSONValue] = []
  ) throws -> Autocomplete.Result {
    var answer = try Autocomplete.Result(json: suggestions(rows, providers: providers).bytes)
    answer.attributions.append(AttributionRow(provider: "google", text: "Google Maps"))
    return answer
  }

  @Test("The credits are shown with the rows, from the first partial answer on, and also on a narrow terminal", arguments: [false, true])
  func credits(isFinal: Bool) throws {
    var field = TypingField(text: "ber")
    let answer = try answer()
    _ = field.show(.suggestions(answer.suggestions, text: "ber", isFinal: isFinal, answer: answer), now: 0)
    func lines(columns: Int, height: Int) -> [String] {
      let drawing = TypingView(columns: columns, height: height, usesColour: false, rowCount: 10, showsDistances: false).drawing(
        field, now: 0)
      let text = drawing.dropFirst(TypingView.erasing.count).prefix { $0 != "\u{1B}" }
      return text.split(separator: "\n").map { String($0) }
    }
    let wide = lines(columns: 80, height: 24)
    #expect(wide.count == (isFinal ? 4 : 5), "\(wide)")
    #expect(wide[1].contains("google") && wide[3] == "  GeoNames (CC BY 4.0) · Google Maps")
    #expect(isFinal || wide[4] == "  waiting…")
    let narrow = lines(columns: 30, height: 6)
    #expect(narrow.suffix(isFinal ? 2 : 3).prefix(2) == ["  GeoNames (CC BY 4.0)", "  Google Maps"], "\(narrow)")
    #expect(narrow.count <= 6)
  }

  @Test("The number of lines does not depend on the number of credits, and all of them are shown")
  func manyCredits() throws {
    var field = TypingField(text: "ber")
    var answer = try answer(Array(repeating: row("Berlin"), count: 10))
    answer.attributions += (1...5).map {
      AttributionRow(provider: "p\($0)", text: "© \($0) " + String(repeating: "contributors ", count: 4))
    }
    _ = field.show(.suggestions(answer.suggestions, text: "ber", isFinal: true, answer: answer), now: 0)
    for (height, lineCount) in [(24, 13), (8, 7)] {
      let drawing = TypingView(columns: 80, height: height, usesColour: false, rowCount: 10, showsDistances: false).drawing(field, now: 0)
      let lines = drawing.dropFirst(TypingView.erasing.count).prefix { $0 != "\u{1B}" }.split(separator: "\n")
      #expect(lines.count == lineCount && lines[1].hasPrefix("› Berlin"), "\(lines)")
      let shown = (1...5).filter { number in lines.contains { $0.contains("© \(number) ") } }
      #expect(shown == Array(1...(height == 24 ? 5 : 4)))
    }
  }

  @Test("On a terminal too narrow or too low for the list, only the field is drawn; rows fit on any other", arguments: [false, true])
  func narrow(showsDistances: Bool) throws {
    var field = TypingField(text: "ber")
    let answer = try answer([row("Berlin, Deutschland", type: "administrative_area_level_1", distance: 752_400)])
    _ = field.show(.suggestions(answer.suggestions, text: "ber", isFinal: true, answer: answer), now: 0)
    func drawing(_ columns: Int, _ height: Int) -> String {
      TypingView(columns: columns, height: height, usesColour: false, rowCount: 10, showsDistances: showsDistances).drawing(field, now: 0)
    }
    for (columns, height) in [(8, 24), (18, 24), (80, 3)] {
      #expect(drawing(columns, height) == TypingView.erasing + "> ber\r\u{1B}[5C", "\(columns) \(height)")
    }
    for columns in 19...40 {
      let lines = drawing(columns, 4).dropFirst(TypingView.erasing.count).prefix { $0 != "\u{1B}" }.split(separator: "\n")
      #expect(lines.count == 3 && lines[1].hasPrefix("› Ber") && lines.allSatisfy { Width.of(String($0)) < columns }, "\(lines)")
    }
  }

  @Test("Neither the number of lines nor the columns depend on the rows", arguments: [(80, 24, 13), (60, 24, 13), (60, 8, 7)])
  func fixedSize(columns: Int, height: Int, lineCount: Int) throws {
    let long = "Washington D.C., District of Columbia, United States of America and more"
    for (names, showsDistances) in [([], false), (["A"], false), ([long], true), (Array(repeating: long, count: 10), false)] {
      var field = TypingField(text: "a")
      let shown = try answer(names.map { row($0) })
      _ = field.show(.suggestions(shown.suggestions, text: "a", isFinal: true, answer: shown), now: 0)
      let drawing = TypingView(columns: columns, height: height, usesColour: false, rowCount: 10, showsDistances: showsDistances)
        .drawing(field, now: 0)
      let text = drawing.dropFirst(TypingView.erasing.count).prefix { $0 != "\u{1B}" }
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count == lineCount, "\(lines)")
      for line in lines { #expect(Width.of(String(line)) < columns) }
      guard !names.isEmpty, !showsDistances else { continue }
      let start = lines[1].range(of: "locality", options: .backwards) ?? lines[1].range(of: "local", options: .backwards)
      let column = start.map { lines[1].distance(from: lines[1].startIndex, to: $0.lowerBound) }
      #expect(column == columns - 3 - 2 * ((columns - 3) / 6) - 4 + 2 + 2, "\(lines[1])")
    }
  }

  @Test("The lines below the list show pending providers, errors, and the seconds until the next attempt")
  func activity() throws {
    var field = TypingField(text: "ber")
    #expect(field.status(now: 0) == "")
    _ = field.show(.waiting(text: "ber"), now: 0)
    #expect(field.status(now: 0) == "waiting…" && !field.statusShowsTime)
    let answer = try answer(providers: [report("photon", "timeout", message: "no answer within 2 s"), report("google", "ok")])
    _ = field.show(.suggestions(answer.suggestions, text: "ber", isFinal: true, answer: answer), now: 1)
    #expect(field.status(now: 1) == "photon: no answer within 2 s")
    #expect(field.press(.enter) == .chose(answer.suggestions[0]))
    _ = field.show(.failed(.connectionLost, text: "ber", retryAfter: 8), now: 10)
    #expect(field.statusShowsTime && field.rows.isEmpty && field.credits.isEmpty)
    let cause = ClientError.connectionLost.message
    #expect(field.status(now: 10) == "next attempt in 8 s, Enter retries now: \(cause)")
    #expect(field.status(now: 17.5) == "next attempt in 1 s, Enter retries now: \(cause)")
    #expect(field.status(now: 18) == "retrying: \(cause)")
    #expect(field.press(.enter) == .retry)
    _ = field.show(.failed(.connectionLost, text: "ber", retryAfter: nil), now: 20)
    #expect(field.status(now: 20) == "Enter retries: \(cause)" && !field.statusShowsTime)
    _ = field.show(.suggestions([], text: "ber", isFinal: true, answer: nil), now: 21)
    #expect(field.status(now: 21) == "nothing found; Enter searches for the whole text")
  }

  @Test("The line below an empty list shows the advice of the providers, and a reason in the command's words")
  func advice() throws {
    var field = TypingField(text: "main street 1") { $0.replacing("`countries`", with: "--country") }
    let advised = try answer([], providers: [report("google", "empty", message: "add the town"), report("photon", "empty")])
    _ = field.show(.suggestions([], text: "main street 1", isFinal: true, answer: advised), now: 0)
    #expect(field.status(now: 0) == "nothing found; google: add the town; Enter searches for the whole text")
    #expect(field.press(.enter) == .resolve("main street 1"))
    _ = field.show(.success(.init(certain: false, confidence: 0, providers: advised.providers)), toResolved: "main street 1")
    #expect(field.status(now: 0) == "nothing found; google: add the town")
    let silent = try answer([], providers: [report("a", "error", message: "rejects `countries`")])
    _ = field.show(.suggestions([], text: "main street 1", isFinal: true, answer: silent), now: 0)
    #expect(field.status(now: 0) == "a: rejects --country")
  }

  @Test("Enter sends a failed request again")
  func retry() async {
    let script = Script([("Enter retries now", .enter), ("Berlin", .escape)])
    let failures = Mutex(1)
    let outcome = await run(["suggest", "-i", "b"], terminal: script) { asked throws(ClientError) in
      let isFailing =
        asked.method == "places.autocomplete"
        && failures.withLock { left in
          left -= 1
          return left >= 0
        }
      if isFailing { throw .refused(ClientError.Refusal(code: -32008, message: "too many requests", data: ["retryAfterMs": 3000])) }
      return try TypingTests.answer(asked)
    }
    #expect(outcome.exit == .noResults)
    #expect(outcome.asked.filter { $0.method == "places.autocomplete" }.map { $0.params["seq"] } == [1, 2])
    #expect(script.drawn.withLock { $0.contains { $0.contains("next attempt in 3 s, Enter retries now: too many requests") } })
  }

  /// Presses the next key as soon as a text is drawn.
  private final class Script: TypingTerminal {
    private let steps: Mutex<[(seen: String, key: TerminalKey)]>
    private let (keys, arrivals) = AsyncStream.makeStream(of: TerminalKey.self)
    let drawn = Mutex<[String]>([])
    let isOpen = Mutex(false)

    init(_ steps: [(seen: String, key: TerminalKey)]) { self.steps = Mutex(steps) }

    func open() -> AsyncStream<TerminalKey> {
      isOpen.withLock { $0 = true }
      return keys
    }

    func draw(_ text: String) {
      drawn.withLock { $0.append(text) }
      steps.withLock { steps in
        guard let next = steps.first, text.contains(next.seen) else { return }
        steps.removeFirst()
        arrivals.yield(next.key)
      }
    }

    func size() -> (columns: Int, rows: Int) { (80, 24) }
    func close() { isOpen.withLock { $0 = false } }
  }

  @Sendable private static func answer(_ asked: Asked) throws(ClientError) -> JSONValue {
    switch asked.method {
    case "service.info":
      let info = ServiceInfo.Result(
        version: "1", capabilities: [],
        limits: ServiceInfo.Limits(requestBytes: 1, replyBytes: 1, depth: 1, batch: 1, inFlight: 1, unreadBytes: 1),
        defaults: ServiceInfo.Defaults(deadlineMs: 1000), suggestedDebounceMs: 0, minimumLetters: 1)
      do { return try JSONValue(parsing: info.bytes) } catch { throw .unreadable("\(error)") }
    case "places.autocomplete": return suggestions([row("Bern", id: "gazetteer:1"), row("Berlin", id: "gazetteer:2")])
    default:
      return [
        "place": ["id": "gazetteer:2", "row": "r1", "name": "Berlin", "sources": [], "attributions": []], "providers": [],
        "attributions": [],
      ]
    }
  }

  @Test("The chosen place is printed on standard output, and its details end the session")
  func choice() async throws {
    let script = Script([("> ", .text("b")), ("Berlin", .down), ("› Berlin", .enter)])
    let words = ["suggest", "-i", "--limit", "5", "--lang", "en", "--region", "GB"]
    let outcome = await run(words, terminal: script, answer: TypingTests.answer)
    #expect(outcome.exit == .results, "\(outcome)")
    #expect(outcome.output.contains("name     Berlin\n"), "\(outcome)")
    #expect(!script.isOpen.withLock { $0 })
    let asked = try #require(outcome.asked.first { $0.method == "places.autocomplete" })
    #expect(asked.params["query"] == "b" && asked.params["limit"] == 5 && asked.params["stream"] == true)
    let details = try #require(outcome.asked.last)
    #expect(details.method == "places.details" && details.params["id"] == "gazetteer:2")
    #expect(details.params["language"] == "en" && details.params["region"] == "GB")
    #expect(details.params["session"] == asked.params["session"] && details.params["session"] != nil)
    #expect(script.drawn.withLock { $0.last } == TypingView.erasing)
  }

  @Test("On a terminal the chosen place is a card: what a person reads of a place, without JSON")
  func card() async {
    let script = Script([("Berlin", .down), ("› Berlin", .enter)])
    let outcome = await run(["suggest", "-i", "b"], width: 60, terminal: script) { asked throws(ClientError) in
      if asked.method == "providers.get" { return TypingTests.gazetteer(enterpriseMicros: 0) }
      guard asked.method == "places.details" else { return try TypingTests.answer(asked) }
      guard asked.params["fields"]?.array?.contains("openingHours") == true else { throw .connectionLost }
      return [
        "place": [
          "id": "google:2", "row": "r1", "name": "Coop", "types": ["supermarket", "store"],
          "formattedAddress": "Coop, 20, Äulestrasse, Ebenholz, Vaduz, Oberland, 9490, Liechtenstein",
          "addressComponents": [
            ["long": "20", "short": "20", "types": ["street_number"]], ["long": "Äulestrasse", "short": "Äulestrasse", "types": ["route"]],
            ["long": "Vaduz", "short": "Vaduz", "types": ["locality"]], ["long": "9490", "short": "9490", "types": ["postal_code"]],
            ["long": "Liechtenstein", "short": "LI", "types": ["country"]],
          ], "coordinate": ["latitude": 47.14013, "longitude": 9.52063], "phoneNumber": "+423 1234567", "website": "https://coop.example",
          "openingHours": ["periods": [], "text": "24/7"], "rating": 4.25, "userRatingsTotal": 1234, "sources": [],
          "attributions": [["provider": "google", "text": "Google Maps"]],
        ], "providers": [], "attributions": [],
      ]
    }
    #expect(
      outcome.output == """
        Coop  supermarket
        Äulestrasse 20, 9490 Vaduz, Liechtenstein
        phone     +423 1234567
        website   https://coop.example
        hours     open now, today all day
        rating    4.3 of 5 (1,234 ratings)
        location  47.140130,9.520630
        sources   gazetteer
        id        google:2
        Google Maps · GeoNames (CC BY 4.0)

        """)
  }

  /// The answer to `providers.get`, with a dearer price for the rating.
  private static func gazetteer(enterpriseMicros: Int) -> JSONValue {
    let manifest = Manifest(
      plugin: "p", name: "P", version: "1", summary: "s", terms: .nothing, attributions: [],
      prices: PriceTable(
        classes: [PriceClass("pro", micros: 0), PriceClass("enterprise", micros: enterpriseMicros)], calls: [.details: "pro"],
        fieldClasses: [.details: [.rating: "enterprise"]]))
    let status: JSONValue = [
      "id": "gazetteer", "name": "x", "plugin": "x", "version": "1", "state": "ready", "leavesMachine": false, "isFree": true,
      "calls": ["search"], "counters": ["sent": 0, "succeeded": 0, "failed": 0, "timedOut": 0, "saved": 0],
    ]
    let encoded = (try? JSONEncoder().encode(manifest)).flatMap { try? JSONValue(parsing: Array($0)) }
    return ["provider": status, "manifest": encoded ?? .null]
  }

  @Test(
    "The details request only the basic fields if the others cost more, if prices are not known, and if the output is not a terminal",
    arguments: [(60, 0, true), (60, 1, false), (60, nil, false), (nil, 0, false)] as [(Int?, Int?, Bool)])
  func cardFields(width: Int?, enterpriseMicros: Int?, hasAll: Bool) async throws {
    let script = Script([("Berlin", .down), ("› Berlin", .enter)])
    let outcome = await run(["suggest", "-i", "b"], width: width, terminal: script) { asked throws(ClientError) in
      guard asked.method == "providers.get" else { return try TypingTests.answer(asked) }
      guard let enterpriseMicros else { throw .connectionLost }
      return TypingTests.gazetteer(enterpriseMicros: enterpriseMicros)
    }
    let fields = try #require(outcome.asked.last { $0.method == "places.details" }?.params["fields"]?.array)
    #expect(fields.contains("formattedAddress"))
    for field in ["rating", "website", "openingHours"] { #expect(fields.contains(.string(field)) == hasAll, "\(field)") }
  }

  @Test("Quitting prints nothing and restores the terminal", arguments: [TerminalKey.escape, .quit])
  func leaving(_ key: TerminalKey) async {
    let script = Script([("> ber", key)])
    let outcome = await run(["suggest", "-i", "ber"], terminal: script, answer: TypingTests.answer)
    #expect(outcome.exit == .noResults)
    #expect(outcome.output == "")
    #expect(!script.isOpen.withLock { $0 })
  }

  @Test("A place without details is printed with the data of its suggestion")
  func bareRow() async {
    let script = Script([("Berlin, ", .enter)])
    let outcome = await run(["suggest", "-i", "b"], terminal: script) { asked throws(ClientError) in
      switch asked.method {
      case "places.autocomplete":
        var berlin = row("Berlin, Deutschland", id: "photon:N1", sources: [("photon", 1)]).object ?? [:]
        berlin["location"] = ["latitude": 52.51704, "longitude": 13.38886]
        var answer = suggestions([.object(berlin)]).object ?? [:]
        answer["attributions"] = [["provider": "photon", "text": "OpenStreetMap (ODbL)"], ["provider": "other", "text": "Others"]]
        return .object(answer)
      case "places.details": throw .refused(ClientError.Refusal(code: -32006, message: "no details"))
      default: return try TypingTests.answer(asked)
      }
    }
    #expect(
      outcome.output == """
        id          photon:N1
        text        Berlin, Deutschland
        coordinate  52.517040,13.388860
        types       locality
        sources     photon:1
        OpenStreetMap (ODbL)

        """)
  }

  @Test("A failure of the details restores the terminal and is reported")
  func failure() async {
    let script = Script([("Bern", .enter)])
    let outcome = await run(["suggest", "-i", "b"], terminal: script) { asked throws(ClientError) in
      if asked.method == "places.details" { throw .refused(ClientError.Refusal(code: -32004, message: "gone")) }
      return try TypingTests.answer(asked)
    }
    #expect(outcome.exit == .noResults)
    #expect(outcome.diagnostics == "placesctl: gone\n")
    #expect(!script.isOpen.withLock { $0 })
  }

  @Test("An error below the field uses the command's words")
  func words() async {
    let script = Script([("a longer --timeout", .escape)])
    let outcome = await run(["suggest", "-i", "b"], terminal: script) { asked throws(ClientError) in
      guard asked.method == "places.autocomplete" else { return try TypingTests.answer(asked) }
      throw .refused(ClientError.Refusal(code: -32002, message: "no provider answered; ask again or with a larger `deadlineMs`"))
    }
    #expect(outcome.exit == .noResults)
    let drawn = script.drawn.withLock { $0 }
    #expect(!drawn.contains { $0.contains("deadlineMs") })
    #expect(drawn.contains { $0.replacing("\n  ", with: " ").contains("ask again or with a longer --timeout") })
  }

  @Test(
    "It rejects a missing terminal, and options that do not apply",
    arguments: [
      (["-i"], "--interactive needs a terminal as standard input and standard error"),
      (["-i", "--compare"], "--interactive cannot be combined with --compare"),
    ])
  func refuses(_ words: [String], _ said: String) async {
    let outcome = await run(["suggest"] + words)
    #expect(outcome.exit == .usage)
    #expect(outcome.diagnostics == "placesctl: suggest: \(said)\nSee: placesctl suggest --help\n")
    #expect(outcome.asked == [])
  }
}
