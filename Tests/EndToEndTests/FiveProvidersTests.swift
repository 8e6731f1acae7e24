import Foundation
import JSON
import PlacesTesting
import Testing

/// Five services on one port, each below its own path, and the known ids of their places; see Tests/ServiceAnswers.
private final class FiveServices {
  private static let names = ["google", "foursquare", "photon", "nominatim", "suggest"]
  private let server: ScriptedServer
  /// The test's names of places by the providers' ids of them. An id without coordinates may stand for several places.
  private let places: [String: Set<String>]
  private let expectedPlaces: JSONValue
  let home: Home

  /// The regions of all places in the index. If the region of a Berlin were unknown, any other Berlin of its country could be merged with it.
  private static let regions =
    SamplePlaces.regions + ["US.CT\tConnecticut\tConnecticut\t4831725", "US.WI\tWisconsin\tWisconsin\t5279468"]

  /// - Parameter delays: how many seconds a service waits before it answers a query, by its name.
  init(delays: [String: Double] = [:]) throws {
    let folder = "\(FileManager.default.currentDirectoryPath)/Tests/ServiceAnswers"
    func read(_ name: String) throws -> JSONValue {
      try JSONValue(parsing: String(contentsOfFile: "\(folder)/\(name).json", encoding: .utf8))
    }
    let answers = Dictionary(uniqueKeysWithValues: try Self.names.map { ($0, try read($0)) })
    server = try ScriptedServer { request in
      guard let target = URLComponents(string: request.target), let service = target.path.split(separator: "/").first.map(String.init)
      else {
        return [.answer(status: 404, "")]
      }
      if target.path.hasSuffix("/status") { return [.answer(#"{"status":"Ok","version":"1.2.1"}"#)] }
      let asked =
        target.queryItems?.first { ["q", "query"].contains($0.name) }?.value ?? (try? JSONValue(parsing: request.body))?["input"]?.string
      let answer: ScriptedServer.Step =
        asked.flatMap { answers[service]?[$0.lowercased()] }.map { ScriptedServer.Step.answer($0.text) } ?? .answer(status: 404, "")
      guard let delay = delays[service] else { return [answer] }
      return [.wait(delay), answer]
    }
    let known = try read("places")
    expectedPlaces = known["right"] ?? .null
    var places: [String: Set<String>] = [:]
    for place in known["places"]?.object?.members ?? [] {
      for id in place.value.array ?? [] { places[id.string ?? "", default: []].insert(place.key) }
    }
    self.places = places
    home = try Home(withIndex: false)
    let lines = try String(contentsOfFile: "\(folder)/geonames.txt", encoding: .utf8).split(separator: "\n").map(String.init)
    try Home.buildIndex(at: home.index, lines: lines, regions: Self.regions)
    let key = try home.folder.write("a-key", to: "key")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
    let settings = [
      "google": "api_key_file = \"\(key)\"", "foursquare": "api_key_file = \"\(key)\"",
      "nominatim": "contact = \"a@example.org\"\nautocomplete = true",
      "suggest": "url = \"\(server.url)/suggest?q={query}\"",
    ]
    try home.configure(
      daemon: "language = \"en\"",
      providers: Self.names.map { name in
        let base = name == "suggest" ? "" : "base_url = \"\(server.url)/\(name)\""
        return """
          [providers.\(name)]
          plugin = "\(name)"
          enabled = true
          isolation = "process"
          allow_private_addresses = true
          rate = { per_second = 1000, burst = 1000 }
          \(base)
          \(settings[name] ?? "")
          """
      }.joined(separator: "\n"))
  }

  func stop() { server.stop() }

  /// What a row stands for: the known place that has all of its known ids; if none is known, its kind and text. Reports ids of several
  /// places in one row.
  func meaning(of row: JSONValue) -> String {
    let rows = [row] + (row["alternatives"]?.array ?? [])
    // Foursquare has no ids of cities. The plugin makes one that ends in `@` and coordinates, which are ignored here.
    let ids = rows.flatMap { $0["sources"]?.array ?? [] }.compactMap {
      $0["id"]?.string.map { $0.hasPrefix("foursquare:geo") ? $0.prefix { $0 != "@" } + "@" : $0[...] }
    }
    let known = ids.compactMap { self.places[String($0)] }
    guard let first = known.first else { return "\(row["kind"]?.string ?? "") \(row["text"]?["text"]?.string ?? "")" }
    let common = known.dropFirst().reduce(first) { $0.intersection($1) }
    #expect(!common.isEmpty, "\(ids) are ids of several places")
    return (common.isEmpty ? first : common).sorted().first ?? ""
  }

  /// The number of correct places for a query that are among the rows.
  func countExpected(in rows: [JSONValue], for query: String) -> Int {
    let wanted = expectedPlaces[query]?.array?.compactMap(\.string) ?? []
    return Set(rows.map(meaning)).intersection(wanted).count
  }
}

extension JSONValue {
  fileprivate var rows: [JSONValue] { self["result"]?["suggestions"]?.array ?? [] }
}

@Suite("The gazetteer and five services")
struct FiveProvidersTests {
  private func withFive(delays: [String: Double] = [:], _ body: (FiveServices, Connection) async throws -> Void) async throws {
    let services = try FiveServices(delays: delays)
    defer { services.stop() }
    try await withDaemon(services.home) { daemon in try await body(services, try await daemon.connect()) }
  }

  private static let allCredits: Set = ["GeoNames (CC BY 4.0)", "© OpenStreetMap contributors", "Google Maps", "Powered by Foursquare"]

  /// What the rows of each query must mean, in their order, and the credits that they must show.
  private static let expected: [(query: String, meanings: [String], credits: Set<String>)] = [
    (
      "berl", ["berlin", "hbf", "airport", "berlin-nh", "zoo", "berlin-ct", "tower", "berlin-wi", "bernau", "new-berlin"], allCredits
    ),
    (
      "berlin", ["berlin", "berlin-nh", "berlin-ct", "berlin-wi", "hbf", "airport", "zoo", "tower", "wall", "new-berlin"], allCredits
    ),
    (
      "coop vaduz",
      [
        "coop-vaduz", "coop-pronto", "coop-bau", "query coop vaduz", "vaduz", "query coop vaduz öffnungszeiten", "query coop vaduz telefon",
        "coop-schaan",
      ], allCredits.union(["Web suggestions"])
    ),
    (
      "pizza berlin", ["pizza-shop", "hut", "domino", "nostra", "brandenburg", "zola", "standard", "gazzo", "dach", "salami"],
      allCredits.subtracting(["GeoNames (CC BY 4.0)"])
    ),
  ]

  @Test("Each row is one place with all sources and every credit, and the first request waits until the provider processes have started")
  func onePlaceEach() async throws {
    try await withFive { services, client in
      for (query, meanings, credits) in Self.expected {
        let reply = try await client.suggest(query, ["deadlineMs": 20_000])
        #expect(reply["result"]?["complete"] == true, "\(reply.text)")
        #expect(reply.rows.map(services.meaning) == meanings, "\(query)")
        #expect(Set(reply["result"]?["attributions"]?.array?.compactMap { $0["text"]?.string } ?? []) == credits, "\(query)")
        // No content of one of these services appears in the row of another.
        for row in reply.rows.flatMap({ [$0] + ($0["alternatives"]?.array ?? []) }) where row["kind"] != "query" {
          let providers = Set(row["sources"]?.array?.compactMap { $0["provider"]?.string } ?? [])
          #expect(providers.isSubset(of: ["gazetteer", "photon", "nominatim"]) || providers.count == 1, "\(row.text)")
        }
      }
    }
  }

  @Test("A row has all its sources; a preferred provider leads it; without folding it is several rows")
  func sources() async throws {
    try await withFive { services, client in
      let reply = try await client.suggest("berl", ["deadlineMs": 20_000])
      let berlin = try #require(reply.rows.first)
      #expect(Set(berlin["sources"]?.array?.compactMap { $0["provider"]?.string } ?? []) == ["gazetteer", "photon", "nominatim"])
      #expect(Set(berlin["alternatives"]?.array?.compactMap { $0["sources"]?[0]?["provider"]?.string } ?? []) == ["google", "foursquare"])

      let preferred = try await client.suggest("berl", ["prefer": ["google"]])
      #expect(preferred.rows.first?["sources"]?[0]?["provider"] == "google")
      #expect(preferred.rows.map(services.meaning) == reply.rows.map(services.meaning))

      let flat = try await client.suggest("berl", ["fold": false])
      #expect(flat.rows.count == 10 && Set(flat.rows.map(services.meaning)).count < 10)
    }
  }

  private static let providers = ["gazetteer", "photon", "nominatim", "foursquare", "google", "suggest"]

  @Test("An additional provider never reduces the right places among the first ten, whichever of the others are asked")
  func neverFalls() async throws {
    try await withFive { services, client in
      let all = Self.providers
      for name in all { try await client.ready(name) }
      // A set of providers is a number with a bit for each of them.
      func names(_ set: Int) -> [String] { all.indices.filter { set & (1 << $0) != 0 }.map { all[$0] } }
      var falls: Set<String> = []
      // 63 requests for each query, 252 in all.
      for query in Self.expected.map(\.query) {
        var counts = [0]
        for set in 1..<(1 << all.count) {
          let asked = JSONValue.array(names(set).map { .string($0) })
          let reply = try await client.suggest(query, ["providers": asked, "deadlineMs": 20_000])
          #expect(reply["result"]?["complete"] == true, "\(query) of \(names(set))")
          let meanings = reply.rows.map(services.meaning)
          #expect(Set(meanings).count == meanings.count, "\(query) of \(names(set)): \(meanings)")
          counts.append(services.countExpected(in: reply.rows, for: query))
        }
        for (set, count) in counts.enumerated() {
          for index in all.indices where set & (1 << index) == 0 {
            let more = counts[set | (1 << index)]
            if more < count { falls.insert("\(query): \(names(set).joined(separator: " ")), then \(all[index]): \(count), \(more)") }
          }
        }
      }
      #expect(falls.sorted() == [])
    }
  }

  /// What the user sees of a row, and its leading source.
  private func label(_ row: JSONValue) -> String {
    let source = row["sources"]?[0]
    return "\(source?["provider"]?.string ?? "") \(source?["id"]?.string ?? "") \(row["text"]?["text"]?.string ?? "")"
  }

  @Test("Every row of a partial answer is in the final one with the same text and leading source, in the same relative order")
  func partialAnswers() async throws {
    // The gazetteer, which has no delay, answers first.
    let delays = ["google": 0.05, "suggest": 0.1, "foursquare": 0.15, "photon": 0.2, "nominatim": 0.25]
    try await withFive(delays: delays) { _, client in
      for name in Self.providers { try await client.ready(name) }
      var partialCount = 0
      for query in Self.expected.map(\.query) {
        let request = client.request("places.autocomplete", ["query": .string(query), "stream": true, "deadlineMs": 20_000])
        try client.send(request.text + "\n")
        var partials: [[String]] = []
        var reply = try await client.reply()
        while reply["method"] == "places.partial" {
          partials.append((reply["params"]?["suggestions"]?.array ?? []).map(label))
          reply = try await client.reply()
        }
        #expect(reply["result"]?["complete"] == true, "\(reply.text)")
        let final = reply.rows.map(label)
        for partial in partials { #expect(final.filter { partial.contains($0) } == partial, "\(query)") }
        partialCount += partials.count
      }
      // At least one for each query, and more for most.
      #expect(partialCount > 4)
    }
  }
}
