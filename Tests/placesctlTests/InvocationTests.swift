import Configuration
import Foundation
import JSON
import PlacesAPI
import PlacesClient
import PlacesTesting
import Testing

@testable import placesctl

@Suite("Help")
struct HelpTests {
  @Test("is printed for every command and every group of commands, with exit code 0, in three ways")
  func every() async {
    let groups = Set(Commands.all.compactMap { $0.path.count > 1 ? $0.path.first : nil })
    let paths = Commands.all.map(\.path) + groups.map { [$0] }
    #expect(paths.count > 40)
    for path in paths {
      let help = await run(path + ["--help"])
      #expect(help.exit == .results && help.diagnostics.isEmpty, "\(path): \(help)")
      #expect(help.output.hasPrefix("Usage: placesctl \(path.joined(separator: " ")) "), "\(path): \(help.output)")
      #expect(await run(path + ["-h"]).output == help.output)
      #expect(await run(["help"] + path).output == help.output)
      // The help of a group has the summary of each of its commands.
      for command in Commands.all where path.count == 1 && command.path.count > 1 && command.path.first == path[0] {
        #expect(
          Commands.all.contains { $0.path == path } || help.output.contains(command.path.dropFirst().joined(separator: " ")), "\(path)")
      }
    }
  }
}

@Suite("A command line is parsed, or rejected with a reason")
struct InvocationTests {
  @Test(
    "Options and arguments become parameters of the protocol",
    arguments: [
      ("suggest berl", #"{"query":"berl"}"#),
      ("suggest san fran", #"{"query":"san fran"}"#),
      ("suggest --limit 3 berl", #"{"query":"berl","limit":3}"#),
      ("suggest berl -n 3", #"{"query":"berl","limit":3}"#),
      ("suggest berl --limit=3", #"{"query":"berl","limit":3}"#),
      ("suggest -- --berl", #"{"query":"--berl"}"#),
      ("suggest -5", #"{"query":"-5"}"#),
      ("suggest b --lang de --region at", #"{"query":"b","language":"de","region":"AT"}"#),
      ("suggest b --country de,at --country ch", #"{"query":"b","countries":["AT","CH","DE"]}"#),
      ("suggest b --type locality -t country", #"{"query":"b","types":["country","locality"]}"#),
      ("suggest b --type (cities)", #"{"query":"b","types":["(cities)"]}"#),
      ("suggest b --kind query", #"{"query":"b","kinds":["query"]}"#),
      ("suggest b --provider gazetteer", #"{"query":"b","providers":["gazetteer"]}"#),
      ("suggest b --timeout 2s", #"{"query":"b","deadlineMs":2000}"#),
      ("suggest b --timeout 1.5", #"{"query":"b","deadlineMs":1500}"#),
      ("suggest b --timeout 300ms", #"{"query":"b","deadlineMs":300}"#),
      ("suggest b --explain --cache bypass", #"{"query":"b","cache":"bypass","explain":true}"#),
      (
        "suggest b --within 47,9,48,10",
        #"{"query":"b","restriction":{"rectangle":{"low":{"latitude":47,"longitude":9},"high":{"latitude":48,"longitude":10}}}}"#
      ),
      ("suggest b --bias 47,9,500", #"{"query":"b","bias":{"circle":{"center":{"latitude":47,"longitude":9},"radius":500}}}"#),
      (
        "suggest b --near -33.9,151.2",
        #"{"query":"b","origin":{"latitude":-33.9,"longitude":151.2},"bias":{"circle":{"center":{"latitude":-33.9,"longitude":151.2},"radius":20000}}}"#
      ),
      (
        "suggest b --near 1,2 --within 0,0,3,3",
        #"{"query":"b","origin":{"latitude":1,"longitude":2},"restriction":{"rectangle":{"low":{"latitude":0,"longitude":0},"high":{"latitude":3,"longitude":3}}}}"#
      ),
      ("suggest b --unfold", #"{"query":"b","fold":false}"#),
      ("suggest b --offset 1", #"{"query":"b","inputOffset":1}"#),
      ("-n 2 suggest b", #"{"query":"b","limit":2}"#),
      ("--socket /x --quiet suggest b", #"{"query":"b"}"#),
      ("--limit=2 suggest b", #"{"query":"b","limit":2}"#),
      ("suggest b -n=1", #"{"query":"b","limit":1}"#),
      ("suggest b -n1", #"{"query":"b","limit":1}"#),
      ("suggest b -qn1", #"{"query":"b","limit":1}"#),
      ("suggest b -qn 1", #"{"query":"b","limit":1}"#),
      ("-qn 3 suggest b", #"{"query":"b","limit":3}"#),
      ("-qn3 suggest b", #"{"query":"b","limit":3}"#),
      ("-qt cities suggest b -n2", #"{"query":"b","types":["(cities)"],"limit":2}"#),
      ("suggest b -t cities", #"{"query":"b","types":["(cities)"]}"#),
      ("suggest b -t Locality,country", #"{"query":"b","types":["country","locality"]}"#),
      ("suggest search", #"{"query":"search"}"#),
    ])
  func suggest(_ line: String, _ params: String) async throws {
    let outcome = await run(line.split(separator: " ").map(String.init)) { _ in suggestions([row("x")]) }
    #expect(outcome.diagnostics == "")
    #expect(outcome.asked == [Asked(method: "places.autocomplete", params: try JSONValue(parsing: params))])
  }

  @Test(
    "A point is accepted in every unambiguous notation",
    arguments: [
      ["52.52,13.4"], ["52.52", "13.4"], ["52.52,", "13.4"], ["52,52", "13,4"], ["52,52,", "13,4"], ["52,52;13,4"], ["52.52; 13.4"],
      ["52,52 13,4"], ["N", "52.52", "E", "13.4"],
    ])
  func points(_ words: [String]) async throws {
    let point: JSONValue = ["latitude": 52.52, "longitude": 13.4]
    #expect(await run(["reverse"] + words).asked.first?.params["location"] == point)
    let near = words.joined(separator: " ")
    for option in ["--near", "--origin"] {
      #expect(await run(["suggest", "b", option, near]).asked.first?.params["origin"] == point)
    }
    let circle: JSONValue = ["circle": ["center": point, "radius": 500]]
    #expect(await run(["suggest", "b", "--within", near + ",500"]).asked.first?.params["restriction"] == circle)
  }

  @Test("Degrees, minutes and seconds, and a full Plus Code, are points", arguments: ["52°31'12\"N 13°24'E", "9F4MGCC2+22"])
  func notations(_ text: String) async throws {
    let outcome = await run(["suggest", "b", "--near", text])
    let point = try #require(outcome.asked.first?.params["origin"])
    #expect(abs((point["latitude"]?.double ?? 0) - 52.52) < 0.001 && abs((point["longitude"]?.double ?? 0) - 13.4) < 0.002)
  }

  /// A daemon whose gazetteer has one Berlin and two shops of another name.
  @Sendable private static func knowing(_ asked: Asked) throws(ClientError) -> JSONValue {
    func place(_ id: String, _ name: String, _ latitude: Double, _ type: String) -> JSONValue {
      [
        "id": .string(id), "row": .string(id), "name": .string(name), "formattedAddress": .string(name), "types": [.string(type)],
        "coordinate": ["latitude": .number(latitude), "longitude": 13.4], "sources": [], "attributions": [],
      ]
    }
    switch (asked.method, asked.params["query"]) {
    case ("providers.list", _):
      return [
        "providers": [
          [
            "id": "gazetteer", "name": "x", "plugin": "x", "version": "1", "state": "ready", "leavesMachine": false, "isFree": true,
            "calls": ["search"], "counters": ["sent": 0, "succeeded": 0, "failed": 0, "timedOut": 0, "saved": 0],
          ]
        ]
      ]
    case ("places.resolve", "Berlin"):
      return [
        "certain": true, "confidence": 0.98, "match": "exact", "place": place("gazetteer:1", "Berlin", 52.52, "locality"), "providers": [],
        "attributions": [],
      ]
    case ("places.resolve", "Coop"):
      let shops = [place("gazetteer:2", "Coop", 47, "supermarket"), place("gazetteer:3", "Coop", 48, "supermarket")]
      return [
        "certain": false, "confidence": 0.49, "match": "exact", "candidates": .array(shops), "providers": [], "attributions": [],
      ]
    case ("places.resolve", _):
      return ["certain": false, "confidence": 0, "candidates": [], "providers": [], "attributions": []]
    case ("places.search", _), ("places.reverse", _): return ["places": [], "providers": [], "attributions": [], "complete": true]
    default: return suggestions([row("x")])
    }
  }

  @Test("The name of a place is accepted wherever a point is")
  func namedPoints() async throws {
    let point: JSONValue = ["latitude": 52.52, "longitude": 13.4]
    let circle: JSONValue = ["circle": ["center": point, "radius": 500]]
    for (words, parameter, value) in [
      (["suggest", "b", "--near", "Berlin"], "origin", point), (["suggest", "b", "--origin", "Berlin"], "origin", point),
      (["suggest", "b", "--bias", "Berlin,500"], "bias", circle), (["search", "b", "--within", "Berlin, 500"], "restriction", circle),
      (["reverse", "Berlin"], "location", point),
    ] {
      let outcome = await run(words, answer: InvocationTests.knowing)
      #expect(outcome.asked.last?.params[parameter] == value, "\(words) \(outcome)")
    }
  }

  @Test(
    "A name that is unknown, or of several places, ends the command with the reason",
    arguments: [
      ("suggest b --near Coop", "placesctl: --near: not certain which place Coop means\nCoop\nCoop\n"),
      ("suggest b --within Qqq,5", "placesctl: --within: no place named Qqq was found\n"),
      ("reverse Qqq", "placesctl: POINT: no place named Qqq was found\n"),
    ])
  func unknownPoints(_ line: String, _ said: String) async {
    let outcome = await run(line.split(separator: " ").map(String.init), answer: InvocationTests.knowing)
    #expect(outcome.exit == .noResults && outcome.output == "" && outcome.diagnostics == said)
  }

  @Test(
    "So do those of the other commands",
    arguments: [
      ("details gazetteer:1 --fields id,website", "places.details", #"{"id":"gazetteer:1","fields":["placeID","name","website"]}"#),
      (
        "reverse 47.1,9.5 --radius 200 --fields id", "places.reverse",
        #"{"location":{"latitude":47.1,"longitude":9.5},"radius":200,"fields":["placeID","name"]}"#
      ),
      (
        "search bar --fields id --type bar --strict --open-now --min-rating 3.6 --price free --sort distance --origin 1,2 --page t --allow-price",
        "places.search",
        #"{"query":"bar","fields":["placeID","name"],"includedType":"bar","strictTypeFiltering":true,"openNow":true,"minRating":4,"priceLevels":["free"],"rankBy":"distance","pageToken":"t","origin":{"latitude":1,"longitude":2},"allowPrice":true}"#
      ),
      (
        "reverse 48.8584 2.2945 --fields id", "places.reverse",
        #"{"location":{"latitude":48.8584,"longitude":2.2945},"fields":["placeID","name"]}"#
      ),
      (
        "reverse -33.9, -70.6 --fields id", "places.reverse",
        #"{"location":{"latitude":-33.9,"longitude":-70.6},"fields":["placeID","name"]}"#
      ),
      ("--provider google budget", "budget.get", #"{"provider":"google"}"#),
      ("budget --provider confirm", "budget.get", #"{"provider":"confirm"}"#),
      ("providers test google cafe", "providers.test", #"{"provider":"google","query":"cafe"}"#),
      ("providers disable google", "providers.disable", #"{"provider":"google"}"#),
      ("providers log google -n 5", "providers.log", #"{"provider":"google","lines":5}"#),
      ("cache stats --all", "cache.stats", #"{"all":true}"#),
      ("cache purge --provider google --user 7", "cache.purge", #"{"provider":"google","user":7}"#),
      ("cache list --limit 5", "cache.list", #"{"limit":5}"#),
      ("cache show ber --limit 5", "cache.list", #"{"contains":"ber","limit":5}"#),
      ("cache expire", "cache.expire", "{}"),
      ("budget --user 7", "budget.get", #"{"user":7}"#),
      ("budget confirm google", "budget.confirm", #"{"provider":"google"}"#),
      ("metrics --format openmetrics", "service.metrics", #"{"format":"openmetrics"}"#),
      ("log --level debug --lines 0", "service.log", #"{"level":"debug","lines":0}"#),
      ("config reload", "service.reload", "{}"),
      ("choices list -n 5", "places.choices.list", #"{"limit":5}"#),
      ("choices forget gazetteer:1", "places.choices.forget", #"{"id":"gazetteer:1"}"#),
      ("choices forget --all", "places.choices.forget", #"{"all":true}"#),
      ("types", "types.list", "{}"),
      ("info", "service.info", "{}"),
    ])
  func others(_ line: String, _ method: String, _ params: String) async throws {
    let outcome = await run(line.split(separator: " ").map(String.init))
    #expect(outcome.asked == [Asked(method: method, params: try JSONValue(parsing: params))], "\(outcome)")
  }

  @Test("An empty text is rejected with a short sentence", arguments: ["suggest", "resolve"])
  func emptyText(command: String) async {
    for text in ["", " \t"] {
      let outcome = await run([command, text])
      #expect(outcome.asked.isEmpty && outcome.diagnostics == "placesctl: \(command): TEXT is empty\nSee: placesctl \(command) --help\n")
    }
  }

  @Test(
    "An invalid command line is rejected with a suggestion, and no request is sent",
    arguments: [
      ("sugest b", "placesctl: unknown command sugest\nDid you mean placesctl suggest?\n"),
      ("frobnicate", "placesctl: unknown command frobnicate\nSee: placesctl --help\n"),
      (
        "providers",
        "placesctl: providers needs one of: list, show, test, enable, disable, reset, resume, log, discover\nSee: placesctl providers --help\n"
      ),
      ("providers lst", "placesctl: unknown command providers lst\nDid you mean placesctl providers list?\n"),
      ("cache frob", "placesctl: unknown command cache frob\nKnown: stats, list, show, expire, purge\n"),
      ("--frob", "placesctl: no command given, only --frob\nSee: placesctl --help\n"),
      ("suggest", "placesctl: suggest: TEXT missing\nSee: placesctl suggest --help\n"),
      ("suggest b --language de", "placesctl: suggest: unknown option --language\nDid you mean --lang?\nSee: placesctl suggest --help\n"),
      ("suggest b --limt 3", "placesctl: suggest: unknown option --limt\nDid you mean --limit?\nSee: placesctl suggest --help\n"),
      ("suggest b --limit", "placesctl: suggest: --limit needs a value: COUNT\nSee: placesctl suggest --help\n"),
      ("suggest b --limit x", "placesctl: suggest: --limit must be a whole number, not x\nSee: placesctl suggest --help\n"),
      ("suggest b --limit 51", "placesctl: suggest: --limit must be a whole number from 1 to 50\nSee: placesctl suggest --help\n"),
      ("suggest b --explain=1", "placesctl: suggest: --explain takes no value\nSee: placesctl suggest --help\n"),
      (
        "suggest b --cache frsh",
        "placesctl: suggest: --cache must be one of default, only, refresh, bypass, not frsh\nSee: placesctl suggest --help\n"
      ),
      (
        "suggest b --cache refrsh",
        "placesctl: suggest: --cache must be one of default, only, refresh, bypass, not refrsh\nDid you mean refresh?\nSee: placesctl suggest --help\n"
      ),
      (
        "suggest b --lang english",
        "placesctl: suggest: --lang must be a BCP 47 language tag such as de or pt-BR, not english\nDid you mean en?\nSee: placesctl suggest --help\n"
      ),
      (
        "suggest b --near 5",
        "placesctl: suggest: --near must be LATITUDE,LONGITUDE in degrees, at most 90 and 180, such as 52.52,13.4, or the name of a place, not 5\nSee: placesctl suggest --help\n"
      ),
      (
        "reverse 52,52,13,4",
        "placesctl: reverse: POINT must be LATITUDE,LONGITUDE in degrees, at most 90 and 180, such as 52.52,13.4, or the name of a place, not 52,52,13,4\nSee: placesctl reverse --help\n"
      ),
      (
        "reverse 52.52,13.4 berlin",
        "placesctl: reverse: POINT must be LATITUDE,LONGITUDE in degrees, at most 90 and 180, such as 52.52,13.4, or the name of a place, not 52.52,13.4 berlin\nSee: placesctl reverse --help\n"
      ),
      (
        "suggest b --timeout soon",
        "placesctl: suggest: --timeout must be a time from 10 ms to 30 s, such as 500ms or 2s, not soon\nSee: placesctl suggest --help\n"
      ),
      (
        "suggest b --timeout 1ms",
        "placesctl: suggest: --timeout must be a time from 10 ms to 30 s, such as 500ms or 2s, not 1ms\nSee: placesctl suggest --help\n"
      ),
      (
        "suggest b --bias 1,2,3 --within 1,2,3",
        "placesctl: suggest: --bias and --within exclude each other: give one of them\nSee: placesctl suggest --help\n"
      ),
      (
        "suggest b --near 200,2",
        "placesctl: suggest: --near must be LATITUDE,LONGITUDE in degrees, at most 90 and 180, such as 52.52,13.4, or the name of a place, not 200,2\nSee: placesctl suggest --help\n"
      ),
      (
        "suggest b -c de,UK",
        "placesctl: suggest: --country must be a two-letter country code such as DE, not UK\nDid you mean GB?\nSee: placesctl suggest --help\n"
      ),
      (
        "suggest b -c zz",
        "placesctl: suggest: --country must be a two-letter country code such as DE, not zz\nSee: placesctl suggest --help\n"
      ),
      (
        "suggest b -c Germany",
        "placesctl: suggest: --country must be a two-letter country code such as DE, not Germany\nSee: placesctl suggest --help\n"
      ),
      (
        "suggest b -t city",
        "placesctl: suggest: --type must be a type or a collection of `placesctl types`, not city\nDid you mean locality, or the collection cities?\nSee: placesctl suggest --help\n"
      ),
      (
        "suggest b -t citys",
        "placesctl: suggest: --type must be a type or a collection of `placesctl types`, not citys\nDid you mean locality, or the collection cities?\nSee: placesctl suggest --help\n"
      ),
      (
        "suggest b --bias 1,2,60000",
        "placesctl: suggest: --bias must be a circle, such as 52.52,13.4,500 or Berlin,500 (at most 50000 metres), or a rectangle, SOUTH,WEST,NORTH,EAST in degrees, not 1,2,60000\nSee: placesctl suggest --help\n"
      ),
      (
        "details a:1 -f openinghours",
        "placesctl: details: --fields must be id, basic, advanced, preferred, extended or a field that places-rpc(7) names, not openinghours\nDid you mean openingHours?\nSee: placesctl details --help\n"
      ),
      (
        "search b -t (cities)",
        "placesctl: search: --type must be a single type of `placesctl types`, not (cities)\nDid you mean locality?\nSee: placesctl search --help\n"
      ),
      ("search b --strict", "placesctl: search: --strict needs --type\nSee: placesctl search --help\n"),
      (
        "search b --sort distance",
        "placesctl: search: --sort distance needs an --origin, a --near or a --within to measure from\nSee: placesctl search --help\n"
      ),
      ("details", "placesctl: details: ID missing\nSee: placesctl details --help\n"),
      ("details a b", "placesctl: details: unexpected argument b\nSee: placesctl details --help\n"),
      (
        "details nonsense",
        "placesctl: details: ID must be an id of the form provider:id\nSee: placesctl details --help\n"
      ),
      (
        "reverse 91",
        "placesctl: reverse: POINT must be LATITUDE,LONGITUDE in degrees, at most 90 and 180, such as 52.52,13.4, or the name of a place, not 91\nSee: placesctl reverse --help\n"
      ),
      (
        "gazetteer import /dev/null --name x",
        "placesctl: gazetteer import: --name is not for a GeoNames dump: there is only one, and a new one replaces it\nSee: placesctl gazetteer import --help\n"
      ),
      (
        "gazetteer import - --name a/b",
        "placesctl: gazetteer import: --name must be 1 to 64 letters, digits, -, _ or ., such as liechtenstein\nSee: placesctl gazetteer import --help\n"
      ),
      (
        "gazetteer import - --name debian",
        "placesctl: gazetteer import: --name must not be debian, which is reserved for GeoNames data\nSee: placesctl gazetteer import --help\n"
      ),
      ("suggest b --json --jsonl", "placesctl: suggest: --json cannot be combined with --jsonl\nSee: placesctl suggest --help\n"),
      ("completion tcsh", "placesctl: completion: SHELL must be one of bash, zsh, fish, not tcsh\nSee: placesctl completion --help\n"),
    ])
  func mistakes(_ line: String, _ said: String) async {
    let outcome = await run(line.split(separator: " ").map(String.init))
    #expect(outcome.exit == .usage)
    #expect(outcome.output == "")
    #expect(outcome.diagnostics == said)
    #expect(outcome.asked == [])
  }

  @Test(
    "A missing file is reported before its name option is",
    arguments: ["/nonexistent", "/nonexistent.json", "/nonexistent.json --regions x", "/nonexistent --name x", "/nonexistent.osm.pbf"])
  func missingFile(_ words: String) async {
    let outcome = await run(["gazetteer", "import"] + words.split(separator: " ").map(String.init))
    #expect(outcome.exit == .failed)
    #expect(outcome.diagnostics == "placesctl: \(words.prefix { $0 != " " }): No such file or directory\n")
  }

  @Test(
    "A folder is said to be one before anything is said of its name", arguments: ["", " --name own", " --regions x", " --format geojson"])
  func folder(_ options: String) async {
    let outcome = await run(["gazetteer", "import"] + "/tmp\(options)".split(separator: " ").map(String.init))
    #expect(outcome.exit == .failed)
    #expect(outcome.diagnostics == "placesctl: /tmp: Is a directory\n")
  }

  @Test("Version, and help as people ask for it")
  func version() async {
    #expect(await run(["--version"]).output.hasPrefix("placesctl \(Release.version), protocol "))
    #expect(await run(["help", "suggest"]).output == run(["suggest", "--help"]).output)
    #expect(await run(["help", "providers", "show"]).output.hasPrefix("Usage: placesctl providers show ID"))
  }

  @Test("The daemon's messages are converted to words for users")
  func refused() async {
    let outcome = await run(["search", "b", "--fields", "id"]) { _ throws(ClientError) in
      throw .refused(.init(code: -32001, message: "all providers that were asked failed; data.providers gives the reason for each"))
    }
    #expect(outcome.diagnostics == "placesctl: all providers that were asked failed\nSee: placesctl status\n")
  }

  @Test("A missing permission is reported once, with the command's name")
  func denied() async {
    let outcome = await run(["log"]) { _ throws(ClientError) in
      throw .refused(.init(code: -32005, message: "service.log is for administrators: root"))
    }
    #expect(outcome.diagnostics == "placesctl: log is for administrators: root\n")
    #expect(outcome.exit == .failed)
  }

  @Test(
    "A provider that was requested by name and does not run is reported, with the reason or advice",
    arguments: [
      ("failed", "placesctl: provider mine does not work: no such file\n"),
      ("disabled", "placesctl: provider mine is disabled\nEnable it with: placesctl providers enable mine\n"),
    ])
  func absent(_ cause: String, diagnostics: String) async {
    let outcome = await run(["suggest", "b", "-p", "mine"]) { _ throws(ClientError) in
      let report: JSONValue = ["provider": "mine", "outcome": "skipped", "cause": .string(cause), "message": "no such file"]
      throw .refused(.init(code: -32006, message: "no enabled provider can serve this request", data: ["providers": [report]]))
    }
    #expect(outcome.diagnostics == diagnostics)
    #expect(outcome.exit == .failed)
  }

  @Test("The advice on a provider that is not configured names the example to copy, unless its file exists already")
  func exampleAdvice() throws {
    let folder = try TemporaryFolder()
    let locations = Locations(environment: ["PLACES_CONFIG": "\(folder.path)/placesd.toml"], userID: 1_000)
    func advice() -> [String] { ProviderExamples.advice(on: "mine", locations: locations, program: "\(folder.path)/build/a/bin/placesctl") }
    #expect(
      advice() == ["Configure it in \(folder.path)/providers.d/mine.toml, as described in placesd.toml(5), then: placesctl config reload"])
    let commands = "placesctl config reload && placesctl providers enable mine"
    try FileManager.default.createDirectory(atPath: "\(folder.path)/etc/providers.d", withIntermediateDirectories: true)
    let example = try folder.write("", to: "etc/providers.d/mine.toml")
    try FileManager.default.createDirectory(atPath: "\(folder.path)/build/a/bin", withIntermediateDirectories: true)
    #expect(advice() == ["Copy \(example) to \(folder.path)/providers.d/mine.toml, complete it, then:", commands])
    try FileManager.default.createDirectory(atPath: "\(folder.path)/providers.d", withIntermediateDirectories: true)
    _ = try folder.write("", to: "providers.d/mine.toml")
    #expect(advice() == ["The daemon has not read \(folder.path)/providers.d/mine.toml yet; make it do so with:", commands])
  }

  @Test("A mistyped word cannot send control sequences to the terminal")
  func escapes() async {
    let outcome = await run(["\u{1B}[31msuggest"])
    #expect(!outcome.diagnostics.contains("\u{1B}"))
  }
}
