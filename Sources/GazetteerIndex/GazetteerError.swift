import SQLite

/// Why an index could not be built or read; the message says what failed, on what, and what to do.
public enum GazetteerError: Error, Sendable, Hashable {
  /// There is no index at this path.
  case missing(path: String)
  /// The index is damaged, or made by another version; a build replaces it.
  case damaged(path: String, reason: String)
  /// What is at this path cannot be told to be an index, whole or damaged, and no build writes over it.
  case foreign(path: String)
  /// The index cannot be read at the moment, for want of memory, descriptors or a disk that answers.
  case unreadable(path: String, reason: String)
  /// A file of data cannot be read, or is not what it should be.
  case source(path: String, reason: String)
  /// The new index could not be written.
  case writing(path: String, reason: String)
  /// The caller does not wait for the answer any more.
  case late
  /// The caller asked to stop; the old index is untouched.
  case cancelled

  public var message: String {
    switch self {
    case .missing(let path): "there is no gazetteer index at \(path): run `placesctl gazetteer build`"
    case .damaged(let path, let reason): "the gazetteer index \(path) cannot be used (\(reason)): run `placesctl gazetteer build`"
    case .foreign(let path):
      "what is at \(path) is no gazetteer index, or its beginning is damaged: move it away, then run `placesctl gazetteer build`"
    case .unreadable(let path, let reason): "the gazetteer index \(path) cannot be read at the moment (\(reason))"
    case .source(let path, let reason): "\(path): \(reason)"
    case .writing(let path, let reason): "cannot write the gazetteer index \(path): \(reason)"
    case .late: "the gazetteer has no answer to this so soon"
    case .cancelled: "cancelled; the old index is untouched"
    }
  }
}
