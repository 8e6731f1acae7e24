// swift-tools-version: 6.2
// The modules and what each may import; Sources/README.md describes them.
// There is no outside Swift package: other code comes from Debian's -dev packages, each behind one C target.
import PackageDescription

let kit: Target.Dependency = .product(name: "PlacesKit", package: "PlacesKit")

/// A provider plugin: a directory in Plugins/ that becomes lib<Name>.so.
func plugin(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: [kit] + dependencies, path: "Plugins/\(name)")
}

func tests(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [], linkerSettings: [LinkerSetting] = []
) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: dependencies + ["PlacesTesting", kit], exclude: exclude, linkerSettings: linkerSettings)
}

let networkPlugins: [Target.Dependency] = ["Google", "Foursquare", "Suggest", "Nominatim", "Photon", "Pelias"]
/// Every plugin defines the same two entry points; a program that links several plugins calls none of them.
let allowsSeveralPlugins: [LinkerSetting] = [.unsafeFlags(["-Xlinker", "-z", "-Xlinker", "muldefs"])]

/// The mutable state of RPC belongs to the thread of its loop, which the tests check. Checking each access again would cost a fifth of a short
/// request in a release build.
let unchecked: [SwiftSetting] = [.unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))]

let plugins = ["Gazetteer", "Google", "Foursquare", "Suggest", "Nominatim", "Photon", "Pelias", "Described"]

