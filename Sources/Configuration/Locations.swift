import Glibc

/// The paths that a daemon uses. The system's daemon uses /etc, /run and /var. A user's own daemon uses the folders of the XDG Base
/// Directory Specification.
public struct Locations: Sendable, Hashable {
  /// True for a daemon that serves all users: it runs as root, or as a unit whose state systemd keeps in /var/lib.
  public var isSystem: Bool
  /// The path of the main file.
  public var configuration: String
  /// The origin of the main file's path: a variable of the environment, or the default.
  public var configurationOrigin: Origin
  public var socket: String
  public var socketOrigin: Origin
  public var stateDirectory: String
  public var cacheDirectory: String
  public var pluginDirectories: [String]
  /// The folders of the service descriptions that are installed with the daemon. The folder `services` beside the main file precedes them.
  public var serviceDirectories: [String]
  /// The folder of credentials that systemd passed; nil if it passed none.
  public var credentialsDirectory: String?

  /// The locations for an environment, a user id and the folder of the running executable.
  public init(environment: [String: String], userID: UInt32, executableDirectory: String? = nil) {
    func directory(_ name: String) -> String? { environment[name].flatMap { isAbsolutePath($0) ? $0 : nil } }
    isSystem = userID == 0 || directory("STATE_DIRECTORY")?.hasPrefix("/var/lib/") == true
    let home = directory("HOME") ?? "/"
    func folder(_ systemd: String, system: String, xdg: String, inHome: String) -> String {
      // systemd separates several folders with colons; the first one is the unit's own.
      if let unitFolder = directory(systemd)?.split(separator: ":").first { return String(unitFolder) }
      return userID == 0 ? system : (directory(xdg) ?? "\(home)/\(inHome)") + "/placesd"
    }
    stateDirectory = folder("STATE_DIRECTORY", system: "/var/lib/placesd", xdg: "XDG_STATE_HOME", inHome: ".local/state")
    cacheDirectory = folder("CACHE_DIRECTORY", system: "/var/cache/placesd", xdg: "XDG_CACHE_HOME", inHome: ".cache")
    let runtime = userID == 0 ? "/run/placesd" : (directory("XDG_RUNTIME_DIR") ?? "/run/user/\(userID)") + "/placesd"
    let systemdRuntime = directory("RUNTIME_DIRECTORY")?.split(separator: ":").first.map(String.init)
    socket = directory("PLACES_SOCKET") ?? (systemdRuntime ?? runtime) + "/placesd.sock"
    socketOrigin = directory("PLACES_SOCKET") == nil ? .standard : .environment("PLACES_SOCKET")
    let configurationFolder = userID == 0 ? "/etc/placesd" : (directory("XDG_CONFIG_HOME") ?? "\(home)/.config") + "/placesd"
    configuration = environment["PLACES_CONFIG"] ?? "\(configurationFolder)/placesd.toml"
    configurationOrigin = environment["PLACES_CONFIG"] == nil ? .standard : .environment("PLACES_CONFIG")
    credentialsDirectory = directory("CREDENTIALS_DIRECTORY")
    // In a build tree, the plugins are in the executable's folder. Once installed, the executable is in bin or libexec, and the plugins are
    // in lib beside it. The executable's folder comes first, as in PluginHost, so that a build tree uses its own plugins.
    pluginDirectories = executableDirectory.map { [$0, "\($0)/../lib/placesd"] } ?? ["/usr/lib/placesd"]
    serviceDirectories =
      executableDirectory.map { ["\($0)/../share/placesd/services", "\($0)/../../../etc/services"] } ?? ["/usr/share/placesd/services"]
  }

  /// The locations of the system's daemon, with an empty environment.
  public static let system = Locations(environment: [:], userID: 0)

  /// The locations for this process's environment, user and executable.
  public static var current: Locations {
    let names = [
      "HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR", "STATE_DIRECTORY", "CACHE_DIRECTORY",
      "RUNTIME_DIRECTORY", "CREDENTIALS_DIRECTORY", "PLACES_CONFIG", "PLACES_SOCKET",
    ]
    var environment: [String: String] = [:]
    for name in names {
      // An empty variable is treated as unset, as the XDG specification requires.
      if let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty { environment[name] = value }
    }
    return Locations(environment: environment, userID: geteuid(), executableDirectory: executableDirectory())
  }

  private static func executableDirectory() -> String? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    guard count > 0, let slash = buffer[..<count].lastIndex(of: UInt8(ascii: "/")) else { return nil }
    return String(decoding: buffer[..<slash], as: UTF8.self)
  }
}
