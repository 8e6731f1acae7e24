import Foundation
import Glibc
import JSON
import PlacesTesting
import Testing

@Suite("A machine that runs out of memory")
struct OutOfMemoryTests {
  @Test(
    "loses a provider's process before the daemon, also if the daemon does not run as root",
    .enabled(if: geteuid() == 0, "only root can start a daemon as another user"))
  func preferredProcess() async throws {
    let home = try Home(
      providers: """
        [providers.photon]
        plugin = "photon"
        enabled = true
        isolation = "process"
        base_url = "http://127.0.0.1:9"
        allow_private_addresses = true
        """)
    let nobody: UInt32 = 65_534
    for name in [""] + (FileManager.default.subpaths(atPath: home.folder.path) ?? []) {
      try #require(chown(home.folder.file(name), nobody, nobody) == 0)
    }
    let setting = DaemonProcess.Setting(
      script: #"exec setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all --bounding-set=-all "$@""#)
    try await withDaemon(home, in: setting) { daemon in
      try await daemon.connect().ready("photon")
      let process = try #require(try daemon.children().first)
      #expect(try Self.score(of: process) == "1000")
      #expect(try Self.score(of: daemon.id) == Self.score(of: getpid()))
    }
  }

  private static func score(of process: Int32) throws -> String {
    try String(contentsOfFile: "/proc/\(process)/oom_score_adj", encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