let package = Package(
  name: "placesd",
  products: [
    .executable(name: "placesd", targets: ["placesd"]),
    .executable(name: "placesctl", targets: ["placesctl"]),
    .executable(name: "places-provider-host", targets: ["places-provider-host"]),
    .executable(name: "places-gateway", targets: ["places-gateway"]),
    .executable(name: "places-quality", targets: ["places-quality"]),
    .library(name: "PlacesClient", targets: ["PlacesClient"]),
    // For tests only: a plugin that dies, hangs and floods on demand.
    .library(name: "Misbehaving", type: .dynamic, targets: ["Misbehaving"]),
  ] + plugins.map { .library(name: $0, type: .dynamic, targets: [$0]) },
  dependencies: [.package(path: "Sources/PlacesKit")],
  targets: [
    // Shims of C libraries, each imported by one Swift target.
    .target(name: "CLinux"),
    .target(name: "CCurl", linkerSettings: [.linkedLibrary("curl")]),
    .target(name: "CToml", cxxSettings: [.unsafeFlags(["-fno-exceptions"])]),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "CSeccomp", linkerSettings: [.linkedLibrary("seccomp")]),
    .target(name: "CTerminal"),
    .target(name: "CMicrohttpd", linkerSettings: [.linkedLibrary("microhttpd")]),

    // File descriptors, errno, the event loop, signals, Unix sockets, peer credentials.
    .target(name: "Linux", dependencies: ["CLinux"]),
    // libcurl's multi interface on one thread, behind async/await.
    .target(name: "HTTP", dependencies: ["CCurl", "Linux", "Resilience", kit]),
    // JSON-RPC: framing, messages, server and client. It knows nothing about places.
    .target(name: "RPC", dependencies: ["Linux", kit], swiftSettings: unchecked),
    // The RPC methods: their names, parameters and results, from which requests are decoded and documented.
    .target(name: "PlacesAPI", dependencies: ["RPC", kit]),
    // Typed calls and the fetcher for other programs, and for placesctl.
    .target(name: "PlacesClient", dependencies: ["PlacesAPI", "RPC", "Linux", kit]),
    // The HTTP APIs of Photon, Nominatim, Pelias, Google and OpenSearch: requests to the daemon's calls, replies to their bytes. No I/O.
    .target(name: "EmulatedAPIs", dependencies: ["PlacesAPI", kit]),
    // Building and reading the index of places, for the gazetteer plugin and for placesctl.
    .target(name: "GazetteerIndex", dependencies: ["CZlib", kit]),
    // TOML files to values, each with its origin; errors with file, line, column and a suggestion.
    .target(name: "Configuration", dependencies: ["ServiceDescriptions", "TOML", "Linux", kit]),
    // A TOML text as values, each with its position.
    .target(name: "TOML", dependencies: ["CToml", kit]),
    // The language of places-service(5): descriptions of HTTP services, their check and their evaluation. No I/O.
    .target(name: "ServiceDescriptions", dependencies: ["TOML", kit]),
    // Match, cluster, fuse and rank, without I/O.
    .target(name: "Merging", dependencies: [kit], exclude: ["Training"]),
    // Circuit breakers, rate limits, load shedding, retry budgets; and the budgets of money and calls.
    .target(name: "Resilience", dependencies: [kit]),
    // The cache of answers and places, the spending ledger, and the terms they obey.
    .target(name: "Storage", dependencies: ["Resilience", kit]),
    // Finding, loading and supervising plugins, in the daemon or in processes of their own.
    .target(name: "PluginHost", dependencies: ["CSeccomp", "Linux", kit]),
    // The engine: sessions, provider calls, fan-out, deadlines, partial answers.
    .target(name: "QueryEngine", dependencies: ["Merging", "Resilience", "Storage", "PlacesAPI", kit]),

    // The RPC methods on top of the engine, the callers' permissions, and the reply cache.
    .target(name: "PlacesService", dependencies: ["QueryEngine", "Resilience", "Storage", "PlacesAPI", "RPC", "Linux", kit]),

    // The programs: they create the parts and connect them.
    .executableTarget(
      name: "placesd",
      dependencies: [
        "PlacesService", "QueryEngine", "Resilience", "Storage", "PluginHost", "HTTP", "Configuration", "PlacesAPI", "RPC", "Linux",
        "CLinux", kit,
      ]),
    .executableTarget(
      name: "placesctl",
      dependencies: [
        "PlacesClient", "GazetteerIndex", "Configuration", "ServiceDescriptions", "TOML", "PluginHost", "Linux", "CTerminal", kit,
      ]),
    .executableTarget(
      name: "places-gateway",
      dependencies: ["EmulatedAPIs", "PlacesClient", "PlacesAPI", "RPC", "Configuration", "Linux", "CLinux", "CMicrohttpd", kit],
      exclude: ["Page", "basemap.py"]),
    .executableTarget(name: "places-provider-host", dependencies: ["PluginHost", kit]),
    .executableTarget(name: "places-quality", dependencies: ["Merging", "GazetteerIndex", kit]),

    // Providers: one directory and one shared object each.
    plugin("Gazetteer", ["GazetteerIndex"]),
    plugin("Google"), plugin("Foursquare"), plugin("Suggest"),
    plugin("Nominatim"), plugin("Photon"), plugin("Pelias"), plugin("Described", ["ServiceDescriptions"]),

    // The server alone, for `make bench`: cached replies of a fixed size.
    .executableTarget(name: "bench-wire", dependencies: ["RPC", "Linux"], path: "Tests/Benchmarks/Wire"),

    // The costs of typing, for `make bench`: the engine and the bundled plugins in virtual time, with scripted services.
    .executableTarget(
      name: "bench-sessions", dependencies: ["QueryEngine", "Resilience", "Storage", "PluginHost", "PlacesAPI", "PlacesTesting", kit],
      path: "Tests/Benchmarks/Sessions"),

    // One service by its plugin and by a description, for `make counts`.
    .executableTarget(
      name: "bench-described", dependencies: ["Described", "Photon", kit], path: "Tests/Benchmarks/Described", exclude: ["answer.json"],
      linkerSettings: allowsSeveralPlugins),

    // Shared by tests: a manual clock, seeded randomness, a scripted HTTP server, temporary folders.
    .target(name: "PlacesTesting", dependencies: ["Linux", kit], path: "Tests/PlacesTesting"),
    .target(name: "Misbehaving", dependencies: [kit], path: "Tests/MisbehavingPlugin"),
    // Every parser of a service's answers by name, for the tests of the corpora and for the fuzzer below.
    .target(
      name: "ResponseParsers", dependencies: ["Described", "ServiceDescriptions", kit] + networkPlugins, path: "Tests/ResponseParsers"),
    // A program that the storage tests start and kill.
    .executableTarget(name: "storage-kill", dependencies: ["Storage", "Resilience", "PlacesTesting", kit], path: "Tests/storage-kill"),
    // The requests of the gateway's clients, for the replay of their corpus and for the fuzzer.
    .target(name: "RequestParsers", dependencies: ["EmulatedAPIs", "PlacesAPI", kit], path: "Tests/RequestParsers"),
    tests("PlacesKit", []),
    tests("Linux", ["Linux"]),
    tests("HTTP", ["HTTP", "Resilience"]),
    tests("RPC", ["RPC"]),
    tests("PlacesAPI", ["PlacesAPI"]),
    tests("PlacesClient", ["PlacesClient"]),
    tests("GazetteerIndex", ["GazetteerIndex", "Gazetteer"]),
    tests("Configuration", ["Configuration", "ServiceDescriptions"]),
    tests("Merging", ["Merging"]),
    tests("Resilience", ["Resilience"]),
    tests("Storage", ["Storage", "Resilience", "storage-kill"]),
    tests("PluginHost", ["PluginHost", "CSeccomp"]),
    tests("QueryEngine", ["QueryEngine", "HTTP"]),
    tests("PlacesService", ["PlacesService", "Linux"]),
    // Starts a program under a filter of its system calls, for the end-to-end tests.
    .executableTarget(name: "system-calls", path: "Tests/SystemCalls", linkerSettings: [.linkedLibrary("seccomp")]),
    // A disk below SQLite that fails on demand, for the simulation.
    .target(name: "FaultyDisk", path: "Tests/FaultyDisk", linkerSettings: [.linkedLibrary("sqlite3")]),
    // Sockets of a server that fail on demand, for the simulation.
    .target(name: "FaultySockets", dependencies: ["CLinux"], path: "Tests/FaultySockets"),
    tests(
      "Simulation",
      [
        "PlacesService", "QueryEngine", "Resilience", "Storage", "PluginHost", "HTTP", "RPC", "PlacesAPI", "Linux", "FaultyDisk",
        "FaultySockets",
        "Google", "Photon",
      ],
      linkerSettings: allowsSeveralPlugins),
    tests("Providers", ["HTTP", "ResponseParsers"] + networkPlugins, exclude: ["README.md"], linkerSettings: allowsSeveralPlugins),
    tests("Described", ["Described", "ServiceDescriptions", "TOML"], exclude: ["Answers", "Services"]),
    tests("EmulatedAPIs", ["EmulatedAPIs", "PlacesAPI", "RequestParsers"]),
    tests("Gateway", ["places-gateway", "Configuration", "EmulatedAPIs", "PlacesClient", "Linux"]),
    tests("placesctl", ["placesctl"]),
    // Tests that start the built programs, in directories of their own.
    tests("EndToEnd", ["GazetteerIndex", "bench-sessions", "system-calls"]),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

// PLACES_TARGETS="RPCTests Misbehaving" swift build --build-tests builds only these targets and what they depend on.
if let wanted = Context.environment["PLACES_TARGETS"]?.split(separator: " ").map(String.init) {
  var kept: Set<String> = []
  var pending = wanted
  while let name = pending.popLast() {
    guard kept.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else { continue }
    for case .byNameItem(let dependency, _) in target.dependencies { pending.append(dependency) }
  }
  package.targets.removeAll { !kept.contains($0.name) }
  package.products.removeAll { !kept.contains($0.name) }
}

// Links only with the fuzzer's flags: see .ci/fuzz.
if Context.environment["PLACES_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "fuzz", dependencies: ["ResponseParsers", "RequestParsers", kit], path: "Tests/Fuzzing", exclude: ["Corpus"],
      linkerSettings: allowsSeveralPlugins))
}
