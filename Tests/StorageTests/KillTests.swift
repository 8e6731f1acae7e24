import Dispatch
import Foundation  // Process.
import Glibc
import Resilience
import PlacesKit
import PlacesTesting
import Testing

@testable import Storage

@Suite("Kills at random times", .serialized)
struct KillTests {
  /// The program to be killed, in the directory of the test program.
  static var program: URL? {
    guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else { return nil }
    let program = URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent("storage-kill")
    return FileManager.default.isExecutableFile(atPath: program.path) ? program : nil
  }

  @Test("lose no call that was reported as sent, and leave databases that open", .timeLimit(.minutes(5)))
  func kill() async throws {
    let program = try #require(KillTests.program, "storage-kill was not built")
    let folder = try TemporaryFolder()
    let filling = try Process.run(program, arguments: [folder.path, "fill"])
    filling.waitUntilExit()
    try #require(filling.terminationStatus == 0, "could not create the databases")
    var starts: [Double] = []
    var random = SeededRandom(seed: 11)
    var sent: [UInt32: Int] = [:]
    let rounds = isProving ? 500 : 15
    for round in 0..<rounds {
      let (calls, start) = try run(program, in: folder, until: Int.random(in: 0...12, using: &random))
      sent.merge(calls) { $0 + $1 }
      starts.append(start)
      let ledger = Ledger(path: folder.file("ledger.db"), time: SystemTime(), log: { _, message in Issue.record("\(message)") })
      var written: [UInt32: Int] = [:]
      for (key, entry) in try await ledger.load().entries where key.priceClass == "pro" {
        written[key.user, default: 0] += entry.committed.calls
      }
      await ledger.close()
      for (user, calls) in sent { #expect(written[user, default: 0] >= calls, "user \(user) in round \(round)") }
    }
    starts.sort()
    print("ready again after \(starts[starts.count / 2]) s, at most \(starts.last ?? 0) s, in \(starts.count) starts")
    // Loose limits for a debug build on a busy machine; `make bench` measures a release build.
    #expect(starts[starts.count / 2] <= 1 && starts.last ?? 0 <= 5)
    #expect(sent.values.reduce(0, +) > 2 * rounds, "too few calls were written")
    #expect(!Files.names(in: folder.path).contains { $0.contains("aside") })
    let cache = Cache(
      path: folder.file("cache.db"), diskBytes: 1 << 26, memoryBytes: 0, time: SystemTime(),
      log: { _, message in Issue.record("\(message)") })
    await cache.writer.open()
    for entry in try #require(await cache.list(.all, limit: 100)) { #expect(entry.rows == (entry.partition == .user(7) ? 10 : 1)) }
    await cache.writer.finish()
  }

  /// Runs the program and kills it after this many more calls, while it continues to write; returns the number of calls that it reported
  /// for each user, and the seconds until the first one.
  private func run(_ program: URL, in folder: TemporaryFolder, until count: Int) throws -> (calls: [UInt32: Int], start: Double) {
    let process = Process()
    let output = Pipe()
    process.executableURL = program
    process.arguments = [folder.path]
    process.standardOutput = output
    let time = SystemTime()
    let begin = time.monotonic()
    try process.run()
    let file = output.fileHandleForReading
    var data = file.availableData
    let start = time.monotonic() - begin
    let last = data.count(where: { $0 == UInt8(ascii: "\n") }) + count
    while data.count(where: { $0 == UInt8(ascii: "\n") }) < last {
      let piece = file.availableData
      if piece.isEmpty { break }
      data.append(piece)
    }
    Glibc.kill(process.processIdentifier, SIGKILL)
    data.append(file.readDataToEndOfFile())
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL)
    // An incomplete last line does not count.
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    let calls = lines.reduce(into: [UInt32: Int]()) { calls, line in
      if let user = UInt32(line) { calls[user, default: 0] += 1 }
    }
    return (calls, start)
  }
}
