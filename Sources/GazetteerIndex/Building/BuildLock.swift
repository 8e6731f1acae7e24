import Glibc

/// Locks an index for one builder. Two concurrent builds would both copy the old index, and the later one would drop the other's records.
final class BuildLock {
  private let descriptor: Int32

  /// Locks the file `PATH.lock`, which is not removed afterwards. Throws `writing` if another build, in this or another process, holds the
  /// lock.
  init(_ path: String) throws(GazetteerError) {
    descriptor = open("\(path).lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .writing(path: path, reason: String(cString: strerror(errno))) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      // `descriptor` is set, so `deinit` closes the file although this initialiser throws.
      let code = errno
      throw .writing(
        path: path,
        reason: code == EWOULDBLOCK ? "another build of this index is running; wait until it has finished" : String(cString: strerror(code))
      )
    }
  }

  deinit { close(descriptor) }
}
