import Foundation
import Testing

@Suite("The daemon at rest")
struct RestTests {
  @Test("gives back what only the latest questions needed, and answers as before")
  func rest() async throws {
    let home = try Home()
    try await withDaemon(home) { daemon in
      let client = try await daemon.connect()
      let awake = try await client.suggest("suva").ids
      let used = try resident(daemon)
      try await eventually("less memory than the \(used) pages in use") { try resident(daemon) < used * 3 / 4 ? () : nil }
      #expect(try await client.suggest("suva").ids == awake)
      #expect(try await client.suggest("münchen").texts == ["Munich, Bavaria, Germany"])
      #expect(try await client.suggest("munihc").texts == ["Munich, Bavaria, Germany"])
    }
  }

  /// Pages of memory that a daemon has resident (proc(5)).
  private func resident(_ daemon: DaemonProcess) throws -> Int {
    let fields = try String(contentsOfFile: "/proc/\(daemon.id)/statm", encoding: .utf8).split(separator: " ")
    return try #require(fields.count > 1 ? Int(fields[1]) : nil)
  }
}
