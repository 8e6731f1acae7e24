import Glibc
import SQLite

/// Why a step of a build ended.
enum BuildFailure: Error {
  case cancelled
  case sqlite(SQLiteError)
  /// What was written cannot be read.
  case index(GazetteerError)
  /// There are more names than an index has room for.
  case full
  /// errno
  case system(Int32)

  static func wrap<Result>(_ body: () throws(SQLiteError) -> Result) throws(BuildFailure) -> Result {
    do { return try body() } catch { throw .sqlite(error) }
  }

  /// As whoever builds an index is told it.
  func told(of path: String) -> GazetteerError {
    switch self {
    case .cancelled: .cancelled
    case .sqlite(let error): .writing(path: path, reason: error.message)
    case .index(let error): .writing(path: path, reason: error.message)
    case .full:
      .writing(
        path: path, reason: "its names take more than 4 GiB, the most that an index holds: import fewer places, or remove an import first")
    case .system(let code): .writing(path: path, reason: String(cString: strerror(code)))
    }
  }
}
