import Glibc

/// The daemon's directories.
enum DaemonDirectories {
  enum Failure: Error, CustomStringConvertible {
    /// The directory cannot be created or written.
    case unusable(String)
    /// Another user could change the contents of the directory.
    case untrusted(String)

    var description: String {
      switch self {
      case .unusable(let reason), .untrusted(let reason): reason
      }
    }
  }

  /// Creates a directory and its parents, accessible only to the daemon's user, and checks it. A read-only file system is not an error,
  /// because the daemon works without the directory, and uses it as soon as it can be written.
  static func make(_ path: String) throws(Failure) {
    var parent = ""
    for part in path.split(separator: "/") {
      parent += "/\(part)"
      let errorNumber = mkdir(parent, 0o700) == 0 ? 0 : errno
      // On a read-only file system the error is EROFS even if the directory exists.
      guard errorNumber == 0 || errorNumber == EEXIST || access(parent, F_OK) == 0 else {
        throw .unusable("the directory \(parent) cannot be created: \(String(cString: strerror(errorNumber)))")
      }
    }
    var status = stat()
    guard stat(path, &status) == 0 else { throw .unusable("\(path) cannot be read: \(String(cString: strerror(errno)))") }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw .unusable("\(path) is not a directory; see state_dir and cache_dir") }
    if let reason = reasonForDistrust(owner: status.st_uid, mode: status.st_mode) { throw .untrusted("\(path) \(reason)") }
    guard access(path, W_OK | X_OK) == 0 || errno == EROFS else {
      throw .unusable("\(path) cannot be written: \(String(cString: strerror(errno))); see state_dir and cache_dir")
    }
  }

  /// The reason why other users could replace files in a directory; nil if they cannot.
  static func reasonForDistrust(owner: uid_t, mode: mode_t, user: uid_t = geteuid()) -> String? {
    if owner != 0, owner != user { return "belongs to user \(owner), who could change it; chown it to the daemon's user" }
    // In a sticky directory such as /tmp, a user cannot replace another user's files.
    if mode & 0o002 != 0, mode & mode_t(S_ISVTX) == 0 { return "can be written by every user; chmod o-w it" }
    return nil
  }
}
