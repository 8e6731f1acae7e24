import Foundation
import JSON
import Testing

@Suite("A daemon with few resources")
struct StarvationTests {
  /// Starts a daemon, sends a request, and ends the daemon with SIGTERM.
  /// - Returns: whether the request was answered, and the exit code.
  private func run(_ home: Home, in setting: DaemonProcess.Setting) async throws -> (serves: Bool, code: Int32) {
    let daemon = try DaemonProcess(home, in: setting)
    defer { daemon.kill() }
    let serves = (try? await daemon.suggest("suva"))?.ids == ["gazetteer:2193733"]
    daemon.signal(SIGTERM)
    return (serves, try await daemon.exitCode(within: 8))
  }

  /// Checks that the daemon serves, or refuses to start with a sentence.
  private func servesOrRefuses(_ home: Home, in setting: DaemonProcess.Setting) async throws -> Bool {
    let (serves, code) = try await run(home, in: setting)
    #expect(serves ? code == 0 : code != 0 && home.log.contains("placesd cannot start: "), "serves \(serves), exit \(code):\n\(home.log)")
    return serves
  }

  @Test(
    "serves a client or refuses to start with a sentence, and obeys SIGTERM, with any limit of open files",
    arguments: [10, 14, 18] + Array(20...32))
  func descriptors(count: Int) async throws {
    let home = try Home()
    if try await servesOrRefuses(home, in: .init(script: "ulimit -n \(count); exec \"$@\"")) { return }
    #expect(home.log.contains("only \(count) files can be open"), "\(home.log)")
  }

  @Test("serves with the limit of open files that its refusal names")
  func requiredDescriptors() async throws {
    let home = try Home()
    #expect(try await !servesOrRefuses(home, in: .init(script: #"ulimit -n 20; exec "$@""#)))
    let required = try #require(home.log.firstMatch(of: /the daemon needs (\d+)/)?.1)
    try await withDaemon(home, in: .init(script: "ulimit -n \(required); exec \"$@\"")) { daemon in
      let client = try await daemon.connect()
      for method in ["cache.stats", "budget.get"] { #expect(try await client.call(method)["result"] != nil) }
      #expect(try await client.suggest("suva").ids == ["gazetteer:2193733"])
      // Its own files are all open now, and another client still fits.
      #expect(try await daemon.suggest("suva").ids == ["gazetteer:2193733"])
    }
  }

  /// Runs the daemon as a user without other processes, with a limit on that user's processes and threads (RLIMIT_NPROC).
  private func setting(processes count: Int, _ home: Home) -> DaemonProcess.Setting {
    let user = 61_000 + count
    let folder = home.folder.path
    return .init(
      script:
        "chown -R \(user):\(user) '\(folder)'; exec setpriv --reuid=\(user) --regid=\(user) --clear-groups prlimit --nproc=\(count) \"$@\"")
  }

  /// The threads that the daemon needs beside its first one; see `ThreadCheck`.
  private static let requiredThreads = 16 + 2 * ProcessInfo.processInfo.activeProcessorCount

  @Test(
    "refuses with a sentence if it cannot have its threads", .enabled(if: geteuid() == 0, "only root may become another user"),
    arguments: [3, 6, 9, 12, 16, requiredThreads])
  func threads(count: Int) async throws {
    let home = try Home()
    let (serves, code) = try await run(home, in: setting(processes: count, home))
    #expect(!serves && code == 1 && home.log.contains("threads can be created"), "exit \(code):\n\(home.log)")
  }

  @Test(
    "serves if it can have its threads and no more", .enabled(if: geteuid() == 0, "only root may become another user"),
    arguments: [requiredThreads + 1, requiredThreads + 4, requiredThreads + 8])
  func enoughThreads(count: Int) async throws {
    let home = try Home()
    let (serves, code) = try await run(home, in: setting(processes: count, home))
    #expect(serves && code == 0, "serves \(serves), exit \(code):\n\(home.log)")
  }

  /// A reason why the daemon cannot write to cache_dir.
  enum Obstacle: String, CaseIterable {
    /// A file in place of the directory, which also prevents root from creating it.
    case file
    /// A directory whose mode does not allow its user to write.
    case mode
    /// A read-only file system, which has the database of an earlier run.
    case readOnlyMount

    var isPossible: Bool { self != .readOnlyMount || Disk.canMount }

    /// Prepares the directory.
    /// - Returns: the setting of the daemon that cannot write to it.
    func prepare(_ home: Home) async throws -> DaemonProcess.Setting {
      let cache = home.folder.file("cache")
      switch self {
      case .file:
        try home.folder.write("", to: "cache")
        return .init()
      case .mode:
        try FileManager.default.createDirectory(atPath: cache, withIntermediateDirectories: true)
        let user = "chown -R 61200:61200 '\(home.folder.path)'; exec setpriv --reuid=61200 --regid=61200 --clear-groups \"$@\""
        return .init(script: "chmod 500 '\(cache)'; \(geteuid() == 0 ? user : "exec \"$@\"")")
      case .readOnlyMount:
        try await withDaemon(home) { daemon in
          _ = try await daemon.suggest("suva")
          daemon.signal(SIGTERM)
          #expect(try await daemon.exitCode() == 0)
        }
        let mount = #"mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" || exit 99; exec "$@""#
        return .init(script: "exec unshare -rm sh -c '\(mount)' '\(cache)' \"$@\"")
      }
    }
  }

  @Test(
    "answers without a cache on disk if cache_dir cannot be written, and warns in the log, in service.info and in placesctl status",
    arguments: Obstacle.allCases.filter(\.isPossible))
  func noCache(obstacle: Obstacle) async throws {
    let home = try Home()
    let setting = try await obstacle.prepare(home)
    try await withDaemon(home, in: setting) { daemon in
      #expect(try await daemon.suggest("suva").ids == ["gazetteer:2193733"])
      let warning = "answers are not stored on disk"
      try await daemon.logged(warning)
      let warnings = try await daemon.connect().call("service.info")["result"]?["warnings"]
      #expect(warnings?[0]?.string?.contains(warning) == true, "\(String(describing: warnings))")
      let status = try await ProgramRun("placesctl", ["status"], environment: ["PLACES_SOCKET": home.socket])
      #expect((status.output + status.diagnostics).contains(warning), "\(status)")
      daemon.signal(SIGTERM)
      #expect(try await daemon.exitCode() == 0)
    }
  }

  @Test(
    "refuses a state_dir or cache_dir that another user could change", .enabled(if: geteuid() == 0, "only root can give files away"),
    arguments: ["state", "cache"], [true, false])
  func untrusted(folder: String, isOwned: Bool) async throws {
    let home = try Home()
    let path = home.folder.file(folder)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    if isOwned { #expect(chown(path, 61_001, 61_001) == 0) } else { #expect(chmod(path, 0o777) == 0) }
    let daemon = try DaemonProcess(home)
    defer { daemon.kill() }
    #expect(try await daemon.exitCode() == 1)
    #expect(home.log.contains(isOwned ? "belongs to user 61001" : "can be written by every user"), "\(home.log)")
  }
}
