import Glibc
import JSON
import Linux
import PlacesKit

/// The settings of `places-gateway`, which has its own file: `gateway.toml` in the directory of the daemon's main file.
public struct GatewaySettings: Sendable, Hashable {
  /// The numeric addresses and ports to listen on.
  public var listen = ["127.0.0.1:2325", "[::1]:2325"]
  /// Names by which clients may call the gateway, in addition to `localhost` and the gateway's addresses.
  public var hosts: [String] = []
  /// Web origins whose pages may send requests; `*` for all.
  public var allowOrigins: [String] = []
  /// Networks from which clients may connect, in addition to this machine.
  public var allowFrom: [String] = []
  /// True if all users of this machine may send requests, each as that user.
  public var allUsers = false
  /// The maximum number of open connections.
  public var connections = 10_000
  /// The maximum number of open connections of one user of this machine, with `allUsers`.
  public var connectionsPerUser = 1_000
  /// The maximum number of open connections from one address of another machine.
  public var connectionsPerAddress = 64
  /// The maximum size of a request line together with its headers.
  public var headerBytes = 16_384
  public var bodyBytes = 65_536
  /// Seconds that a client has to send a request once it has begun.
  public var requestSeconds = 10
  /// Seconds that a connection may be open without a request.
  public var keepAliveSeconds = 60
  /// The number of seconds without a connection after which the gateway exits if systemd started it; 0 for never.
  public var idleSeconds = 300
  /// The folder of the search page; nil for the installed one.
  public var pageDirectory: String?
  /// The folder of Leaflet, the library that draws the page's map.
  public var leafletDirectory = "/usr/share/javascript/leaflet"
  /// The URL of map tiles with `{z}`, `{x}` and `{y}`; nil for the map that comes with the gateway.
  public var tilesURL: String?
  /// The credit that the map tiles require.
  public var tilesAttribution: String?
  public var logLevel = LogLevel.notice

  public init() {}

  static var keys: [KeyDefinition<GatewaySettings>] {
    [
      KeyDefinition("listen", \.listen, .endpoints, "The addresses and ports to listen at; systemd's sockets take their place."),
      KeyDefinition(
        "hosts", \.hosts, .hosts, "Host names by which clients may call the gateway, in addition to localhost and its addresses."),
      KeyDefinition(
        "allow_origins", \.allowOrigins, .origins,
        "The origins of web pages that may send requests and read the answers; \"*\" means every page."),
      KeyDefinition(
        "allow_from", \.allowFrom, .networks, "The networks whose machines may connect; a `listen` that is not loopback needs it."),
      KeyDefinition(
        "all_users", \.allUsers, .boolean,
        "True if all users of this machine may connect, each as that user; the daemon's `gateway_user` must be the gateway's user."),
      KeyDefinition("connections", \.connections, .integer(1...60_000), "Largest number of open connections."),
      KeyDefinition(
        "connections_per_user", \.connectionsPerUser, .integer(1...60_000),
        "Largest number of open connections of one user, with `all_users`."),
      KeyDefinition(
        "connections_per_address", \.connectionsPerAddress, .integer(1...60_000),
        "Largest number of open connections from one address of another machine."),
      KeyDefinition("header_bytes", \.headerBytes, .integer(4_096...262_144), "Largest request line with headers, in bytes."),
      KeyDefinition("body_bytes", \.bodyBytes, .integer(1_024...1_048_576), "Largest body of a request, in bytes."),
      KeyDefinition("request_s", \.requestSeconds, .integer(1...300), "Seconds in which a request must have arrived once it has begun."),
      KeyDefinition("keep_alive_s", \.keepAliveSeconds, .integer(1...3_600), "Seconds that a connection may stay open without a request."),
      KeyDefinition(
        "idle_s", \.idleSeconds, .integer(0...86_400),
        "Seconds without a connection after which a gateway that systemd started ends; 0 means never."),
      KeyDefinition(optional: "page_dir", \.pageDirectory, .path, "The directory of the search page."),
      KeyDefinition("leaflet_dir", \.leafletDirectory, .path, "The directory of Leaflet, which draws the page's map."),
      KeyDefinition(optional: "tiles_url", \.tilesURL, .tiles, "The URL of map tiles for the page, with {z}, {x} and {y}."),
      KeyDefinition(optional: "tiles_attribution", \.tilesAttribution, .text, "The credit that the map tiles require."),
      KeyDefinition("log_level", \.logLevel, .choice, "The log level; less important lines are not logged."),
    ]
  }

  /// Every key, for the manual.
  public static let section = ConfigurationKeys.Section(name: "gateway", keys, GatewaySettings())

  /// The default path of the file.
  public static func path(_ locations: Locations = .current) -> String {
    let folder = locations.configuration.lastIndex(of: "/").map { String(locations.configuration[...$0]) } ?? ""
    return folder + "gateway.toml"
  }

  /// Reads the file and reports every problem at once. If `path` is nil, the file at the default path is read, which may be missing.
  public static func load(path: String? = nil, locations: Locations = .current) throws(ConfigurationErrors) -> GatewaySettings {
    let file = path ?? GatewaySettings.path(locations)
    let contents: FileContents
    do throws(UnreadableFile) { contents = try FileContents(path: file) } catch {
      if path == nil, error.code == ENOENT { return GatewaySettings() }
      throw ConfigurationErrors([ConfigurationProblem(.file(file), "cannot be read: \(error.message)")])
    }
    let (settings, problems) = read(contents.bytes, file: file, checksDirectories: true)
    let allProblems = contents.access.problems(file) + problems
    guard allProblems.isEmpty else { throw ConfigurationErrors(allProblems) }
    return settings
  }

