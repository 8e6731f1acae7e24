import GazetteerIndex
import PlacesKit
import Synchronization

/// Finds and opens the index, and stores the first damage that a call found in it. The index is opened at the first call, and again after
/// another file has replaced it.
final class IndexLocation: Sendable {
  private struct OpenIndex {
    var path: String
    var identity: FileIdentity
    var reader: GazetteerReader
    /// The first damage that a call found.
    var damage: GazetteerError?
  }

  /// The paths at which the index may be. The first one that exists is used.
  private let candidatePaths: [String]
  private let openIndex = Mutex<OpenIndex?>(nil)

  /// - Parameters:
  ///   - setting: the configured path of the index; nil to look for `gazetteer.db` in the folders.
  ///   - folders: the data folders, the preferred one first.
  init(setting: String?, folders: [String]) {
    candidatePaths = setting.map { [$0] } ?? folders.map { "\($0)/gazetteer.db" }
  }

  /// A reader of the current index, and the identity of its file. Throws if there is no index or it cannot be used.
  func reader() throws(GazetteerError) -> (reader: GazetteerReader, identity: FileIdentity) {
    for path in candidatePaths {
      guard let identity = FileIdentity(path) else { continue }
      if let reader = openIndex.withLock({ $0?.path == path && $0?.identity == identity ? $0?.reader : nil }) { return (reader, identity) }
      let reader = try GazetteerReader(path: path)
      // If two calls open the index at the same time, one of the two readers is closed when its call ends.
      openIndex.withLock { $0 = OpenIndex(path: path, identity: identity, reader: reader) }
      return (reader, identity)
    }
    throw .missing(path: candidatePaths.first ?? "gazetteer.db")
  }

  /// The first damage that a call found in the open index; nil if no call found any.
  var damage: GazetteerError? { openIndex.withLock { $0?.damage } }

  /// Stores the damage that a call found, if it is the first damage of the index and the index has not been replaced since. Returns whether
  /// it was stored.
  func recordIfFirst(_ damage: GazetteerError, in reader: GazetteerReader) -> Bool {
    openIndex.withLock { current in
      guard current?.reader === reader, current?.damage == nil else { return false }
      current?.damage = damage
      return true
    }
  }
}
