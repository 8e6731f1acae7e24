import Foundation
import PlacesKit
import PlacesTesting
import Synchronization
import Testing

@testable import PluginHost

@Suite(.timeLimit(.minutes(3)))
struct ConformanceTests {
  /// A bundled plugin, and what an instance of it needs to start.
  struct Bundled: Sendable, CustomTestStringConvertible {
    var name: String
    var settings: [String: JSONValue] = [:]
    var baseURL: String?
    var testDescription: String { name }
  }

  static let bundled = [
    Bundled(name: "gazetteer"),
    Bundled(name: "google"), Bundled(name: "foursquare"), Bundled(name: "nominatim", settings: ["contact": "ops@example.org"]),
    Bundled(name: "photon", baseURL: "https://photon.example"), Bundled(name: "pelias", baseURL: "https://pelias.example"),
    Bundled(name: "suggest", settings: ["url": "https://suggest.example/?q={query}"]),
  ]

  @Test("Every bundled provider conforms, in its process as the daemon runs it", arguments: bundled)
  func bundledProviders(_ plugin: Bundled) async throws {
    let instance = InstanceDescription(id: plugin.name, source: .plugin(plugin.name), settings: plugin.settings)
    let findings = try await Conformance.check(instance, baseURL: plugin.baseURL)
    #expect(findings.filter { $0.severity == .error || $0.subject.hasSuffix("status 401") } == [])
  }

  @Test("The shipped example has no findings")
  func example() async throws {
    let instance = InstanceDescription(id: "example", source: .command(["/usr/bin/python3", ForeignTests.example]))
    #expect(try await Conformance.check(instance, baseURL: "https://places.example", sample: ConformanceTests.ulm) == [])
  }