  /// Reads the text of a file.
  /// - Parameters:
  ///   - file: the file's path, for messages. The file is not opened.
  ///   - checksDirectories: true to report directories that do not exist.
  static func read(_ text: [UInt8], file: String, checksDirectories: Bool = false) -> (GatewaySettings, [ConfigurationProblem]) {
    var settings = GatewaySettings()
    var reader = SectionReader()
    do throws(ConfigurationProblem) {
      let root = try TOMLValue(parsing: text, file: file)
      guard case .table(let members) = root.content else { return (settings, []) }
      reader.read(members, keys: keys, into: &settings)
    } catch { return (settings, [error]) }
    if settings.allowFrom.isEmpty, let reachableAddress = settings.listen.first(where: { TCPEndpoint($0)?.isLoopback == false }) {
      reader.report(
        reader.origins["listen"] ?? .file(file),
        "`listen` has \(reachableAddress), which other machines can reach, and there is no `allow_from`",
        suggestion: "name the networks whose machines may connect, such as \"192.168.1.0/24\"")
    }
    if checksDirectories { settings.reportMissingDirectories(to: &reader) }
    return (settings, reader.problems)
  }

  /// Reports the directories that the file names and that do not exist. The default ones may be missing.
  private func reportMissingDirectories(to reader: inout SectionReader) {
    let directories: [(key: String, path: String?)] = [("page_dir", pageDirectory), ("leaflet_dir", leafletDirectory)]
    for (key, path) in directories {
      guard let path, let origin = reader.origins[key], let reason = GatewaySettings.fault(ofDirectory: path) else { continue }
      // The value of a key that was refused already is the default one.
      guard !reader.problems.contains(where: { $0.origin == origin }) else { continue }
      reader.report(
        origin, "`\(key)`: the directory \(quoted(path)) cannot be read: \(reason)",
        suggestion: "name an existing directory, or leave the key out")
    }
  }

  /// The reason why a path is not that of a directory; nil if it is.
  private static func fault(ofDirectory path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return String(cString: strerror(errno)) }
    return status.st_mode & S_IFMT == S_IFDIR ? nil : String(cString: strerror(ENOTDIR))
  }
}

extension ValueKind<[String]> {
  fileprivate static let endpoints = list(
    of: .string("a numeric address with a port such as \"127.0.0.1:2325\" or \"[::1]:2325\"") { TCPEndpoint($0) != nil },
    "a list of 1 to 64 numeric addresses with ports", atLeast: 1)
  fileprivate static let origins = list(
    of: .string("an origin such as \"https://example.org\", or \"*\"") { $0 == "*" || isOrigin($0) }, "a list of at most 64 origins")
  fileprivate static let networks = list(
    of: .string("a network such as \"192.168.1.0/24\" or \"fd00::/8\"") { NetworkPrefix($0) != nil }, "a list of at most 64 networks")

  /// True for a scheme, a host and an optional port, in lower case as browsers send them.
  private static func isOrigin(_ text: String) -> Bool {
    isURL(text, ["http", "https"]) && text == text.lowercased() && text.utf8.filter { $0 == UInt8(ascii: "/") }.count == 2
  }
}

extension ValueKind<String> {
  fileprivate static let tiles = string("a URL with {z}, {x} and {y} such as \"https://tiles.example.org/{z}/{x}/{y}.png\"") { text in
    ["{z}", "{x}", "{y}"].allSatisfy { text.contains($0) }
      && isURL(text.filter { $0 != "{" && $0 != "}" }, ["http", "https"])
  }
}

/// A network: the addresses that begin with the same bits.
public struct NetworkPrefix: Sendable, Hashable {
  /// The network's address: 4 bytes for IPv4, 16 for IPv6.
  private var bytes: [UInt8]
  /// The number of leading bits that all addresses of the network have in common.
  private var length: Int

  /// Reads a text such as `192.168.1.0/24`. An address without a length is a network of one address.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard (1...2).contains(parts.count), let bytes = TCPEndpoint.bytes(of: parts[0]) else { return nil }
    let maxLength = bytes.count * 8
    self.bytes = bytes
    guard parts.count == 2 else {
      self.length = maxLength
      return
    }
    // `Int` would also accept a sign.
    guard parts[1].utf8.allSatisfy(isDigit), let length = Int(parts[1]), length <= maxLength else { return nil }
    self.length = length
  }

  /// Whether the network contains an address of 4 or 16 bytes.
  public func contains(_ address: [UInt8]) -> Bool {
    guard address.count == bytes.count else { return false }
    let (wholeBytes, remainingBits) = (length / 8, length % 8)
    guard address.prefix(wholeBytes) == bytes.prefix(wholeBytes) else { return false }
    // The shift drops the bits that are not in the prefix.
    return remainingBits == 0 || (address[wholeBytes] ^ bytes[wholeBytes]) >> (8 - remainingBits) == 0
  }
}
