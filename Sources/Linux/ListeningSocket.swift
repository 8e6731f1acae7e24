import CLinux
import Glibc

/// A Unix socket that accepts clients, with a lock file that prevents a second daemon on the same path.
public struct ListeningSocket: ~Copyable, Sendable {
  public private(set) var descriptor: FileDescriptor
  /// The path to which the socket is bound; nil for a socket that the service manager created.
  public let path: String?
  /// The lock file; nil for a socket that the service manager created.
  private let lock: FileDescriptor?
  private var mode: mode_t = 0o666
  private var backlog = ListeningSocket.defaultBacklog
  /// The default of the maximum number of connections that wait to be accepted.
  public static let defaultBacklog: Int32 = 1_024

  /// The reason why a listening socket could not be created.
  public enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// Another daemon serves this path.
    case alreadyRunning(String)
    /// The file at the path, or its directory, cannot be trusted. The sentence gives the reason.
    case untrusted(String)
    /// A system call failed.
    case system(SystemError)

    public var description: String {
      switch self {
      case .alreadyRunning(let path): "already running: another daemon answers on \(path)"
      case .untrusted(let reason): reason
      case .system(let error): error.description
      }
    }
  }

  /// Takes a socket that already listens, such as the service manager's. An Internet socket is rejected, because the kernel does not report
  /// the users of its clients, and other machines could connect to it.
  public init(inherited descriptor: consuming FileDescriptor) throws(Failure) {
    guard clinux_listens(descriptor.number) == 1 else {
      throw .untrusted(
        "descriptor \(descriptor.number) is not a listening Unix stream socket: ListenStream= takes a path")
    }
    self.descriptor = descriptor
    path = nil
    lock = nil
  }

  /// Takes a socket that need not listen, for tests.
  package init(unchecked descriptor: consuming FileDescriptor) {
    self.descriptor = descriptor
    path = nil
    lock = nil
  }

  /// Binds a path with these permissions. A stale socket is replaced, and a missing directory is created. Throws if another process listens
  /// at the path, if the file is not a socket, or if other users could replace files in the directory.
  public init(path: String, mode: mode_t = 0o666, backlog: Int32 = ListeningSocket.defaultBacklog) throws(Failure) {
    try ListeningSocket.prepare(folder: ListeningSocket.folder(of: path))
    let lock = try ListeningSocket.lock(path + ".lock", path)
    try ListeningSocket.removeStale(path)
    let descriptor = FileDescriptor(owning: try ListeningSocket.check(clinux_socket(), "create a socket"))
    try ListeningSocket.bind(descriptor.number, path, mode, backlog)
    self.lock = consume lock
    self.descriptor = descriptor
    self.path = path
    self.mode = mode
    self.backlog = backlog
  }

  /// True if there is no file at the socket's path, for example after `rm`. Then clients can no longer connect.
  public static func isGone(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) != 0 && errno == ENOENT
  }

  private static func folder(of path: String) -> String {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    return folder.isEmpty ? "/" : folder
  }

  /// Listens at the same path again with a new descriptor. A missing directory is created. Connections that the old socket has not accepted
  /// yet are closed.
  public mutating func rebind() throws(Failure) {
    guard let path else { return }
    try ListeningSocket.prepare(folder: ListeningSocket.folder(of: path))
    let descriptor = FileDescriptor(owning: try ListeningSocket.check(clinux_socket(), "create a socket"))
    try ListeningSocket.bind(descriptor.number, path, mode, backlog)
    self.descriptor = descriptor
  }

  /// Creates the socket under a temporary name, and renames it when its permissions are set and it listens.
  private static func bind(_ socket: Int32, _ path: String, _ mode: mode_t, _ backlog: Int32) throws(Failure) {
    let temporaryPath = path + ".new"
    unlink(temporaryPath)
    _ = try check(clinux_bind(socket, temporaryPath), "bind", path)
    _ = try check(chmod(temporaryPath, mode), "set the permissions of", path)
    _ = try check(listen(socket, backlog), "listen on", path)
    _ = try check(rename(temporaryPath, path), "put in place", path)
  }

  /// Removes the socket's file, so that no more clients connect.
  public borrowing func unlinkPath() { if let path { unlink(path) } }

  /// Creates a missing directory, and checks that other users cannot replace files in it.
  private static func prepare(folder: String) throws(Failure) {
    var status = stat()
    if lstat(folder, &status) != 0 {
      _ = try check(mkdir(folder, 0o755), "create", folder)
      _ = try check(lstat(folder, &status), "look at", folder)
    }
    // If the path is a symbolic link, such as /var/run, its target is checked.
    if status.st_mode & S_IFMT == S_IFLNK { _ = try check(stat(folder, &status), "look at", folder) }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw .untrusted("\(folder) is not a directory, so no socket can be created in it") }
    guard status.st_uid == 0 || status.st_uid == geteuid() else {
      throw .untrusted("\(folder) belongs to another user, who could replace the socket: choose another directory")
    }
    // In a sticky directory, other users cannot replace this user's files.
    guard status.st_mode & 0o022 == 0 || status.st_mode & S_ISVTX != 0 else {
      throw .untrusted("\(folder) is writable by other users, who could replace the socket: chmod go-w \(folder)")
    }
  }

  /// Locks the lock file of a path. Throws `alreadyRunning` if another process holds the lock.
  private static func lock(_ file: String, _ path: String) throws(Failure) -> FileDescriptor {
    let number = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    let descriptor = FileDescriptor(owning: try check(number, "open", file))
    guard flock(descriptor.number, LOCK_EX | LOCK_NB) == 0 else {
      if errno == EWOULDBLOCK { throw .alreadyRunning(path) }
      throw .system(SystemError("lock", file))
    }
    return descriptor
  }

  /// Removes a socket at the path if no process listens on it. Throws if a process listens, or if the file at the path is not a socket or
  /// belongs to another user.
  private static func removeStale(_ path: String) throws(Failure) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw .untrusted("\(path) is not a socket; remove it, or choose another path") }
    guard status.st_uid == geteuid() || geteuid() == 0 else { throw .untrusted("\(path) belongs to another user; choose another path") }
    do throws(SystemError) {
      _ = try FileDescriptor.connect(to: path)
    } catch {
      // If the connection is refused, no process listens. Any other error, such as a full backlog, shows that a process listens.
      guard error.code == ECONNREFUSED else { throw .alreadyRunning(path) }
      _ = try check(unlink(path), "remove the stale socket", path)
      return
    }
    throw .alreadyRunning(path)
  }

  private static func check(_ result: Int32, _ operation: String, _ subject: String = "") throws(Failure) -> Int32 {
    guard result >= 0 else { throw .system(SystemError(operation, subject)) }
    return result
  }
}
