import Foundation  // Process: the real daemon is a child of the test.
import GazetteerIndex
import JSON
import PlacesTesting

/// A folder with all that a daemon has: configuration, socket, state, cache and log.
struct Home {
  let folder: TemporaryFolder

  /// `daemon` has lines of the table `[daemon]`, `providers` the TOML after it.
  init(daemon: String = "", providers: String = "", withIndex: Bool = true) throws {
    folder = try TemporaryFolder()
    try configure(daemon: daemon, providers: providers)
    if withIndex { try Home.buildIndex(at: index) }
  }

  var socket: String { folder.file("s") }
  var index: String { folder.file("state/gazetteer.db") }
  var configuration: String { folder.file("placesd.toml") }
  var log: String { (try? String(contentsOfFile: folder.file("log"), encoding: .utf8)) ?? "" }

  /// Writes the main file again.
  func configure(daemon: String = "", providers: String = "") throws {
    try folder.write(
      """
      [daemon]
      socket = "\(socket)"
      state_dir = "\(folder.file("state"))"
      cache_dir = "\(folder.file("cache"))"
      log_level = "debug"
      \(daemon)
      \(providers)

      """, to: "placesd.toml")
  }

  /// The settings of a Pelias on this machine, to which more may be added.
  static func pelias(at url: String) -> String {
    """
    [providers.pelias]
    plugin = "pelias"
    enabled = true
    base_url = "\(url)"
    allow_private_addresses = true
    """
  }

  /// Enables Google at a server of this machine, with a key file of the text `a-key` and more settings.
  func configureGoogle(at url: String, _ more: String) throws {
    let key = try folder.write("a-key", to: "key")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
    try configure(
      providers: """
        [providers.google]
        plugin = "google"
        enabled = true
        isolation = "process"
        base_url = "\(url)"
        allow_private_addresses = true
        api_key_file = "\(key)"
        \(more)
        """)
  }

  static func buildIndex(
    at path: String, lines: [String] = SamplePlaces.lines, regions regionLines: [String] = SamplePlaces.regions
  ) throws {
    let folder = try TemporaryFolder()
    let dump = try folder.write(lines.joined(separator: "\n") + "\n", to: "dump.txt")
    let regions = try folder.write(regionLines.joined(separator: "\n") + "\n", to: "regions.txt")
    try FileManager.default.createDirectory(
      atPath: String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.endIndex)), withIntermediateDirectories: true)
    _ = try GazetteerBuilder(path: path).importGeoNames(dump, regions: regions)
  }
}

/// A running `placesd` from the tests' build.
final class DaemonProcess {
  let home: Home
  private let process = Process()

  /// The folder of the program that tests, where everything is built.
  static var programs: String {
    get throws {
      let test = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      // The package's test bundle is the program itself, or is in the same directory.
      let candidates = [test, CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? test].map {
        URL(fileURLWithPath: $0).deletingLastPathComponent().path
      }
      guard let folder = candidates.first(where: { FileManager.default.isExecutableFile(atPath: "\($0)/placesd") }) else {
        throw Connection.Failure(description: "there is no placesd in \(candidates.joined(separator: " or "))")
      }
      return folder
    }
  }

  /// The environment of a new process, as a service manager or a shell prepares it.
  struct Setting {
    /// A shell script that ends in `exec "$@"`; so the process keeps its number.
    var script = "exec \"$@\""
    /// A program, with its arguments, that runs the daemon inside the filter.
    var wrapper: [String] = []
    var environment: [String: String] = [:]
    var input: Any = FileHandle.nullDevice
  }

  init(_ home: Home, arguments: [String]? = nil, in setting: Setting? = nil) throws {
    self.home = home
    let programs = try DaemonProcess.programs
    // With `make system-calls`, strace(1) counts the calls. With -D, the process keeps its number.
    let trace = ProcessInfo.processInfo.environment["PLACES_TRACE"].map { folder in
      ["/usr/bin/strace", "-D", "-f", "-c", "-o", "\(folder)/\(UUID())"]
    }
    // Every daemon of these tests runs under the filter of the system unit.
    let words =
      (trace ?? []) + ["\(programs)/system-calls", "allow", try ServiceUnit.allowedSystemCalls.get()]
      + (setting?.wrapper ?? []) + ["\(programs)/placesd"]
      + (arguments ?? ["--config", home.configuration])
    process.executableURL = URL(fileURLWithPath: setting == nil ? words[0] : "/bin/sh")
    process.arguments = setting.map { ["-c", $0.script, "sh"] + words } ?? Array(words.dropFirst())
    // The user's own variables must not affect tests; those of sanitizers and of the loader must remain.
    let foreign = ["PLACES_", "XDG_", "NOTIFY_", "LISTEN_", "WATCHDOG_", "STATE_", "CACHE_", "RUNTIME_", "CREDENTIALS_"]
    process.environment = ProcessInfo.processInfo.environment.filter { name, _ in !foreign.contains { name.hasPrefix($0) } }
      .merging(["HOME": home.folder.path, "SWIFT_BACKTRACE": "enable=no"]) { $1 }.merging(setting?.environment ?? [:]) { $1 }
    let path = home.folder.file("log")
    if !FileManager.default.fileExists(atPath: path) { try home.folder.write("", to: "log") }
    // Two daemons of one home append to the same file.
    let log = FileHandle(fileDescriptor: open(path, O_WRONLY | O_APPEND | O_CLOEXEC), closeOnDealloc: false)
    process.standardError = log
    process.standardOutput = log
    process.standardInput = setting?.input ?? FileHandle.nullDevice
    try process.run()
    try log.close()
  }

  deinit { kill() }

  var isRunning: Bool { process.isRunning }
  var id: Int32 { process.processIdentifier }
  func signal(_ number: Int32) { Glibc.kill(id, number) }
  func kill() { if process.isRunning { signal(SIGKILL) } }

  /// The exit code, or minus the signal's number.
  func exitCode(within seconds: Double = 15) async throws -> Int32 {
    try await eventually("the daemon's end", within: seconds) { process.isRunning ? nil : () }
    return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
  }

  /// A connection, as soon as the daemon listens.
  func connect() async throws -> Connection {
    try await eventually("the daemon's start; its log is:\n\(home.log)") {
      guard process.isRunning else { throw Connection.Failure(description: "the daemon has ended:\n\(home.log)") }
      return try? Connection(to: home.socket)
    }
  }

  /// Sends a request on a new connection.
  func suggest(_ query: String) async throws -> JSONValue { try await connect().suggest(query) }

  /// Waits for a line in the log that holds a text.
  func logged(_ text: String, times: Int = 1) async throws {
    try await eventually("'\(text)' in the log") {
      home.log.split(separator: text, omittingEmptySubsequences: false).count > times ? () : nil
    }
  }

  /// The processes that the daemon has started: its providers'.
  func children() throws -> [Int32] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }.filter { child in
      // The parent is the second field after the closing parenthesis of the name (proc(5)).
      let status = try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8)
      let fields = status?.split(separator: ")").last?.split(separator: " ")
      return fields.map { $0.count > 1 && Int32($0[1]) == id } ?? false
    }
  }
}

/// Runs a daemon during a test. It is always killed at the end.
func withDaemon(
  _ home: Home, in setting: DaemonProcess.Setting? = nil, _ body: (DaemonProcess) async throws -> Void
) async throws {
  let daemon = try DaemonProcess(home, in: setting)
  defer { daemon.kill() }
  try await body(daemon)
}
