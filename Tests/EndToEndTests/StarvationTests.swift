import Foundation
import JSON
import Testing

@Suite("A daemon with few resources")
struct StarvationTests {
  /// Starts a daemon, waits until it serves or ends, and then ends it with SIGTERM; the exit code.
  private func run(_ home: Home, in setting: DaemonProcess.Setting) async throws -> Int32 {
    let daemon = try DaemonProcess(home, in: setting)
    defer { daemon.kill() }
    _ = try? await daemon.connect()
    daemon.signal(SIGTERM)
    return try await daemon.exitCode(within: 8)
  }

  @Test("serves or exits with a message, and obeys SIGTERM, with any limit of open files", arguments: [10, 14, 18, 20, 24, 28, 32])
  func descriptors(count: Int) async throws {
    let home = try Home()
    let code = try await run(home, in: .init(script: "ulimit -n \(count); exec \"$@\""))
    #expect(code == 0 || home.log.contains("placesd cannot"), "exit \(code):\n\(home.log)")
  }

  @Test(
    "refuses with a sentence if it cannot have its threads", .enabled(if: geteuid() == 0, "only root may become another user"),
    arguments: [3, 6, 9, 12, 16])
  func threads(count: Int) async throws {
    let home = try Home()
    // A user of no other process.
    let user = 61_000 + count
    let folder = home.folder.path
    let script =
      "chown -R \(user):\(user) '\(folder)'; exec setpriv --reuid=\(user) --regid=\(user) --clear-groups prlimit --nproc=\(count) \"$@\""
    let code = try await run(home, in: .init(script: script))
    #expect(code == 1 && home.log.contains("threads can be created"), "exit \(code):\n\(home.log)")
  }

  @Test("answers without a cache on disk if cache_dir cannot be used, and warns")
  func noCache() async throws {
    let home = try Home()
    // A file in place of the directory, which also prevents root from creating it.
    try home.folder.write("", to: "cache")
    try await withDaemon(home) { daemon in
      #expect(try await daemon.suggest("suva").ids == ["gazetteer:2193733"])
      try await daemon.logged("answers are not stored on disk")
      let warnings = try await daemon.connect().call("service.info")["result"]?["warnings"]
      #expect(warnings?[0]?.string?.contains("answers are not stored on disk") == true, "\(String(describing: warnings))")
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
