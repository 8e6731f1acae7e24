import PlacesKit
import PlacesTesting
import Synchronization
import Testing

@testable import PlacesService

@Suite("The check for replaced data files", .timeLimit(.minutes(1)))
struct DataFileCheckerTests {
  /// A disk that answers only while it does not hang.
  private final class Disk: Sendable {
    private let hangs = Mutex(false)
    let path: String
    init(_ path: String) { self.path = path }
    func set(hangs: Bool) { self.hangs.withLock { $0 = hangs } }
    func identify(_ path: String) -> FileIdentity? {
      while hangs.withLock({ $0 }) { _ = 0 }
      return FileIdentity(path)
    }
  }

  @Test("A replaced file is noticed once, by the first check after a second")
  func replaced() async throws {
    let (folder, time) = (try TemporaryFolder(), ManualTime())
    let path = try folder.write("one", to: "index")
    let checker = DataFileChecker(now: { time.monotonic() })
    #expect(!checker.isCurrent(at: time.monotonic()))
    #expect(await !checker.checkFiles(at: [path]))
    #expect(checker.isCurrent(at: time.monotonic()))
    _ = try folder.write("another", to: "index")
    time.advance(by: 1.1)
    #expect(!checker.isCurrent(at: time.monotonic()))
    #expect(await checker.checkFiles(at: [path]))
    #expect(await !checker.checkFiles(at: [path]))
  }

  @Test("A disk that hangs delays no request beyond the limit, and the change is noticed when it answers")
  func hanging() async throws {
    let (folder, time) = (try TemporaryFolder(), ManualTime())
    let disk = Disk(try folder.write("one", to: "index"))
    let checker = DataFileChecker(now: { time.monotonic() }, maxWait: 0.01, identify: disk.identify)
    while !checker.isCurrent(at: time.monotonic()) { _ = await checker.checkFiles(at: [disk.path]) }
    // The first look may have been too slow for the limit.
    disk.set(hangs: true)
    _ = try folder.write("another", to: "index")
    for _ in 0..<20 {
      time.advance(by: 1.1)
      #expect(await !checker.checkFiles(at: [disk.path]), "it counts as unchanged")
      #expect(checker.isCurrent(at: time.monotonic()), "cached replies go on")
    }
    disk.set(hangs: false)
  }
}
