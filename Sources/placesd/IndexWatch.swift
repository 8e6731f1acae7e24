import Configuration
import PlacesKit
import Synchronization

/// Notices that an index was replaced, as `placesctl gazetteer` does, since what was answered from the one before is out of date.
final class IndexWatch: Sendable {
  private struct Found {
    var identities: [FileIdentity?] = []
    var revision: UInt64 = 0
  }

  private let latest = Mutex(Found())

  /// Another number whenever one of the files has become another one.
  func revision(of paths: [String]) -> UInt64 {
    latest.withLock { latest in
      let found = paths.map(FileIdentity.init)
      if found != latest.identities { latest.revision += 1 }
      latest.identities = found
      return latest.revision
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
