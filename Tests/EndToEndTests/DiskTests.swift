import Foundation
import JSON
import PlacesTesting
import Testing

/// A daemon whose directories are on a small private file system (mount_namespaces(7)).
struct Disk {
  private let commands = Pipe()
  let setting: DaemonProcess.Setting

  /// Whether this machine lets the test mount.
  static let canMount: Bool = {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "unshare -rm mount -t tmpfs none /mnt 2>/dev/null"]
    try? process.run()
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  /// `options` are those of the file system once everything is in its place, such as `ro`.
  init(_ home: Home, options: String) {
    let (state, cache) = (home.folder.file("state"), home.folder.file("cache"))
    // The daemon replaces the shell; a second shell executes the test's commands until its input ends.
    let script = """
      mkdir -p "\(state)" "\(cache)" && mount -t tmpfs -o size=3m none "\(cache)" && mkdir -m 700 "\(cache)/state" "\(cache)/cache" &&
      mount --bind "\(cache)/state" "\(state)" && mount -o remount,\(options) "\(cache)" || exit 99
      exec 4<&0; (while read -r line <&4; do eval "$line"; done) >/dev/null 2>&1 & exec "$@" 4<&- </dev/null
      """
    setting = DaemonProcess.Setting(script: "exec unshare -rm sh -c '\(script)' sh \"$@\"", input: commands)
  }

  func run(_ command: String) throws { try commands.fileHandleForWriting.write(contentsOf: Data((command + "\n").utf8)) }
  func end() { try? commands.fileHandleForWriting.close() }
}

@Suite("A disk that cannot be written")
struct DiskTests {
  private static let isProving = ProcessInfo.processInfo.environment["PLACES_PROVE"] == "1"

  /// The counted provider costs nothing, and may be asked so often in a day.
  private func home(_ service: PhotonService) throws -> Home {
    let home = try Home(withIndex: false)
    let index = home.folder.file("index.db")
    try Home.buildIndex(at: index)
    let counted = service.settings.replacingOccurrences(of: "[providers.photon]", with: "[providers.counted]")
    try home.configure(
      daemon: "",
      providers: """
        [providers.gazetteer]
        plugin = "gazetteer"
        enabled = true
        index = "\(index)"
        \(service.settings)
        \(counted)
        budget = { calls_per_day = 100000 }
        """)
    return home
  }

  /// Asks until the counted provider has the outcome; every answer on the way must have the others' rows.
  private func ask(_ client: Connection, until outcome: JSONValue, _ counter: inout Int) async throws -> JSONValue {
    try await eventually("\(outcome.text) of the counted provider", within: 40, every: .milliseconds(20)) { () -> JSONValue? in
      counter += 1
      let reply = try await client.suggest("berl\(counter % 2 == 0 ? "" : "in") \(counter)", ["deadlineMs": 3000])
      #expect(reply.report("photon")?["outcome"] == "ok", "\(reply.text)")
      #expect(reply.texts.contains { $0.hasPrefix("Berlin") }, "\(reply.text)")
      // A bare nil would be JSON's.
      return reply.report("counted")?["outcome"] == outcome ? reply : .none
    }
  }

  /// Asks until the ledger fails; every answer on the way must have the rows of the counted provider, which costs nothing.
  private func askUntilOff(_ client: Connection, _ counter: inout Int) async throws {
    try await eventually("the ledger's failure", within: 40, every: .milliseconds(20)) { () -> Void? in
      counter += 1
      let reply = try await client.suggest("berl \(counter)", ["deadlineMs": 3000])
      #expect(reply.report("counted")?["outcome"] == "ok", "\(reply.text)")
      return try await client.call("budget.get").text.contains("\"unavailable\"") ? () : nil
    }
    for _ in 0..<5 {
      counter += 1
      let reply = try await client.suggest("berl \(counter)", ["deadlineMs": 3000])
      #expect(reply.report("counted")?["outcome"] == "ok", "\(reply.text)")
    }
  }

