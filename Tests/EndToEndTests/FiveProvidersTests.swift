import Foundation
import JSON
import PlacesTesting
import Testing

/// Five services on one port, each below its own path, and the known ids of their places; see Tests/ServiceAnswers.
private final class FiveServices {
  private static let names = ["google", "foursquare", "photon", "nominatim", "suggest"]
  private let server: ScriptedServer
  /// The test's name of each place by the providers' ids of it.
  private let places: [String: String]
  private let expectedPlaces: JSONValue
  let home: Home

  init() throws {
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
      return [asked.flatMap { answers[service]?[$0.lowercased()] }.map { .answer($0.text) } ?? .answer(status: 404, "")]
    }
    let known = try read("places")
    expectedPlaces = known["right"] ?? .null
    var places: [String: String] = [:]
    for place in known["places"]?.object?.members ?? [] { for id in place.value.array ?? [] { places[id.string ?? ""] = place.key } }
    self.places = places
    home = try Home(withIndex: false)
    let lines = try String(contentsOfFile: "\(folder)/geonames.txt", encoding: .utf8).split(separator: "\n").map(String.init)
    try Home.buildIndex(at: home.index, lines: lines)
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

  /// What a row stands for: the known place that has one of its ids, otherwise its kind and text.
  func meaning(of row: JSONValue) -> String {
    let rows = [row] + (row["alternatives"]?.array ?? [])
    // Foursquare has no ids of cities. The plugin makes one that ends in `@` and coordinates, which are ignored here.
    let ids = rows.flatMap { $0["sources"]?.array ?? [] }.compactMap {
      $0["id"]?.string.map { $0.hasPrefix("foursquare:geo") ? $0.prefix { $0 != "@" } + "@" : $0[...] }
    }
    return ids.lazy.compactMap { self.places[String($0)] }.first ?? "\(row["kind"]?.string ?? "") \(row["text"]?["text"]?.string ?? "")"
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
  private func withFive(_ body: (FiveServices, Connection) async throws -> Void) async throws {
    let services = try FiveServices()
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
      "pizza berlin", ["pizza-shop", "hut", "domino", "nostra", "zola", "brandenburg", "standard", "gazzo", "salami", "dach"],
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

  @Test("An additional provider never reduces the right places among the first ten")
  func neverFalls() async throws {
    try await withFive { services, client in
      for name in ["gazetteer", "photon", "nominatim", "foursquare", "google", "suggest"] { try await client.ready(name) }
      func found(_ query: String, _ providers: [String]) async throws -> Int {
        let reply = try await client.suggest(query, ["providers": .array(providers.map { .string($0) })])
        let meanings = reply.rows.map(services.meaning)
        #expect(Set(meanings).count == meanings.count, "\(query) of \(providers): \(meanings)")
        return services.countExpected(in: reply.rows, for: query)
      }
      for order in [
        ["gazetteer", "photon", "nominatim", "foursquare", "google", "suggest"],
        ["gazetteer", "google", "foursquare", "photon", "nominatim", "suggest"],
        ["google", "foursquare", "nominatim", "photon", "gazetteer"],
      ] {
        for query in ["berl", "berlin", "coop vaduz", "pizza berlin"] {
          var counts: [Int] = []
          for count in 1...order.count { counts.append(try await found(query, Array(order.prefix(count)))) }
          #expect(counts == counts.sorted(), "\(query) with one more of \(order) each time: \(counts)")
        }
      }
    }
  }
}
