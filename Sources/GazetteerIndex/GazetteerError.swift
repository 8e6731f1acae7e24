import SQLite

/// An error of building or reading an index. The message says what failed, on which file and, if the user can mend it, how.
public enum GazetteerError: Error, Sendable, Hashable {
  /// There is no index at this path.
  case missing(path: String)
  /// The index is damaged or was made by another version. A build replaces it.
  case damaged(path: String, reason: String)
  /// The file at this path is not recognisable as an index, not even as a damaged one. No build overwrites it.
  case foreign(path: String)
  /// The index cannot be read at the moment: memory, descriptors or the disk failed.
  case unreadable(path: String, reason: String)
  /// An input file cannot be read or has the wrong format.
  case source(path: String, reason: String)
  /// The new index could not be written.
  case writing(path: String, reason: String)
  /// The caller's deadline has passed, or its task was cancelled.
  case late
  /// The caller cancelled the build. The old index is unchanged.
  case cancelled

  public var message: String {
    switch self {
    case .missing(let path): "there is no gazetteer index at \(path): run `placesctl gazetteer build`"
    case .damaged(let path, let reason): "the gazetteer index \(path) cannot be used (\(reason)): run `placesctl gazetteer build`"
    case .foreign(let path):
      "\(path) is not a gazetteer index, or its header is damaged: move it away, then run `placesctl gazetteer build`"
    case .unreadable(let path, let reason): "the gazetteer index \(path) cannot be read at the moment (\(reason))"
    case .source(let path, let reason): "\(path): \(reason)"
    case .writing(let path, let reason): "cannot write the gazetteer index \(path): \(reason)"
    case .late: "the gazetteer did not answer before the deadline"
    case .cancelled: "cancelled; the old index is unchanged"
    }
  }
}
