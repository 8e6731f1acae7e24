import Foundation  // The environment's PLACES_PROVE.
import PlacesKit
import PlacesTesting
import Synchronization
import Testing

@testable import Storage

/// True if the longer property tests are requested, by `make prove`.
let isProving = ProcessInfo.processInfo.environment["PLACES_PROVE"] == "1"

/// Collects log lines.
final class Log: Sendable {
  private let state = Mutex<[String]>([])
  var lines: [String] { state.withLock { $0 } }
  var write: @Sendable (LogLevel, String) -> Void { { level, message in self.state.withLock { $0.append("\(level): \(message)") } } }
}

/// A cache in a temporary directory, with a manual clock, that writes to disk when the test calls `flush`.
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

  /// Opens the database and writes all pending writes.
  func flush() async {
    await cache.writer.open()
    await cache.writer.writePending()
  }

  /// Closes the cache and opens it again on the same files; with `crash` it is not closed properly.
  func restart(crash: Bool = false, settings: String = "", diskBytes: Int = 1 << 24) async {
    if crash { await cache.reader.close() } else { await cache.writer.finish() }
    cache = CacheBench.make(folder, time, log, diskBytes, 1 << 20, settings)
    await cache.writer.open()
  }

  /// True if one of the cache's files contains the text.
  func diskHolds(_ text: String) throws -> Bool {
    for name in Files.names(in: folder.path) where name.hasPrefix("cache.db") {
      let data = try Data(contentsOf: URL(fileURLWithPath: folder.file(name)))
      if data.range(of: Data(text.utf8)) != nil { return true }
    }
    return false
  }
}

/// Terms that allow storing everything for this time.
func terms(
  _ seconds: Double?, ids: Double?? = .none, coordinates: Double?? = .none, negative: Double = 60, stale: Double = 0,
  isolation: Terms.Isolation = .system
) -> Terms {
  Terms(
    idsSeconds: ids ?? seconds, coordinatesSeconds: coordinates ?? seconds, otherSeconds: seconds, negativeSeconds: negative,
    staleSeconds: stale, isolation: isolation, source: "test")
}

func key(_ query: String, provider: String = "p", _ terms: Terms, _ partition: Partition = .everybody) -> AnswerKey {
  AnswerKey(provider: provider, terms: terms, call: .autocomplete(AutocompleteRequest(query: query)), partition: partition)
}

func answer(_ texts: String..., location: Coordinate? = nil, id: String? = nil) -> Answer {
  .suggestions(Page(rows: texts.map { Suggestion(kind: .place, id: id, text: FormattedText($0), location: location) }))
}
