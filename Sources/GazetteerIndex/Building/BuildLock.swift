import Glibc

/// Locks an index for one builder. Two concurrent builds would both copy the old index, and the later one would drop the other's records.
final class BuildLock {
  private let descriptor: Int32

  /// Locks the file `PATH.lock`, which remains. Throws `writing` if another build has it, in any process.
  init(_ path: String) throws(GazetteerError) {
    descriptor = open("\(path).lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .writing(path: path, reason: String(cString: strerror(errno))) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      // All properties are set, so the deinitialiser closes the file.
      let code = errno
      throw .writing(
        path: path,
        reason: code == EWOULDBLOCK ? "another build of this index is running; wait until it has finished" : String(cString: strerror(code))
      )
    }
  }

  deinit { close(descriptor) }
}
