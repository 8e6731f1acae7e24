import Foundation
import PlacesTesting
import Testing

/// Clients written in Python: the standard library's HTTP, geopy, the package `places`, and the examples. Each file of `Tests/Clients`
/// starts its own daemon and gateway.
@Suite("Clients in Python") struct ClientTests {
  /// Pairs of files that run side by side: the first mostly waits, the second mostly computes.
  @Test(
    "find places, nothing, and errors",
    arguments: [("test_gateway", "test_replies"), ("test_geopy", "test_events"), ("test_places", "test_examples")])
  func run(_ first: String, _ second: String) async throws {
    async let firstResult: Void = run(first)
    async let secondResult: Void = run(second)
    _ = try await (firstResult, secondResult)
  }

  private func run(_ name: String) async throws {
    let folder = try TemporaryFolder()
    let index = folder.file("state/gazetteer.db")
    try Home.buildIndex(at: index)
    let process = Process()
    let clients = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Clients")
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-B", "-W", "error::SyntaxWarning", "-m", "unittest", "-q", name]
    process.currentDirectoryURL = clients
    process.environment = ProcessInfo.processInfo.environment
      .merging(["PLACES_PROGRAMS": try DaemonProcess.programs, "PLACES_INDEX": index]) { $1 }
    let log = try folder.write("", to: "log")
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
    process.standardOutput = process.standardError
    process.standardInput = FileHandle.nullDevice
    try process.run()
    try await eventually("the end of \(name)", within: 120, every: .milliseconds(20)) { process.isRunning ? nil : () }
    let said = try String(contentsOfFile: log, encoding: .utf8)
    #expect(process.terminationStatus == 0, "\(said)")
    #expect(said.contains("OK"), "\(said)")
  }
}
