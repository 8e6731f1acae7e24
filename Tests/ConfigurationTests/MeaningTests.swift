import JSON
import PlacesKit
import PlacesTesting
import Testing

@testable import Configuration

@Suite("Configuration values have their documented effect")
struct MeaningTests {
  @Test("With an empty configuration the gazetteer answers and no request leaves the machine")
  func empty() throws {
    let empty = try configuration("")
    #expect(empty.providers.map(\.id) == ["gazetteer"])
    #expect(empty.providers.filter(\.enabled).map(\.plugin) == ["gazetteer"])
    #expect(empty.daemon.socket == "/run/user/1000/placesd/placesd.sock")
    #expect(empty.daemon.deadlineMs == 1000)
    #expect(empty.limits.requestBytes == 1_048_576)
    #expect(empty.network.proxy == nil)
    #expect(empty.valuesOfFiles.allSatisfy { $0.origin == .standard })
  }

  @Test("Every key of [daemon] is read, with its origin")
  func daemon() throws {
    let read = try configuration(
      """
      [daemon]
      socket = "/tmp/p.sock"
      state_dir = "/tmp/state"
      cache_dir = "/tmp/cache"
      plugin_dirs = ["/tmp/plugins"]
      admin_group = "places-admin"
      gateway_user = "root"
      deadline_ms = 700
      language = "pt-BR"
      region = "br"
      bias = { circle = { center = { latitude = -23.5, longitude = -46.6 }, radius = 20_000 } }
      log_level = "debug"
      log_queries = true
      stale_wait_ms = 0
      learning = false
      prefer = ["google", "gazetteer"]
      """)
    let daemon = read.daemon
    #expect(daemon.prefer == ["google", "gazetteer"])
    #expect(daemon.socket == "/tmp/p.sock")
    #expect(daemon.stateDirectory == "/tmp/state")
    #expect(daemon.cacheDirectory == "/tmp/cache")
    #expect(daemon.pluginDirectories == ["/tmp/plugins"])
    #expect(daemon.gatewayUserID == 0)
    #expect(daemon.adminGroup == "places-admin")
    #expect(daemon.deadlineMs == 700)
    #expect(daemon.language == "pt-BR")
    #expect(daemon.region == "BR")
    let center = try #require(Coordinate(latitude: -23.5, longitude: -46.6))
    #expect(daemon.bias == .circle(center: center, radius: 20_000))
    #expect(daemon.logLevel == .debug)
    #expect(daemon.logQueries)
    #expect(daemon.staleWaitMs == 0)
    #expect(!daemon.learning)
    #expect(read.origins["daemon.learning"] == .file("t", line: 15, column: 12))
    let shown = read.valuesOfFiles.first { $0.name == "daemon.bias" }
    #expect(shown?.value["circle"]?["radius"]?.double == 20_000)
  }

  @Test("A rectangle may cross the antimeridian")
  func rectangle() throws {
    let read = try configuration(
      """
      [daemon.bias.rectangle]
      low = { latitude = -20, longitude = 170 }
      high = { latitude = -10, longitude = -170 }
      """)
    guard case .rectangle(let rectangle) = read.daemon.bias else {
      Issue.record("no rectangle")
      return
    }
    #expect(rectangle.crossesAntimeridian)
  }

  @Test("A provider's keys are read, and its plugin's own settings are kept with their origin")
  func provider() throws {
    let read = try configuration(
      """
      [providers.maps]
      plugin = "google"
      enabled = true
      isolation = "process"
      weight = 1.5
      timeout_ms = 800
      credential = "google"
      flavour = ["a", 1, true, { deep = 2.5 }]
      rate = { per_second = 2, burst = 3, concurrent = 4 }
      [providers.maps.budget]
      calls_per_day = 100
      money_per_month = 12.345678
      [providers.maps.prices]
      currency = "EUR"
      autocomplete = { per_thousand = 2.83, free_per_month = 10_000 }
      """)
    let maps = try #require(read[provider: "maps"])
    #expect(maps.plugin == "google")
    #expect(maps.enabled)
    #expect(maps.isolation == .process)
    #expect(maps.weight == 1.5)
    #expect(maps.timeoutMs == 800)
    #expect(maps.rate.perSecond == 2)
    #expect(maps.budget.callsPerDay == 100)
    #expect(maps.budget.moneyPerMonth == 12_345_678)
    #expect(maps.budget.userShare == 1)
    #expect(maps.prices.classes == [PriceClass("autocomplete", micros: 2830, freePerMonth: 10_000)])
    #expect(maps.settings["flavour"]?.value == ["a", 1, true, ["deep": 2.5]])
    #expect(maps.settings["flavour"]?.origin == .file("t", line: 8, column: 11))
    #expect(read[provider: "gazetteer"]?.enabled == true)
    #expect(read.valuesOfFiles.contains { $0.name == "providers.maps.prices.autocomplete.per_thousand" && $0.value == 2.83 })
  }

  @Test("A price is rounded up, never down")
  func priceRounding() throws {
    let read = try configuration("[providers.a]\nplugin = \"a\"\nprices.call.per_thousand = 0.0001")
    #expect(read[provider: "a"]?.prices.classes.first?.micros == 1)
  }

