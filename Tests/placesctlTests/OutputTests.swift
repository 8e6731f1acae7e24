import Foundation  // reads the output file
import JSON
import PlacesAPI
import PlacesClient
import PlacesTesting
import Testing

@testable import placesctl

@Suite("Answers are printed as text and as JSON")
struct OutputTests {
  @Test("A list: text, type, distance, sources, credits")
  func list() async {
    let outcome = await run(["suggest", "ber"]) { _ in
      suggestions([
        row("Berlin, Germany", matches: [(0, 3)], distance: 832), row("Bern, Switzerland", distance: 752_400),
      ])
    }
    #expect(
      outcome.output == """
        Berlin, Germany    locality   832 m  gazetteer
        Bern, Switzerland  locality  752 km  gazetteer
        GeoNames (CC BY 4.0)

        """)
    #expect(outcome.exit == .results)
    let stop = await run(["suggest", "ber"]) { _ in suggestions([row("Bern", sources: [("b", 1), ("a", 1), ("b", 2)])]) }
    #expect(stop.output.contains("  b a\n"))
  }

  @Test("A place of several sources that may not be blended is one line with all of them; in JSON it has the other rows as well")
  func alternatives() async throws {
    let answer: @Sendable (Asked) throws(ClientError) -> JSONValue = { _ throws(ClientError) in
      var leading = row("Berlin, Germany", sources: [("gazetteer", 1), ("photon", 2)]).object ?? [:]
      leading["alternatives"] = [row("Berlin, Deutschland", id: "google:1", sources: [("google", 1)])]
      return suggestions([.object(leading), row("Bern, Switzerland")])
    }
    #expect(
      await run(["suggest", "ber"], answer: answer).output == """
        Berlin, Germany    locality  gazetteer photon google
        Bern, Switzerland  locality  gazetteer
        GeoNames (CC BY 4.0)

        """)
    let lines = await run(["suggest", "ber", "--jsonl"], answer: answer).output.split(separator: "\n")
    #expect(try JSONValue(parsing: String(lines[0]))["alternatives"]?[0]?["text"]?["text"] == "Berlin, Deutschland")
  }

  @Test("On a terminal matches are bold; without colour nothing else is styled")
  func bold() async {
    let answer: @Sendable (Asked) throws(ClientError) -> JSONValue = { _ throws(ClientError) in
      suggestions([row("Saõ Paulo", matches: [(0, 3), (4, 5)])])
    }
    let outcome = await run(["suggest", "sao p"], width: 80, colour: true, answer: answer)
    #expect(outcome.output.hasPrefix("\u{1B}[1mSaõ\u{1B}[0m \u{1B}[1mP\u{1B}[0maulo"))
    #expect(!(await run(["suggest", "sao p"], width: 80, answer: answer)).output.contains("\u{1B}"))
  }

  @Test("Text from outside cannot send control sequences to the terminal, and ranges stay right")
  func neutral() async {
    let outcome = await run(["suggest", "x"], width: 80, colour: true) { _ in
      suggestions([row("\u{1B}[2Jab\u{202E}c\nd", matches: [(4, 6)])])
    }
    #expect(outcome.output.hasPrefix("\u{FFFD}[2J\u{1B}[1mab\u{1B}[0m\u{FFFD}c\u{FFFD}d"))
    #expect(outcome.output.split(separator: "\n").count == 2)
  }

  @Test("Long rows are cut to the terminal's width, wide letters counted as wide", arguments: [30, 40, 60, 100])
  func width(_ width: Int) async {
    let outcome = await run(["suggest", "x"], width: width) { _ in
      suggestions([
        row("北京市朝阳区建国门外大街一号国贸写字楼", sources: [("gazetteer", 1), ("google", 2), ("photon", 1)]),
        row("Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch, Wales, United Kingdom", type: "administrative_area_level_3"),
      ])
    }
    for line in outcome.output.split(separator: "\n").dropLast() {
      #expect(Width.of(String(line)) <= width, "\(line)")
      #expect(width > 60 || line.contains("…"))
    }
  }

  @Test("--json is the daemon's document on one line, --jsonl one row on a line")
  func json() async throws {
    let answer: @Sendable (Asked) throws(ClientError) -> JSONValue = { _ throws(ClientError) in suggestions([row("a"), row("b")]) }
    let document = await run(["suggest", "x", "--json"], answer: answer).output
    #expect(try JSONValue(parsing: document)["suggestions"]?.array?.count == 2)
    let lines = await run(["suggest", "x", "--jsonl"], answer: answer).output.split(separator: "\n")
    #expect(try lines.map { try JSONValue(parsing: String($0))["text"]?["text"]?.string } == ["a", "b"])
  }

  @Test("The explanation is below its row")
  func explain() async {
    let explanation: JSONValue = [
      "match": "prefix", "matchedName": "Spree-Athen", "score": 2.5, "importance": 0.918,
      "parts": [["name": "text", "value": 2.0], ["name": "prominence", "value": 0.5]],
      "merges": [["first": "gazetteer:1", "second": "google:x", "probability": 0.987, "reasons": [["name": "name", "value": 4.2]]]],
      "maybe": [],
      "fields": [
        ["field": "text", "provider": "google", "at": "2026-01-01T00:00:00Z"],
        ["field": "types", "provider": "a", "at": "2026-01-01T00:00:00Z"],
        ["field": "location", "provider": "google", "at": "2026-01-01T00:00:00Z"],
      ],
    ]
    let outcome = await run(["suggest", "x", "--explain"]) { _ in suggestions([row("Berlin", explain: explanation)]) }
    #expect(
      outcome.output == """
        Berlin  locality  gazetteer
            match prefix by the name “Spree-Athen”, score 2.500 (text 2.000, prominence 0.500), importance 0.918
            same: gazetteer:1 and google:x, probability 0.987 (name 4.200)
            text, location from google at 2026-01-01T00:00:00Z
            types from a at 2026-01-01T00:00:00Z
        GeoNames (CC BY 4.0)

        """)
  }

  @Test("Comparing shows providers side by side, with lines between merged rows")
  func compare() async {
    let outcome = await run(["suggest", "ber", "--compare"], width: 75) { asked in
      switch asked.params["providers"]?[0]?.string {
      case "a": return suggestions([row("Berlin", sources: [("a", 1)]), row("Bern", sources: [("a", 2)])])
      case "b": return suggestions([row("Bergen", sources: [("b", 1)])])
      case "c": return suggestions([row("Berlin, DE", sources: [("c", 1)])])
      default:
        return suggestions(
          [
            row("Berlin", sources: [("a", 1), ("c", 1)]), row("Bergen", sources: [("b", 1)]), row("Bern", sources: [("a", 2)]),
          ], providers: [report("a", "ok"), report("b", "ok"), report("c", "ok"), report("d", "skipped")])
      }
    }
    #expect(
      outcome.output == """
            a                       b                       c
         1  1. Berlin ───────────────────────────────────── 1. Berlin, DE
         2                          1. Bergen
         3  2. Bern
        GeoNames (CC BY 4.0)

        """)
    // The columns cause no second paid call.
    #expect(outcome.asked.map { $0.params["cache"] } == [nil, "only", "only", "only"])
    #expect(outcome.asked.allSatisfy { $0.params["limit"] == nil })
  }

  @Test("Comparing shows each provider's own first rows, also those that are further down in the merged list")
  func compareOwnFirst() async {
    let outcome = await run(["suggest", "ber", "--compare", "-n", "2"], width: 50) { asked in
      switch asked.params["providers"]?[0]?.string {
      case "a": suggestions((1...3).map { row("A\($0)", sources: [("a", $0)]) })
      case "b": suggestions((1...3).map { row("B\($0)", sources: [("b", $0)]) })
      default:
        suggestions(
          [row("A1", sources: [("a", 1), ("b", 3)]), row("A2", sources: [("a", 2)])], providers: [report("a", "ok"), report("b", "ok")])
      }
    }
    #expect(
      outcome.output == """
            a                       b
         1  1. A1 ───────────────── 3. B3
         2  2. A2
                                    1. B1
                                    2. B2
        GeoNames (CC BY 4.0)

        """)
  }

  @Test("Each provider's own answer is looked up with the parameters that the daemon used", arguments: [(["a", "b"], 10), (["a"], 3)])
  func compareFewer(asked: [String], limit: Int) async {
    let outcome = await run(["suggest", "ber", "--compare", "-n", "3"], width: 50) { _ in
      suggestions([row("Berlin", sources: [("a", 1)])], providers: asked.map { report($0, "ok") })
    }
    #expect(outcome.asked.first?.params["limit"] == 3)
    // Ten is the default.
    #expect(outcome.asked.dropFirst().allSatisfy { ($0.params["limit"] ?? 10) == .integer(Int64(limit)) })
  }

  @Test("Comparing marks rows of one place that terms forbid merging")
  func compareTwins() async throws {
    @Sendable func twin(_ provider: String) -> JSONValue {
      var object = row("Berlin", sources: [(provider, 1)]).object ?? [:]
      object["group"] = "g1"
      return .object(object)
    }
    let outcome = await run(["suggest", "ber", "--compare"], width: 50) { asked in
      asked.params["providers"] == nil
        ? suggestions([twin("a"), twin("b"), row("Bern", sources: [("a", 2)])], providers: [report("a", "ok"), report("b", "ok")])
        : suggestions([])
    }
    #expect(
      outcome.output == """
            a                       b
         1  ~ 1. Berlin
         2                          ~ 1. Berlin
         3  2. Bern
        GeoNames (CC BY 4.0)

        """)
    #expect(outcome.diagnostics.isEmpty)
  }

  @Test("Comparing shows only the rank for a provider whose terms forbid storing")
  func compareNotKept() async {
    let outcome = await run(["suggest", "ber", "--compare"], width: 50) { asked in
      asked.params["providers"] == nil
        ? suggestions([row("Berlin", sources: [("a", 1), ("b", 4)])], providers: [report("a", "ok"), report("b", "ok")]) : suggestions([])
    }
    #expect(
      outcome.output == """
            a                       b
         1  1. Berlin ───────────── 4. not stored
        GeoNames (CC BY 4.0)

        """)
    #expect(outcome.diagnostics.hasPrefix("not stored: ") && outcome.diagnostics.hasSuffix(" only its rank is known\n"))
  }

  @Test("Details print every field on a line of its own")
  func details() async {
    let outcome = await run(["details", "gazetteer:1"]) { _ in
      [
        "place": [
          "id": "gazetteer:1", "row": "r1", "name": "Vaduz", "coordinate": ["latitude": 47.14151, "longitude": 9.52154],
          "types": ["locality", "administrative_area_level_3"], "rating": 4.5,
          "openingHours": ["periods": [], "weekdayText": ["Monday: closed", "Tuesday: 9–17"]],
          "sources": [["provider": "gazetteer", "id": "gazetteer:1", "rank": 1]], "attributions": [],
        ], "providers": [], "attributions": [["provider": "gazetteer", "text": "GeoNames"]],
      ]
    }
    #expect(
      outcome.output == """
        id            gazetteer:1
        name          Vaduz
        coordinate    47.141510,9.521540
        types         locality, administrative_area_level_3
        rating        4.5
        openingHours  Monday: closed
                      Tuesday: 9–17
        sources       gazetteer:1
        GeoNames

        """)
  }

  @Test("The id of a place is never cut, however narrow the terminal")
  func wholeIDs() async {
    let id = "google:ChIJAVkDPzdOqEcRcDteW0YgIQQ-and-then-some"
    let outcome = await run(["search", "berlin"], width: 80) { _ in
      [
        "places": [
          [
            "id": .string(id), "row": "r1", "name": "Berlin Marriott Hotel am Potsdamer Platz", "types": ["lodging"],
            "formattedAddress": "Inge-Beisheim-Platz 1, 10785 Berlin, Deutschland", "sources": [], "attributions": [],
          ]
        ], "providers": [], "attributions": [], "complete": true,
      ]
    }
    #expect(outcome.output.hasSuffix("  \(id)\n"), "\(outcome.output)")
  }

  /// A reply of places.resolve with one place.
  private static func resolution(_ name: String, certain: Bool, _ confidence: JSONValue, _ match: JSONValue) -> JSONValue {
    var place: JSONObject = [
      "id": "a:1", "row": "r1", "name": .string(name), "coordinate": ["latitude": 47.165, "longitude": 9.51], "sources": [],
      "attributions": [],
    ]
    if !certain { place["confidence"] = confidence }
    return [
      "certain": .boolean(certain), "confidence": confidence, "match": match, "providers": [], "attributions": [],
      certain ? "place" : "candidates": certain ? .object(place) : [.object(place)],
    ]
  }

  private static let unknown: JSONValue = ["certain": false, "confidence": 0, "candidates": [], "providers": [], "attributions": []]

  @Test("resolve that finds nothing while a provider failed ends as suggest does")
  func resolvePartial() async {
    let failed: JSONValue = ["provider": "p", "outcome": "timeout", "count": 0, "message": "p did not answer", "latencyMs": 1]
    let answer: JSONValue = ["certain": false, "confidence": 0, "candidates": [], "providers": [failed], "attributions": []]
    let outcome = await run(["resolve", "schaan"]) { _ in answer }
    #expect(outcome.exit == .partial)
    #expect(outcome.diagnostics.contains("nothing found by the providers that answered"), "\(outcome.diagnostics)")
  }

  @Test("If no place that search finds matches the whole text, a note says which words were ignored")
  func searchPart() async {
    let place: JSONValue = [
      "id": "a:1", "row": "r1", "name": "Berlin", "partialMatch": true, "sources": [], "attributions": [],
    ]
    let answer: JSONValue = ["places": [place], "complete": true, "providers": [], "attributions": []]
    let outcome = await run(["search", "pizza", "berlin"]) { _ in answer }
    #expect(outcome.diagnostics == "no place matches all words; ignored: pizza\n")
    #expect(outcome.exit == .results)
    // A row may match by a name that it does not show.
    #expect(await run(["search", "berlijn pizza"]) { _ in answer }.diagnostics == "no place matches all words of “berlijn pizza”\n")
  }

  @Test("On a terminal, a note says which words no suggestion matches; explanations are printed only if they were requested")
  func suggestPart() async {
    func answer(_ matches: String...) -> JSONValue {
      suggestions(matches.map { row("München, Deutschland", explain: ["match": .string($0), "matchedName": "Munich"]) })
    }
    let part = answer("part", "other")
    let outcome = await run(["suggest", "munich", "city hall"], width: 80) { _ in part }
    #expect(outcome.diagnostics == "no place matches all words; ignored: city hall\n")
    #expect(!outcome.output.contains("match"))
    #expect(outcome.asked.first?.params["explain"] == true)
    #expect(await run(["suggest", "munich", "--explain"], width: 80) { _ in part }.output.contains("match part by the name “Munich”"))
    // A row that matches all words, a row of which nothing is known, and output for programs.
    for other in [answer("part", "words"), answer("other")] {
      #expect(await run(["suggest", "munich city hall"], width: 80) { _ in other }.diagnostics == "")
    }
    for (words, width) in [(["suggest", "munich hall"], nil), (["suggest", "munich hall", "--json"], 80)] as [([String], Int?)] {
      let outcome = await run(words, width: width) { _ in part }
      #expect(outcome.diagnostics == "" && outcome.asked.first?.params["explain"] == nil)
    }
  }

  @Test("A text of which only a part names a place is reported as not found")
  func resolvePart() async throws {
    let answer: @Sendable (Asked) throws(ClientError) -> JSONValue = { _ in Self.resolution("Rhein", certain: false, 0.1, "part") }
    let outcome = await run(["resolve", "kölnn", "am", "rhein"], answer: answer)
    #expect(outcome.output == "")
    let document = try JSONValue(parsing: await run(["resolve", "kölnn am rhein", "--json"], answer: answer).output)
    #expect(document["candidates"]?.array?.count == 1)
    #expect(await run(["resolve", "kölnn am rhein", "--jsonl"], answer: answer).output.contains("Rhein"))
    let lines = outcome.diagnostics.split(separator: "\n")
    #expect(lines.first == "nothing found: no place matches all of “kölnn am rhein”; “Rhein” (a:1) matches a part of it")
    #expect(lines.last?.contains("placesctl gazetteer import") == true)
    #expect(outcome.exit == .noResults)
  }

  @Test(
    "A place with another spelling is printed with a note, and an uncertain one as a candidate with exit status 1",
    arguments: [("Schaan", true, 0.98, "exact"), ("Schaann", true, 0.9, "fuzzy"), ("Schaanwald", false, 0.5, "prefix")])
  func resolve(_ name: String, certain: Bool, confidence: Double, match: String) async {
    let answer: @Sendable (Asked) throws(ClientError) -> JSONValue = { _ in
      Self.resolution(name, certain: certain, .number(confidence), .string(match))
    }
    let outcome = await run(["resolve", "schaan", "--fields", "name"], answer: answer)
    #expect(outcome.asked == [Asked(method: "places.resolve", params: ["query": "schaan", "fields": ["name"]])])
    #expect(outcome.output.contains(name) && outcome.exit == (certain ? .results : .noResults))
    switch name {
    case "Schaan": #expect(outcome.diagnostics == "")
    case "Schaann": #expect(outcome.diagnostics == "“schaan” was matched to “Schaann”\n")
    default:
      let lines = outcome.diagnostics.split(separator: "\n")
      #expect(lines.first == "not certain that “schaan” means this place (confidence 0.50)" && lines.last?.contains("--near") == true)
      let near = await run(["resolve", "schaan", "--near", "47.1,9.5"], answer: answer)
      #expect(near.diagnostics.hasSuffix("To be certain, add a town, a region or a country to the text.\n"), "\(near.diagnostics)")
    }
    let located = await run(["resolve", "schaan", "--fields", "name,coordinate"], answer: answer)
    #expect(located.output.contains("47.165"), "\(located.output)")
    let batch = await run(["resolve", "-", "--fields", "name"], input: ["schaan"], answer: answer)
    let line = try? JSONValue(parsing: Array(batch.output.utf8))
    #expect(line?["query"] == "schaan" && line?["certain"] == .boolean(certain) && line?["match"] == .string(match))
    #expect(line?["confidence"] == .number(confidence))
    #expect((certain ? line?["place"]?["name"] : line?["candidates"]?[0]?["name"]) == .string(name) && batch.exit == outcome.exit)
  }

  @Test("resolve - continues at the first line without a result, and rejects the results of other texts")
  func resume() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("{\"query\":\"a\",\"certain\":false}\n{\"query\":\"b", to: "out")
    let answer: @Sendable (Asked) throws(ClientError) -> JSONValue = { _ in Self.unknown }
    let outcome = await run(["resolve", "-", "--output", path], input: ["a", "", "b", "c"], answer: answer)
    #expect(outcome.exit == .noResults && outcome.output == "")
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    #expect(try lines.map { try JSONValue(parsing: Array($0.utf8))["query"]?.string } == ["a", "", "b", "c"])
    #expect(await run(["resolve", "-", "--output", path], input: ["x"], answer: answer).exit == .failed)
  }

  @Test("resolve - shows a progress bar on a terminal alone, and removes it at the end")
  func resolveProgress() async {
    let answer: @Sendable (Asked) throws(ClientError) -> JSONValue = { _ throws(ClientError) in Self.unknown }
    let outcome = await run(["resolve", "-"], width: 80, isInteractive: true, input: ["a", "b", "c", "d"], answer: answer)
    let drawn = outcome.diagnostics.split(separator: "\r").map(String.init)
    #expect(drawn.count == 5 && drawn.last == "\u{1B}[K", "\(drawn)")
    for (bar, share) in zip(drawn, [0, 25, 50, 75]) { #expect(bar.hasPrefix("resolving") && bar.contains(" \(share) %"), "\(bar)") }
    #expect(outcome.output.split(separator: "\n").count == 4)
    #expect(await run(["resolve", "-"], input: ["a", "b"], answer: answer).diagnostics == "")
  }

  @Test("resolve - answers each line with a line; a line that cannot be a query has the reason, and the next lines are resolved")
  func badLines() async throws {
    let texts = ["Berlin", "", " ", String(repeating: "x", count: 257), "a\u{1}b", "Paris"]
    let outcome = await run(["resolve", "-"], input: texts) { _ in Self.unknown }
    let lines = try outcome.output.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
    #expect(lines.map { $0["query"]?.string } == texts && outcome.exit == .noResults)
    #expect(lines.map { $0["error"] != nil } == [false, true, true, true, true, false])
    #expect(lines[1]["error"] == "the text is empty" && lines[2]["error"] == "the text is empty")
    #expect(lines[3]["error"]?.string?.hasPrefix("TEXT must be a string of 1 to 256 characters") == true)
    #expect(await run(["resolve", "-", "--country", "XX"], input: texts).exit == .usage)
  }
}