  @Test("stops only paid and counted calls, and the daemon recovers by itself", .enabled(if: Disk.canMount))
  func full() async throws {
    let service = try PhotonService()
    defer { service.stop() }
    let home = try home(service)
    let disk = Disk(home, options: "rw")
    defer { disk.end() }
    try await withDaemon(home, in: disk.setting) { daemon in
      let client = try await daemon.connect()
      for id in ["photon", "counted"] { try await client.ready(id) }
      var counter = 0
      _ = try await ask(client, until: "ok", &counter)
      try disk.run("head -c 64M /dev/zero >\(home.folder.file("cache/ballast"))")
      try await askUntilOff(client, &counter)
      for _ in 0..<20 { #expect(try await client.suggest("suva").ids.contains("gazetteer:2193733")) }
      // The answers in memory remain.
      #expect(try await client.suggest("berl \(counter - counter % 2)").report("photon")?["served"] == "cache")
      // The cache writes later than the ledger, and notices the failure then.
      try await eventually("the cache's failure", within: 20) { home.log.contains("answers are not stored on disk") ? () : nil }
      let log = home.log
      for line in ["paid calls are off", "answers are not stored on disk"] {
        #expect(log.components(separatedBy: line).count == 2, "once in a while is once here:\n\(log)")
      }
      let warning = try await client.call("service.info")["result"]?["warnings"]?[0]?.string
      #expect(warning?.contains("answers are not stored on disk") == true, "\(String(describing: warning))")
      #expect(try await client.call("service.metrics")["result"]?["placesd_cache_writable"]?.double == 0)
      try disk.run("rm \(home.folder.file("cache/ballast"))")
      _ = try await ask(client, until: "ok", &counter)
      try await daemon.logged("the spending ledger is available again")
      if Self.isProving {
        // Tried again at the next answer after half a minute; the ledger may be back sooner.
        try await eventually("the cache on disk", within: 90, every: .milliseconds(200)) {
          counter += 1
          _ = try await client.suggest("berlin \(counter)")
          return home.log.contains("writing the cache to disk again") ? () : nil
        }
      }
      // Foundation takes a process for running as long as any that it began is.
      disk.end()
      daemon.signal(SIGTERM)
      #expect(try await daemon.exitCode() == 0)
    }
  }

  @Test("may be read-only at the start: free providers answer, and the others once it is writable", .enabled(if: Disk.canMount))
  func readOnly() async throws {
    let service = try PhotonService()
    defer { service.stop() }
    let home = try home(service)
    let disk = Disk(home, options: "ro")
    defer { disk.end() }
    try await withDaemon(home, in: disk.setting) { daemon in
      let client = try await daemon.connect()
      for id in ["photon", "counted"] { try await client.ready(id) }
      var counter = 0
      try await askUntilOff(client, &counter)
      try disk.run("mount -o remount,rw \(home.folder.file("cache"))")
      _ = try await ask(client, until: "ok", &counter)
    }
  }

  /// RLIMIT_FSIZE needs no right to mount, and its signal ends a process that does not expect it.
  @Test("may be a limit on files: the daemon runs and answers, and continues to write when the limit is removed")
  func limited() async throws {
    let service = try PhotonService()
    defer { service.stop() }
    let home = try home(service)
    try await withDaemon(home) { daemon in
      let client = try await daemon.connect()
      for id in ["photon", "counted"] { try await client.ready(id) }
      var counter = 0
      _ = try await ask(client, until: "ok", &counter)
      try limit(daemon, "0")
      try await askUntilOff(client, &counter)
      try limit(daemon, "unlimited")
      _ = try await ask(client, until: "ok", &counter)
      try await daemon.logged("the spending ledger is available again")
    }
  }

  /// Only the soft limit, so that it can be lifted again.
  private func limit(_ daemon: DaemonProcess, _ bytes: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/prlimit")
    process.arguments = ["--pid", "\(daemon.id)", "--fsize=\(bytes):"]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }
}
