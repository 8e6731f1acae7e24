import Glibc

/// Holds an index for one builder: two at once would each carry over the old index, and the later one would lose what the other brought.
final class BuildLock {
  private let descriptor: Int32

  /// Holds `PATH.lock`, a file that stays; throws where another process, or another build of this one, holds it.
  init(_ path: String) throws(GazetteerError) {
    descriptor = open("\(path).lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .writing(path: path, reason: String(cString: strerror(errno))) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      // Who throws when all is set is taken down as usual, which closes the file.
      let code = errno
      throw .writing(
        path: path,
        reason: code == EWOULDBLOCK ? "another build of this index is going on; wait until it is done" : String(cString: strerror(code)))
    }
  }

  deinit { close(descriptor) }
}
