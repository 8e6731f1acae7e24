import GazetteerIndex
import PlacesKit
import Synchronization

/// The index and the damage that calls found in it. The index is opened at the first call, and again after another file replaced it.
final class IndexLocation: Sendable {
  private struct OpenIndex {
    var path: String
    var identity: FileIdentity
    var reader: GazetteerReader
    /// The damage that a call found.
    var damage: GazetteerError?
  }

  /// The paths at which the index may be, the preferred one first.
  private let candidates: [String]
  private let openIndex = Mutex<OpenIndex?>(nil)

  /// - Parameters:
  ///   - setting: the configured path of the index; nil to look for it in the folders.
  init(setting: String?, folders: [String]) {
    candidates = setting.map { [$0] } ?? folders.map { "\($0)/gazetteer.db" }
  }

  /// A reader of the current index, and the identity of its file. Throws if there is no index or it cannot be used.
  func reader() throws(GazetteerError) -> (reader: GazetteerReader, identity: FileIdentity) {
    for path in candidates {
      guard let identity = FileIdentity(path) else { continue }
      if let reader = openIndex.withLock({ $0?.path == path && $0?.identity == identity ? $0?.reader : nil }) { return (reader, identity) }
      let reader = try GazetteerReader(path: path)
      // If two calls open the index at once, one of the two readers is closed when its call ends.
      openIndex.withLock { $0 = OpenIndex(path: path, identity: identity, reader: reader) }
      return (reader, identity)
    }
    throw .missing(path: candidates.first ?? "gazetteer.db")
  }

  /// The damage that a call found in the open index; nil if there is none.
  var damage: GazetteerError? { openIndex.withLock { $0?.damage } }

  /// Stores the damage that a call found, if it is the first damage of the index and the index is still open. Returns whether it was
  /// stored.
  func recordIfFirst(_ damage: GazetteerError, in reader: GazetteerReader) -> Bool {
    openIndex.withLock { openIndex in
      guard openIndex?.reader === reader, openIndex?.damage == nil else { return false }
      openIndex?.damage = damage
      return true
    }
  }
}
