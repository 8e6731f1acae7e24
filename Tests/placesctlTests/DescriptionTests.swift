import Foundation
import JSON
import PlacesTesting
import Testing

@testable import placesctl

@Suite("plugin check and plugin new for a service that a file describes") struct DescriptionTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  static func shipped(_ name: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../etc/services/\(name).toml").standardizedFileURL.path
  }

  @Test("Every mistake is printed with its place, as text and as JSON")
  func mistakes() async throws {
    let file = try folder.write("format = 1\nnam = \"x\"\n[search]\npath = \"/{querry}\"\n", to: "x.toml")
    let outcome = await run(["plugin", "check", file])
    #expect(outcome.exit == .failed)
    let lines = outcome.output.replacing(file, with: "x.toml").split(separator: "\n").map(String.init)
    #expect(lines.contains("x.toml:2:1: unknown key `nam`; did you mean `name`?"), "\(outcome)")
    #expect(lines.contains("x.toml:4:11: `search.path`: unknown value `querry`; did you mean `query`?"), "\(outcome)")
    #expect(lines.last == "not sound: 10 problems", "\(outcome)")
    let report = try JSONValue(parsing: await run(["plugin", "check", file, "--json"]).output)
    #expect(report["sound"] == false)
    #expect(report["problems"]?.array?.count == 10)
    let unknown = report["problems"]?.array?.first { $0["line"] == 2 }
    #expect(unknown?["suggestion"] == "did you mean `name`?")
  }

  @Test("The check of a saved answer shows its rows and their unread values")
  func sample() async throws {
    let answer = #"""
      {"results": [
        {"id": 1, "name": "Berlin", "latitude": 52.5, "longitude": 13.4, "feature_code": "PPLC", "timezone": "Europe/Berlin"},
        {"id": 2, "name": "Berlin", "latitude": 44.4, "longitude": -71.1, "feature_code": "XYZ", "admin3": "x", "postcodes": ["1"]},
        {"id": 3}]}
      """#
    let file = try folder.write(answer, to: "answer.json")
    let outcome = await run(["plugin", "check", Self.shipped("open-meteo"), "--sample", file])
    #expect(outcome.exit == .results)
    #expect(
      outcome.output == """
        GET https://geocoding-api.open-meteo.com/v1/search?name=Berlin&count=10&language=en
        row 1: 1  Berlin [locality] 52.5,13.4
          id: 1
          name: Berlin
          latitude: 52.5
          longitude: 13.4
          types: PPLC
          equivalents: geonames:1
        row 2: 2  Berlin 44.4,-71.1
          id: 2
          name: Berlin
          latitude: 44.4
          longitude: -71.1
          types: XYZ
          equivalents: geonames:2
        row 3: left out: it has no text: neither `name`, `label`, `text`, `primary` nor a part of the address has a value
          id: 3
          equivalents: geonames:3
        2 rows, 1 left out
        county: no row has @.admin2
        state: no row has @.admin1
        country: no row has @.country
        country_code: no row has @.country_code
        not read: @.timezone
        not read: @.admin3
        not read: @.postcodes[*]
        not in [types]: XYZ

        """, "\(outcome)")
    let empty = await run(["plugin", "check", Self.shipped("open-meteo"), "--sample", try folder.write("{}", to: "empty.json")])
    // An answer without rows that the description reads as such.
    #expect(empty.exit == .results && !empty.output.contains("warning: rows"), "\(empty)")
    let wrong = await run(["plugin", "check", Self.shipped("ban"), "--sample", file])
    #expect(wrong.exit == .failed)
    #expect(
      wrong.diagnostics
        == "placesctl: the sample, read as an answer of [autocomplete]: Base Adresse Nationale's answer has no rows at $.features[*]\nthe answer has objects at $.results[*]\n"
    )
    let call = await run(["plugin", "check", Self.shipped("ban"), "--sample", file, "--call", "details"])
    #expect(call.exit == .usage)
    #expect(call.diagnostics.contains("--call must be a call of the description (autocomplete, search, reverse), not details"))
    #expect(await run(["plugin", "check", "/bin/sh", "--sample", file]).exit == .usage)
    let nothing = await run(["plugin", "check", Self.shipped("ban"), "--sample", try folder.write("", to: "nothing.json")])
    #expect(nothing.exit == .failed && nothing.diagnostics.hasPrefix("placesctl: the sample is empty\nSave the body"), "\(nothing)")
  }

  static let towns = """
    format = 1
    name = "Towns"
    summary = "Towns."
    documentation = "https://example.org/docs"
    hosts = ["api.example.org"]
    attributions = []
    terms = { source = "none" }
    [fields]
    id = "@.id"
    name = "@.name"
    label = "betegnelse"
    country_code = "@.land"
    latitude = "@.lat"
    longitude = "@.lon"
    rating = "@.rating"
    [[errors]]
    status = 404
    path = "$.code"
    is = "no_town"
    cause = "not_found"
    message = "has no such town"
    [[errors]]
    status = 402
    cause = "nothing_found"
    [[errors]]
    status = 420
    cause = "rate_limit"
    [search]
    path = "/v1/{query}"
    query.limit = "{limit}"
    query.near = "{bias.latitude},{bias.longitude}"
    query.box = "{restriction.west},{restriction.south},{restriction.east},{restriction.north}"
    headers.X-Language = "{language}"
    rows = "$.rows[*]"
    [reverse]
    path = "/v1/at"
    body = { at = ["{latitude}", "{longitude}"], radius = "{radius}" }
    rows = "$.rows[*]"
    [details]
    path = "/v1/town/{id}"
    rows = "$"

    """

  /// Checks `towns` with a saved answer.
  func check(_ answer: String, _ options: String...) async throws -> Outcome {
    let file = try folder.write(Self.towns, to: "towns.toml")
    var outcome = await run(["plugin", "check", file, "--sample", try folder.write(answer, to: "answer.json")] + options)
    outcome.output = outcome.output.replacing(file, with: "towns.toml")
    return outcome
  }

  @Test("The requests of the call are shown, without and with an area")
  func requests() async throws {
    let answer = #"{"rows": [{"id": "7", "name": "Bonn"}]}"#
    let search = try await check(answer, "--query", "Bonn")
    #expect(
      search.output.hasPrefix(
        """
        GET https://api.example.org/v1/Bonn?limit=10
          X-Language: en
        near an area: GET https://api.example.org/v1/Bonn?limit=10&near=52.52,13.405
          X-Language: en
        in an area: GET https://api.example.org/v1/Bonn?limit=10&box=13.25,52.25,13.75,52.75
          X-Language: en
        row 1: 7  Bonn
        """), "\(search)")
    let reverse = try await check(answer, "--call", "reverse", "--base-url", "http://127.0.0.1:81/x/")
    #expect(
      reverse.output.hasPrefix(
        """
        POST http://127.0.0.1:81/x/v1/at
          Content-Type: application/json
          {"at":[52.52,13.405]}
        in an area: POST http://127.0.0.1:81/x/v1/at
          Content-Type: application/json
          {"at":[52.52,13.405],"radius":500}

        """), "\(reverse)")
    let details = try JSONValue(parsing: try await check(#"{"id": "7", "name": "Bonn"}"#, "--call", "details", "--json").output)
    #expect(details["requests"]?.array?.count == 1)
    #expect(details["requests"]?[0]?["url"] == "https://api.example.org/v1/town/7")
    #expect(details["requests"]?[0]?["method"] == "GET")
  }

  @Test("The first row is shown with its fields, with warnings for unused values and unread paths")
  func fields() async throws {
    let answer = #"""
      {"rows": [{"id": "1", "name": {"da": "x"}, "betegnelse": "Rådhus", "land": "Denmark", "lat": "55,6", "lon": 12.5, "rating": 12.5},
        {"id": "2", "name": "Y", "betegnelse": "Y", "land": "Norway", "lat": 95, "lon": 12.5}]}
      """#
    let outcome = try await check(answer)
    let lines = outcome.output.split(separator: "\n").drop { !$0.hasPrefix("row 1:") }
    #expect(
      lines.joined(separator: "\n") == """
        row 1: 1  betegnelse
          id: 1
          name: {"da":"x"}
          label: betegnelse
          country_code: Denmark
          latitude: 55,6
          longitude: 12.5
          rating: 12.5
        row 2: 2  Y
          id: 2
          name: Y
          label: betegnelse
          country_code: Norway
          latitude: 95
          longitude: 12.5
        2 rows
        warning: name: {"da":"x"} in row 1 is not used: it must be the name
        warning: label: the constant "betegnelse" is the name of a member of the row; write "@.betegnelse"
        warning: country_code: "Denmark" in row 1 is not used: it must be the country's code, two letters
        warning: latitude: "55,6" in row 1 is not used: it must be the position, in degrees, -90 to 90 and -180 to 180; a number, or a text that is one
        warning: rating: 12.5 in row 1 is not used: it must be the rating, 0 to 5
        warning: hosts: api.example.org is a name for examples: write the service's own host, documentation and terms
        warning: verified: the file names no day on which it was compared with the service's documentation
        not read: @.betegnelse
        """, "\(outcome)")
    let report = try JSONValue(parsing: try await check(answer, "--json").output)
    #expect(report["rows"]?[0]?["fields"]?[3]?["field"] == "country_code")
    #expect(report["warnings"]?[2]?["subject"] == "country_code")
  }

  @Test("An answer of another call, an error without --status, and a path without its root are recognised")
  func hints() async throws {
    let both = Self.towns.replacing("label = \"betegnelse\"\n", with: "street = \"address.street\"\n")
      .replacing("status = 404", with: "status = 200").replacing(
        "[details]", with: "[autocomplete]\npath = \"/near\"\nquery.q = \"{query}\"\nrows = \"$.places[*]\"\n[details]")
    let file = try folder.write(both, to: "towns.toml")
    func check(_ answer: String) async throws -> Outcome {
      await run(["plugin", "check", file, "--sample", try folder.write(answer, to: "answer.json")])
    }
    let other = try await check(#"{"rows": [{"id": "1", "name": "X"}]}"#)
    #expect(other.diagnostics.contains("the sample is an answer of [search]: add --call search"), "\(other)")
    let empty = try await check(#"{"rows": [{"id": "1", "name": "X"}], "places": []}"#)
    #expect(empty.output.contains("warning: call: the sample is an answer of [search]: add --call search"), "\(empty)")
    let error = try await check(#"{"code": "no_town"}"#)
    #expect(error.output.contains("this rule of [[errors]] fits\nnot_found: Towns has no such town (HTTP 200)"), "\(error)")
    let literal = try await check(#"{"places": [{"id": "1", "name": "X", "address": {"street": "S"}}]}"#)
    #expect(
      literal.output.contains(
        "warning: street: the constant \"address.street\" is the name of a member of the row; write \"@.address.street\""), "\(literal)")
  }

  @Test("Each row that is left out has its reason")
  func omissions() async throws {
    let file = try folder.write(Self.towns.replacing("name = \"@.name\"", with: "name = \"@.name\"\nkind = \"@.kind\""), to: "towns.toml")
    let answer =
      #"{"rows": [{"id": "1", "name": "A", "kind": "skip"}, {"id": "2", "name": "B", "kind": "shop"}, {"id": "3"}, {"name": "D"}, {"id": "5", "name": "E"}]}"#
    let sound = try String(contentsOfFile: file, encoding: .utf8).replacing("label = \"betegnelse\"\n", with: "")
    try folder.write(sound, to: "towns.toml")
    let outcome = await run(["plugin", "check", file, "--sample", try folder.write(answer, to: "answer.json")])
    #expect(
      outcome.output.split(separator: "\n").filter { $0.hasPrefix("row ") } == [
        "row 1: left out: its `kind` is skip", "row 2: left out: its `kind` is \"shop\", which is not place, query or skip",
        "row 3: left out: it has no text: neither `name`, `label`, `text`, `primary` nor a part of the address has a value",
        "row 4: left out: it has neither an `id` nor a position", "row 5: 5  E",
      ], "\(outcome)")
    let report = try JSONValue(parsing: await run(["plugin", "check", file, "--sample", folder.file("answer.json"), "--json"]).output)
    #expect(report["rows"]?[0]?["omission"] == "its `kind` is skip" && report["rows"]?[4]?["omission"] == nil)
  }

  @Test("Rows with one id, and positions with latitude and longitude in the wrong order, are reported")
  func suspicious() async throws {
    func warnings(_ rows: String, countries: String = "") async throws -> [String] {
      let file = try folder.write(countries + Self.towns.replacing("label = \"betegnelse\"\n", with: ""), to: "towns.toml")
      let outcome = await run(["plugin", "check", file, "--sample", try folder.write("{\"rows\": [\(rows)]}", to: "answer.json")])
      return outcome.output.split(separator: "\n").map(String.init).filter {
        $0.hasPrefix("warning: id") || $0.hasPrefix("warning: latitude")
      }
    }
    let ids = try await warnings(
      #"{"id": "7", "name": "A"}, {"id": "8", "name": "B"}, {"id": "7", "name": "C"}, {"id": "7", "name": "D"}, {"id": "7", "name": "E"}"#)
    #expect(ids == ["warning: id: the rows 1, 3, 4, … have the same id \"7\", and are one place to a client"])
    let brussels = #"{"id": "1", "name": "Bruxelles", "lat": 4.35, "lon": 50.85}"#
    let swapped =
      "warning: latitude: row 1 is at 4.35,50.85, which is far from BE; 50.85,4.35 is nearer: are latitude and longitude in the wrong order?"
    #expect(try await warnings(brussels, countries: "countries = [\"BE\"]\n") == [swapped])
    #expect(try await warnings(brussels.replacing("\"lat\"", with: "\"land\": \"BE\", \"lat\"")) == [swapped])
    #expect(try await warnings(brussels) == [])
    // In the right order, also far from the capital.
    let chita = #"{"id": "1", "name": "Chita", "land": "RU", "lat": 52.03, "lon": 113.5}"#
    let tamanrasset = #"{"id": "2", "name": "Tamanrasset", "land": "DZ", "lat": 22.79, "lon": 5.53}"#
    #expect(try await warnings("\(chita), \(tamanrasset)") == [])
  }

  @Test("Rows beyond those that are read are counted as such")
  func beyond() async throws {
    let rows = (1...150).map { #"{"id": "\#($0)", "name": "\#($0 == 3 ? "" : "N")"}"# }.joined(separator: ",")
    let outcome = try await check(#"{"rows": [\#(rows)]}"#)
    #expect(outcome.output.contains("\n100 rows, 50 beyond the 100 that are read\n"), "\(outcome)")
  }

  @Test("With a status the error rule that fits is shown with its place, and what the daemon reports")
  func status() async throws {
    func said(_ answer: String, _ status: String) async throws -> [String] {
      let outcome = try await check(answer, "--status", status)
      #expect(outcome.exit == .results, "\(outcome)")
      return outcome.output.split(separator: "\n").map(String.init).filter { !$0.contains("GET ") && !$0.hasPrefix("  ") }
    }
    let noTown = try await said(#"{"code": "no_town"}"#, "404")
    #expect(noTown.prefix(2) == ["towns.toml:16:1: this rule of [[errors]] fits", "not_found: Towns has no such town (HTTP 404)"])
    let other = try await said(#"{"code": "x"}"#, "404")
    #expect(other.prefix(2) == ["no rule of [[errors]] fits", "http: Towns has nothing at this address (HTTP 404): check base_url"])
    let nothing = try await said("", "402")
    #expect(nothing.prefix(2) == ["towns.toml:22:1: this rule of [[errors]] fits", "nothing_found: an answer without rows"])
    let tooMany = try await said("", "420")
    #expect(tooMany.dropFirst().first == "rate_limit: Towns received too many requests (HTTP 420); retry after 60 s")
    let good = try await said(#"{"rows": [{"id": "7", "name": "Bonn"}]}"#, "200")
    #expect(good.prefix(2) == ["no rule of [[errors]] fits", "row 1: 7  Bonn"])
    let report = try JSONValue(parsing: try await check(#"{"code": "no_town"}"#, "--status", "404", "--json").output)
    #expect(report["outcome"]?["rule"]?["line"] == 16)
    #expect(report["outcome"]?["cause"] == "not_found")
    #expect(try await check("{}", "--status", "99").exit == .usage)
    let file = try folder.write(Self.towns, to: "towns.toml")
    #expect(await run(["plugin", "check", file, "--status", "404"]).exit == .usage)
  }

  @Test("Without a sample the plugin is checked with the description, in its own process")
  func conformance() async throws {
    let outcome = await run(["plugin", "check", Self.shipped("ban"), "--json"])
    #expect(outcome.exit == .results, "\(outcome)")
    #expect(try JSONValue(parsing: outcome.output)["sound"] == true)
    let text = try String(contentsOfFile: Self.shipped("ban"), encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
    let file = try folder.write(text.filter { !$0.hasPrefix("verified") }.joined(separator: "\n"), to: "ban.toml")
    let unverified = await run(["plugin", "check", file])
    #expect(unverified.exit == .results, "\(unverified)")
    #expect(unverified.output.contains("warning: verified: the file names no day on which it was compared"), "\(unverified)")
  }

  @Test("A new description is sound, and an existing file is not overwritten")
  func new() async throws {
    let path = folder.file("towns.toml")
    let outcome = await run(["plugin", "new", folder.file("towns")])
    #expect(outcome.exit == .results, "\(outcome)")
    #expect(outcome.output.contains("then: placesctl plugin check \(path)\n"), "\(outcome)")
    #expect(outcome.output.contains(" copy it to /etc/placesd/services,"), "\(outcome)")
    #expect(outcome.output.hasSuffix("; then: placesctl config reload && placesctl providers enable towns\n"), "\(outcome)")
    let empty = await run(["plugin", "check", path, "--sample", try folder.write(#"{"results": []}"#, to: "none.json")])
    #expect(empty.exit == .results && !empty.output.contains("warning: rows"), "\(empty)")
    #expect(empty.output.contains("warning: verified: the file names no day on which it was compared"), "\(empty)")
    let unverified = await run(["plugin", "check", path])
    #expect(unverified.output.contains("warning: verified: the file names no day on which it was compared"), "\(unverified)")
    #expect(unverified.output.contains("warning: hosts: api.example.org is a name for examples"), "\(unverified)")
    #expect(await run(["plugin", "new", folder.file("towns")]).exit == .failed)
    #expect(await run(["plugin", "new", folder.file("Towns 1")]).exit == .usage)
  }

  @Test("A path that no row has is reported, with the member that is near to it")
  func unmatched() async throws {
    let file = try folder.write(
      Self.towns.replacing(
        "name = \"@.name\"", with: "name = \"@.name\"\npostcode = \"@.postalCod\"\ncity = \"@.town\"\nstreet = \"@.street.name\""
      )
      .replacing("label = \"betegnelse\"\n", with: ""),
      to: "towns.toml")
    let answer =
      #"{"rows": [{"id": "1", "name": "X", "postalCode": "1", "address": {"town": "T"}, "street": [{"name": "S"}]}, {"id": "2", "name": "Y"}]}"#
    let outcome = await run(["plugin", "check", file, "--sample", try folder.write(answer, to: "answer.json")])
    let lines = outcome.output.split(separator: "\n").filter { $0.contains(": no row has") }
    #expect(
      lines == [
        "street: no row has @.street.name; did you mean @.street[0].name?", "postcode: no row has @.postalCod; did you mean @.postalCode?",
        "city: no row has @.town; did you mean @.address.town?", "country_code: no row has @.land", "latitude: no row has @.lat",
        "longitude: no row has @.lon", "rating: no row has @.rating",
      ], "\(outcome)")
  }

  @Test("Paths without the elements of lists, as an XML answer has them, are answered with the whole path, also if no row is used")
  func throughLists() async throws {
    let text =
      "answers = \"xml\"\n"
      + Self.towns.replacing("rows = \"$.rows[*]\"", with: "rows = \"$.list.town[*]\"")
      .replacing("label = \"betegnelse\"\n", with: "city = \"@.place.city\"\n").replacing("\"@.id\"", with: "\"@['@id']\"")
    let file = try folder.write(text, to: "towns.toml")
    let answer = "<list><other/><town id='1'><name>Bonn</name><place><city>Bonn</city></place></town></list>"
    let outcome = await run(["plugin", "check", file, "--sample", try folder.write(answer, to: "answer.xml")])
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(lines.contains("city: no row has @.place.city; did you mean @.place[0].city[0]['#text']?"), "\(outcome)")
    #expect(!outcome.output.contains("warning: rows"), "\(outcome)")
    let mended = text.replacing("@.place.city", with: "@.place[0].city[0]['#text']").replacing("@.name", with: "@.name[0]['#text']")
    try folder.write(mended, to: "towns.toml")
    let sound = await run(["plugin", "check", file, "--sample", folder.file("answer.xml")])
    #expect(sound.exit == .results && sound.output.contains("row 1: 1  Bonn"), "\(sound)")
  }

  @Test(
    "A path of the rows that selects none from the sample is answered with the lists that the answer has",
    arguments: [
      ("$.rows[*]", #"{"results": [{"id": 1}]}"#, "the answer has objects at $.results[*]"),
      ("$[*]", #"{"data": {"results": [{"id": "1", "name": "X"}]}}"#, "the answer has objects at $.data.results[*]"),
      ("$.rows", #"{"rows": [{"id": "1", "name": "X"}]}"#, "the value at $.rows is a list: write $.rows[*] for its elements"),
      ("$", #"[{"id": "1", "name": "X"}]"#, "the value at $ is a list: write $[*] for its elements"),
      ("$", #"{"rows": [{"id": "1", "name": "X"}]}"#, "the answer has objects at $.rows[*]"),
      ("$.rows[*]", #"{"count": 0, "type": "a", "rows": null}"#, "if it means that nothing was found, write rows_may_be_missing = true"),
      ("$.rows", #"{"count": 1, "type": "a", "rows": {"1": {"id": "1", "name": "X"}}}"#, "the answer has objects at $.rows[*]"),
    ])
  func rowsHint(path: String, answer: String, hint: String) async throws {
    let file = try folder.write(Self.towns.replacing("rows = \"$.rows[*]\"", with: "rows = \"\(path)\""), to: "towns.toml")
    let outcome = await run(["plugin", "check", file, "--sample", try folder.write(answer, to: "answer.json")])
    #expect(outcome.exit != .results && (outcome.output + outcome.diagnostics).contains(hint), "\(outcome)")
  }

  @Test("A row may be a text, which is read as a whole")
  func texts() async throws {
    let file = try folder.write(
      Self.towns.replacing(
        "[search]", with: "[autocomplete]\npath = \"/s/{query}\"\nrows = \"$[*]\"\nfields = { kind = \"query\", text = \"@\" }\n[search]"),
      to: "towns.toml")
    let outcome = await run(["plugin", "check", file, "--sample", try folder.write(#"["Gent","Gentbrugge"]"#, to: "answer.json")])
    #expect(outcome.output.contains("row 2: (completion)  Gentbrugge\n") && !outcome.output.contains("not read"), "\(outcome)")
  }
}
