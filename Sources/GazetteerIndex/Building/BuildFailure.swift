import Glibc
import SQLite

/// Why a step of a build failed.
enum BuildFailure: Error {
  case cancelled
  case sqlite(SQLiteError)
  /// The new index cannot be read.
  case index(GazetteerError)
  /// The names exceed the size of an index.
  case full
  /// errno
  case system(Int32)

  static func wrap<Result>(_ body: () throws(SQLiteError) -> Result) throws(BuildFailure) -> Result {
    do { return try body() } catch { throw .sqlite(error) }
  }

  /// The error for the caller of the builder.
  func error(at path: String) -> GazetteerError {
    switch self {
    case .cancelled: .cancelled
    case .sqlite(let error): .writing(path: path, reason: error.message)
    case .index(let error): .writing(path: path, reason: error.message)
    case .full:
      .writing(
        path: path, reason: "its names need more than 4 GiB, the limit of an index: import fewer places, or remove an import first")
    case .system(let code): .writing(path: path, reason: String(cString: strerror(code)))
    }
  }
}
