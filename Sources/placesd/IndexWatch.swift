import Configuration
import PlacesKit
import Synchronization

/// Notices that an index was replaced, as `placesctl gazetteer` does, since what was answered from the one before is out of date. It
/// looks when it is asked, and at most once a second, so that nothing wakes a daemon that has nothing to do.
final class IndexWatch: Sendable {
  private let identities = Mutex<[FileIdentity?]>([])
  private let latest = Atomic<UInt64>(0)
  /// Monotonic milliseconds.
  private let nextLook = Atomic<UInt64>(0)

  /// Another number whenever one of the files has become another one.
  /// - Parameter now: monotonic seconds.
  func revision(at now: Double, of paths: () -> [String]) -> UInt64 {
    let milliseconds = UInt64(max(0, now * 1_000))
    // Every known answer comes by here.
    guard milliseconds >= nextLook.load(ordering: .relaxed) else { return latest.load(ordering: .relaxed) }
    return identities.withLock { known in
      nextLook.store(milliseconds + 1_000, ordering: .relaxed)
      let found = paths().map(FileIdentity.init)
      if found != known { latest.add(1, ordering: .relaxed) }
      known = found
      return latest.load(ordering: .relaxed)
    }
  }
}

extension Configuration {
  /// Where the gazetteers' indexes may lie.
  var indexes: [String] {
    providers.filter { $0.plugin == Configuration.gazetteer }.flatMap { settings in
      settings.settings["index"]?.value.string.map { [$0] } ?? dataDirectories.map { "\($0)/gazetteer.db" }
    }
  }
}
