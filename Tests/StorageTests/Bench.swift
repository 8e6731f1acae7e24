import Dispatch
import Foundation  // The environment's PLACES_PROVE.
import PlacesKit
import PlacesTesting
import Synchronization

@testable import Storage

/// How much more random work is done when somebody wants proof.
let isProving = ProcessInfo.processInfo.environment["PLACES_PROVE"] == "1"

/// Lines that would have gone to the log.
final class Log: Sendable {
  private let state = Mutex<[String]>([])
  var lines: [String] { state.withLock { $0 } }
  var write: @Sendable (LogLevel, String) -> Void { { level, message in self.state.withLock { $0.append("\(level): \(message)") } } }
}

/// A cache in a folder of its own, whose clock the test turns and whose disk is written when the test says so.
final class CacheBench {
  let folder: TemporaryFolder
  let time = ManualTime()
  let log = Log()
  var cache: Cache
  private var settings = ""

  init(diskBytes: Int = 1 << 24, memoryBytes: Int = 1 << 20, settings: String = "") throws {
    folder = try TemporaryFolder()
    self.settings = settings
    cache = CacheBench.make(folder, time, log, diskBytes, memoryBytes, settings)
  }

  private static func make(
    _ folder: TemporaryFolder, _ time: ManualTime, _ log: Log, _ diskBytes: Int, _ memoryBytes: Int, _ settings: String
  ) -> Cache {
    var file = StoreFile.cache(folder.file("cache.db"))
    file.settings += settings.isEmpty ? "" : "; " + settings
    return Cache(file: file, diskBytes: diskBytes, memoryBytes: memoryBytes, time: time, log: log.write)
  }

  /// Opens the database and writes what waits.
  func flush() async {
    await cache.writer.open()
    await cache.writer.drain()
  }

  /// Ends the daemon's run and begins another on the same files; a crash leaves out the end.
  func restart(crash: Bool = false, settings: String = "", diskBytes: Int = 1 << 24) async {
    if crash { await cache.reader.close() } else { await cache.writer.finish() }
    cache = CacheBench.make(folder, time, log, diskBytes, 1 << 20, settings)
    await cache.writer.open()
  }

  /// Whether a text stands anywhere in the cache's files.
  func diskHolds(_ text: String) throws -> Bool {
    for name in Files.names(in: folder.path) where name.hasPrefix("cache.db") {
      let data = try Data(contentsOf: URL(fileURLWithPath: folder.file(name)))
      if data.range(of: Data(text.utf8)) != nil { return true }
    }
    return false
  }
}

extension CacheWriter {
  /// Occupies the writer's own thread until somebody signals.
  func hold(until gate: DispatchSemaphore) { gate.wait() }
}

/// Terms under which everything may be kept for so long.
func terms(
  _ seconds: Double?, ids: Double?? = .none, coordinates: Double?? = .none, negative: Double = 60, stale: Double = 0,
  isolation: Terms.Isolation = .system
) -> Terms {
  Terms(
    idsSeconds: ids ?? seconds, coordinatesSeconds: coordinates ?? seconds, otherSeconds: seconds, negativeSeconds: negative,
    staleSeconds: stale, isolation: isolation, source: "test")
}

func key(_ query: String, provider: String = "p", _ terms: Terms, _ partition: Partition = .everybody) -> AnswerKey {
  AnswerKey(provider: provider, terms: terms, request: .autocomplete(AutocompleteRequest(query: query)), partition: partition)
}

func answer(_ texts: String..., location: Coordinate? = nil, id: String? = nil) -> Answer {
  .suggestions(Page(rows: texts.map { Suggestion(kind: .place, id: id, text: FormattedText($0), location: location) }))
}