  @Test("The gazetteer can be disabled, weighed, or replaced by a command")
  func gazetteer() throws {
    #expect(try configuration("[providers.gazetteer]\nenabled = false").providers.first?.enabled == false)
    let weighed = try configuration("[providers.gazetteer]\nweight = 2").providers.first
    #expect(weighed?.enabled == true)
    #expect(weighed?.plugin == "gazetteer")
    let replaced = try configuration("[providers.gazetteer]\ncommand = [\"/bin/g\", \"-x\"]").providers.first
    #expect(replaced?.plugin == nil)
    #expect(replaced?.command == ["/bin/g", "-x"])
  }

  @Test("One user of the system's daemon may use a quarter of a budget by default")
  func userShare() throws {
    let text = "[providers.a]\nplugin = \"a\"\nbudget.calls_per_day = 4\n[providers.b]\nplugin = \"b\"\nbudget.user_share = 0.5"
    let read = try configuration(text, userID: 0)
    #expect(read[provider: "a"]?.budget.userShare == 0.25)
    #expect(read[provider: "b"]?.budget.userShare == 0.5)
  }

  @Test("Files in providers.d add providers, each id once and nothing else")
  func dropIns() throws {
    let photon = "[providers.photon]\nplugin = \"photon\"\nbase_url = \"https://photon.example.org\""
    let read = try configuration("[daemon]\nlanguage = \"de\"", dropIns: ["d/photon.toml": photon])
    #expect(read.providers.map(\.id) == ["gazetteer", "photon"])
    #expect(read[provider: "photon"]?.origin == .file("d/photon.toml", line: 1, column: 12))
    #expect(
      problems(photon, dropIns: ["d/photon.toml": photon]) == [
        "d/photon.toml:1:12: [providers.photon] is declared at t:1:12 already; give one of them another id"
      ])
    #expect(
      problems("", dropIns: ["d/x.toml": "[daemon]\nlanguage = \"de\""]) == [
        "d/x.toml:1:2: a file in providers.d holds providers only; move [daemon] to the main file"
      ])
  }

  @Test("A private address is accepted if it is allowed or if a proxy is used")
  func privateAddress() {
    let photon = "[providers.photon]\nplugin = \"photon\"\nbase_url = \"http://10.0.0.7:2322\"\n"
    let proxy = "[http]\nproxy = \"http://proxy.example.org:3128\"\n"
    #expect(problems(photon).count == 1)
    #expect(problems(photon + "allow_private_addresses = true") == [])
    #expect(problems(photon + proxy) == [])
    #expect(problems(photon + proxy + "no_proxy = [\"10.0.0.7\"]").count == 1)
  }

  @Test("Problems of all files are reported together")
  func allFiles() {
    let found = problems("[daemon]\nregion = 1", dropIns: ["d/a.toml": "nonsense", "d/b.toml": "[providers.b]"])
    #expect(found.map { $0.prefix { $0 != " " } } == ["d/a.toml:1:9:", "d/b.toml:1:12:", "t:2:10:"])
  }

  @Test(
    "CRLF, comments, one byte-order mark and quoted keys are TOML",
    arguments: [
      "\u{FEFF}[daemon]\r\nlanguage = \"de\"\r\n", "# only a comment", "'daemon'.\"language\" = 'de'", "",
      "[daemon] # \(String(repeating: ".", count: 100))\nlanguage = \"de\"",
      "#\(String(repeating: ".", count: 1000))\n",
    ])
  func accepted(_ text: String) { #expect(problems(text) == []) }

  @Test("PLACES_SOCKET overrides the file, and is shown as the origin")
  func environment() throws {
    let read = try configuration("[daemon]\nsocket = \"/a\"", environment: ["PLACES_SOCKET": "/b"])
    #expect(read.daemon.socket == "/b")
    #expect(read.valuesOfFiles.first { $0.name == "daemon.socket" }?.origin.description == "$PLACES_SOCKET")
  }

  @Test("Damaged files are rejected or read, and never crash the reader", arguments: 0..<8)
  func damaged(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let good = Array(
      """
      [daemon]
      plugin_dirs = ["/a", "/b"] # dirs
      bias = { circle = { center = { latitude = 1.5, longitude = 0x1F }, radius = 1e3 } }
      [[providers.a]]
      text = '''x''' + "\\u00e4" 1979-05-27T07:32:00Z
      [providers."b c"]
      "k.e.y".z = inf
      """.utf8)
    for _ in 0..<300 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = Array("[]{}.\"'=,#\n\\\u{0}a1-_ ".utf8).randomElement(using: &random) ?? 0
        case 1: bytes.remove(at: place)
        default: bytes.insert(contentsOf: bytes[place...].prefix(9), at: place)
        }
      }
      let document = Configuration.Document(path: "t", text: bytes, isDropIn: false)
      if let read = try? Configuration.draft(documents: [document], locations: .system).validated() { #expect(!read.valuesOfFiles.isEmpty) }
    }
  }
}
