import Glibc

/// The daemon's own folders.
enum ServiceFolders {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// Makes a folder and its parents, accessible only to the daemon's user. A read-only file system is not an error here: its users
  /// work without it and recover by themselves.
  static func make(_ path: String) throws(Failure) {
    var made = ""
    for part in path.split(separator: "/") {
      made += "/\(part)"
      let reason = mkdir(made, 0o700) == 0 ? 0 : errno
      // On a read-only file system the error is EROFS even if the folder exists.
      guard reason == 0 || reason == EEXIST || access(made, F_OK) == 0 else {
        throw Failure(description: "the folder \(made) cannot be made: \(String(cString: strerror(reason)))")
      }
    }
    var facts = stat()
    guard stat(path, &facts) != 0 || facts.st_mode & S_IFMT == S_IFDIR else {
      throw Failure(description: "\(path) is not a folder; see state_dir and cache_dir")
    }
    guard access(path, W_OK | X_OK) == 0 || errno == EROFS else {
      throw Failure(description: "\(path) cannot be written: \(String(cString: strerror(errno))); see state_dir and cache_dir")
    }
  }
}