  private static let ulm = Conformance.Sample(
    query: "ulm", answer: Array(#"[{"id": "1", "name": "Ulm", "country": "DE", "latitude": 48.4, "longitude": 10}]"#.utf8))

  @Test("An unknown member is found, in a row of a sample and in the manifest")
  func unknownMembers() async throws {
    let folder = try TemporaryFolder()
    let example = try String(contentsOfFile: ForeignTests.example, encoding: .utf8)
    let slips = [
      ("\"evidence\": {", "\"evidence\": {\"postCode\": \"1\", "), ("\"kind\": \"place\"", "\"kind\": \"place\", \"name\": \"x\""),
      ("\"minimumLetters\"", "\"minimumLeters\""), ("\"mixing\": \"free\"", "\"mixing\": {\"family\": \"x\", \"fre\": True}"),
    ]
    let script = try folder.write(slips.reduce(example) { $0.replacingOccurrences(of: $1.0, with: $1.1) }, to: "provider.py")
    let findings = try await Conformance.check(
      InstanceDescription(id: "example", source: .command(["/usr/bin/python3", script])), baseURL: "https://places.example",
      sample: ConformanceTests.ulm)
    let found = findings.filter { $0.message.contains("is unknown and ignored") }.map(\.description)
    #expect(
      found == [
        "warning: autocomplete: the member rows.evidence.postCode is unknown and ignored",
        "warning: autocomplete: the member rows.name is unknown and ignored",
        "warning: manifest: the member autocomplete.minimumLeters is unknown and ignored",
        "warning: manifest: the member terms.mixing.fre is unknown and ignored",
      ])
    #expect(!findings.contains { $0.subject == "autocomplete, the sample" }, "\(findings)")
  }

  @Test("A plugin that cannot start is a finding")
  func cannotStart() async throws {
    let findings = try await Conformance.check(.misbehaving(["refuse": true]))
    #expect(findings == [ConformanceFinding(.error, "start", "provider m cannot start: told to refuse")])
  }

  @Test(
    "What a provider does wrong is found",
    arguments: [
      (Careless.Fault.elsewhere, "it sends a request to a host that its manifest does not declare"),
      (.lies, "it took status 500 for an answer"),
      (.quotes, "its error repeats the query"), (.endless, "it continues for more than 0.3 s after it was cancelled"),
      (.greedy, "it sent 9 requests for one call"), (.crowded, "it returned 21 rows; its manifest declares at most 20"),
      (.disorderly, "matches are not ascending ranges within their text"), (.nameless, "a place has no id"),
      (.unkind, "it returned rows of kind query, which its manifest does not declare: the daemon drops them"),
      (.verbose, "an id is too long: the daemon drops the row"),
    ])
  func careless(fault: Careless.Fault, message: String) async throws {
    let check = Conformance(limit: 0.3) { context throws(ProviderStartError) in
      Careless(fault: fault, http: try context(Careless.manifest).http)
    }
    let errors = await check.check().filter { $0.severity == .error }.map(\.message)
    #expect(errors.contains(message), "\(errors)")
  }

  @Test("A provider without faults has no findings")
  func careful() async {
    let check = Conformance(limit: 1) { context throws(ProviderStartError) in
      Careless(fault: nil, http: try context(Careless.manifest).http)
    }
    #expect(await check.check() == [])
  }

  @Test(
    "What a provider makes of a sample is looked at as in every other scenario",
    arguments: [
      (nil, [:]), (.silent, [.warning: "it failed: there is no index"]), (.nameless, [.error: "a place has no id"]),
      (.breaks, [.error: "it failed with an error of the plugin's own code: it cannot read the answer"]),
      (.quotes, [.warning: "it failed: nothing for ulm", .error: "its error repeats the query"]),
      (.elsewhere, [.error: "it sends a request to a host that its manifest does not declare"]),
      (.greedy, [.error: "it sent 9 requests for one call"]), (.crowded, [.error: "it returned 21 rows; its manifest declares at most 20"]),
    ] as [(Careless.Fault?, KeyValuePairs<ConformanceFinding.Severity, String>)])
  func sample(fault: Careless.Fault?, expected: KeyValuePairs<ConformanceFinding.Severity, String>) async {
    // An answer to a different id is not returned.
    var manifest = Careless.manifest
    manifest.details = Capability(parameters: [:])
    let check = Conformance(sample: Conformance.Sample(query: "ulm", answer: Array("[]".utf8)), limit: 1) {
      [manifest] context throws(ProviderStartError) in Careless(fault: fault, manifest: manifest, http: try context(manifest).http)
    }
    let found = await check.check().filter { $0.subject.hasSuffix(", the sample") }
    #expect(found == expected.map { ConformanceFinding($0.key, "autocomplete, the sample", $0.value) })
  }

  @Test("A row of a sample that breaks the protocol is an error")
  func brokenRow() async throws {
    let folder = try TemporaryFolder()
    let example = try String(contentsOfFile: ForeignTests.example, encoding: .utf8)
    let broken = example.replacingOccurrences(of: "\"kind\": \"place\"", with: "\"kind\": \"place\", \"importance\": \"high\"")
    let script = try folder.write(broken, to: "provider.py")
    let findings = try await Conformance.check(
      InstanceDescription(id: "example", source: .command(["/usr/bin/python3", script])), baseURL: "https://places.example",
      sample: ConformanceTests.ulm)
    let found = findings.filter { $0.subject == "autocomplete, the sample" }
    #expect(found.map(\.severity) == [.error], "\(findings)")
  }

  @Test("A provider without a service is not expected to report service failures")
  func serviceless() async {
    let check = Conformance(limit: 1) { context throws(ProviderStartError) in
      Careless(fault: .silent, http: try context(Careless.manifest).http)
    }
    #expect(await check.check() == [])
  }

  @Test("Without the required base_url, the only finding is the missing base_url")
  func addressless() async {
    var needy = Careless.manifest
    needy.needsBaseURL = true
    let check = Conformance(limit: 1) { [needy] context throws(ProviderStartError) in
      Careless(fault: .lies, manifest: needy, http: try context(needy).http)
    }
    #expect(await check.check().map(\.subject) == ["base_url"])
  }

  @Test("The requests of the check stay within the manifest's maximum rows and languages", arguments: [false, true])
  func asked(readsLanguage: Bool) async throws {
    var manifest = Careless.manifest
    let capability = Capability(parameters: readsLanguage ? [.language: .native] : [:], maximumRows: 3, fields: [.name])
    (manifest.autocomplete, manifest.search, manifest.geocode) = (capability, capability, capability)
    (manifest.details, manifest.reverse) = (capability, capability)
    let service = Noting(manifest: manifest)
    for call in Call.allCases { _ = await CallProbe.ask(call, of: service) }
    let language = readsLanguage ? "en" : "-"
    #expect(service.asked.withLock { $0 } == ["3 \(language)", "3 \(language)", "1 \(language)", "3 \(language)", "3 \(language)"])
  }

  @Test("A manifest's mistakes are reported")
  func manifests() {
    var manifest: Manifest = Careless.manifest
    manifest.plugin = "Big Name"
    manifest.hosts = ["https://x"]
    manifest.needsCredential = true
    manifest.rate = Rate(perSecond: 0)
    manifest.settings = [Setting("a", .integer, "x", defaultValue: "1"), Setting("a", .string, "y", required: true, defaultValue: "z")]
    manifest.prices.calls = [.autocomplete: "none"]
    manifest.countries = ["de"]
    manifest.autocomplete = nil
    let messages = manifest.findings.map(\.message)
    for part in [
      "plugin must be a name", "none of the calls", "hosts must be whole names", "where a request carries it", "allows no call",
      "default of setting a", "two settings have the same name", "is required and has a default", "for the classes none",
      "two capital letters",
    ] { #expect(messages.contains { $0.contains(part) }, "\(part)") }
    let severity = { (manifest: Manifest) in manifest.findings.first { $0.message.contains("for the classes none") }?.severity }
    #expect(severity(manifest) == .warning)
    manifest.prices.classes = [PriceClass("nine", micros: 1)]
    #expect(severity(manifest) == .error)
    manifest.search = Capability(parameters: [.includedType: .partly, .bias: .partly], fields: [.name])
    #expect(manifest.findings.map(\.message).contains("search: only includedType, priceLevels and countries can be partly native"))
    manifest.search = Capability(parameters: [.types: .native, .radius: .native, .bias: .native], fields: [.name])
    #expect(manifest.findings.contains { $0.severity == .warning && $0.message.hasPrefix("search has no parameter radius, types") })
    #expect(Careless.manifest.findings == [])
  }
}

/// A provider with at most one fault.
struct Careless: PlaceService {
  enum Fault: Sendable { case silent, breaks, elsewhere, lies, quotes, endless, greedy, crowded, disorderly, nameless, unkind, verbose }

  static let manifest = Manifest(
    plugin: "careless", name: "Careless", version: "1", summary: "Makes one mistake.", autocomplete: Capability(parameters: [:]),
    hosts: ["places.example"], terms: Terms(idsSeconds: 0, coordinatesSeconds: 0, otherSeconds: 0, source: "a test"), attributions: [],
    rate: Rate(perSecond: 10))

  let fault: Fault?
  var manifest: Manifest = Careless.manifest
  let http: @Sendable (HTTPRequest) async throws(ProviderError) -> HTTPResponse

  func autocomplete(_ request: AutocompleteRequest) async throws(ProviderError) -> Page<Suggestion> {
    if fault == .silent { throw ProviderError(.data, "there is no index") }
    for _ in 0..<(fault == .greedy ? 8 : 0) { _ = try? await http(HTTPRequest(path: [])) }
    let response: HTTPResponse
    do throws(ProviderError) {
      response = try await http(HTTPRequest(host: fault == .elsewhere ? "elsewhere.example" : nil, path: ["find"]))
    } catch {
      if fault == .endless { await outlast() }
      throw error
    }
    if fault == .breaks { throw ProviderError(.plugin, "it cannot read the answer") }
    if fault == .quotes { throw ProviderError(.http, "nothing for \(request.query)") }
    let text = FormattedText("Ulm", matches: fault == .disorderly ? [TextRange(start: 2, end: 9)] : [TextRange(start: 0, end: 3)])
    let id = fault == .nameless ? nil : String(repeating: "1", count: fault == .verbose ? 901 : 1)
    let row = Suggestion(kind: fault == .unkind ? .query : .place, id: id, text: text)
    switch response.status {
    case 200, 404: return Page(rows: Array(repeating: row, count: fault == .crowded ? 21 : 1))
    case 401: throw ProviderError(.credentials, "the key is not valid")
    case 429: throw ProviderError(.rateLimit, "too many requests")
    default:
      if fault == .lies { return Page(rows: []) }
      throw ProviderError(.http, "the service answered with status \(response.status)")
    }
  }

  /// Continues for a second, even if it is cancelled.
  private func outlast() async {
    let end = SystemTime().monotonic() + 1
    await Task.detached { try? await waitUntil { SystemTime().monotonic() >= end } }.value
  }
}

/// Records the requested number of rows and language, and finds nothing.
private final class Noting: PlaceService {
  let manifest: Manifest
  let asked = Mutex<[String]>([])

  init(manifest: Manifest) { self.manifest = manifest }

  private func note(_ limit: Int, _ language: String?) { asked.withLock { $0.append("\(limit) \(language ?? "-")") } }

  func autocomplete(_ request: AutocompleteRequest) async throws(ProviderError) -> Page<Suggestion> {
    note(request.limit, request.kinds == [.place] ? request.language : "a kind that it does not have")
    return Page(rows: [])
  }

  func search(_ request: SearchRequest) async throws(ProviderError) -> Page<Place> {
    note(request.limit, request.language)
    return Page(rows: [])
  }

  func geocode(_ request: SearchRequest) async throws(ProviderError) -> Page<Place> { try await search(request) }

  func details(_ request: DetailsRequest) async throws(ProviderError) -> Place {
    note(1, request.language)
    throw ProviderError(.notFound, "none")
  }

  func reverse(_ request: ReverseRequest) async throws(ProviderError) -> Page<Place> {
    note(request.limit, request.language)
    return Page(rows: [])
  }
}
