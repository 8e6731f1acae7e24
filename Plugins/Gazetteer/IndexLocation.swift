import GazetteerIndex
import PlacesKit
import Synchronization

/// Where the index is, opened at its first use and again when another file has taken its place; what calls found damaged in it.
final class IndexLocation: Sendable {
  private struct Open {
    var path: String
    var identity: FileIdentity
    var reader: GazetteerReader
    /// What a call found damaged in it.
    var damage: GazetteerError?
  }

  private let candidates: [String]
  private let open = Mutex<Open?>(nil)

  init(setting: String?, folders: [String]) {
    candidates = setting.map { [$0] } ?? folders.map { "\($0)/gazetteer.db" }
  }

  /// The index as it is now, and what its file is; throws where there is none or it cannot be used.
  func reader() throws(GazetteerError) -> (reader: GazetteerReader, identity: FileIdentity) {
    for path in candidates {
      guard let identity = FileIdentity(path) else { continue }
      if let reader = open.withLock({ $0?.path == path && $0?.identity == identity ? $0?.reader : nil }) { return (reader, identity) }
      let reader = try GazetteerReader(path: path)
      // Two calls may open it at once; one of the two readers goes when its call ends.
      open.withLock { $0 = Open(path: path, identity: identity, reader: reader) }
      return (reader, identity)
    }
    throw .missing(path: candidates.first ?? "gazetteer.db")
  }

  /// What a call found damaged in the index that is open, until another file takes its place; nil for one that served all calls.
  var damage: GazetteerError? { open.withLock { $0?.damage } }

  /// Remembers what a call found damaged in an index. Returns whether it is the first that found something, and the index still open.
  func remember(_ damage: GazetteerError, in reader: GazetteerReader) -> Bool {
    open.withLock { open in
      guard open?.reader === reader, open?.damage == nil else { return false }
      open?.damage = damage
      return true
    }
  }
}
