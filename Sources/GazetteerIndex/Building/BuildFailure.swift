import Glibc
import SQLite

/// An error in a step of a build. The steps throw this, `SQLiteError` or `GazetteerError`; the builder converts all of them to
/// `GazetteerError`.
enum BuildFailure: Error {
  /// The names need more bytes than an index can address.
  case full
  /// A system call failed with this value of `errno`.
  case system(Int32)
}

extension GazetteerError {
  /// Converts any error that a build of the index at `path` throws.
  init(_ error: any Error, buildingIndexAt path: String) {
    switch error {
    case let error as GazetteerError: self = error
    case let error as SQLiteError: self = .writing(path: path, reason: error.message)
    case BuildFailure.system(let code): self = .writing(path: path, reason: String(cString: strerror(code)))
    case BuildFailure.full:
      let limit = "its names need more than 4 GiB, the limit of an index: import fewer places, or remove an import first"
      self = .writing(path: path, reason: limit)
    default: self = .writing(path: path, reason: "\(error)")
    }
  }
}
