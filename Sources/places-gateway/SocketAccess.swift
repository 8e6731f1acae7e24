import Glibc
import Linux
import PlacesKit
import Synchronization

/// Determines whether a user may connect to the daemon's socket. A gateway that connects on behalf of the user must enforce the permissions
/// of the socket and of its directories itself. This class does not read access control lists.
final class SocketAccess: Sendable {
  private struct State {
    var answer: (isPermitted: Bool, until: Double)?
    /// True while a thread looks up the permission, which may take longer than requests wait for it.
    var isLookingUp = false
    /// The requests that wait for the answer, by number.
    var waiting: [Int: AsyncStream<Bool?>.Continuation] = [:]
    var lastNumber = 0
  }

  private let time: any TimeSource
  private let lookUp: @Sendable () -> Bool?
  private let state = Mutex(State())
  /// The number of threads that look up permissions, for all users together.
  private static let threadCount = Mutex(0)
  private static let maxThreads = 32
  /// Seconds for which an answer is used.
  static let lifetime = 10.0
  /// Seconds that a request waits for an answer.
  static let timeLimit = 2.0

  /// - Parameter path: the socket that the gateway connects to.
  convenience init(of user: UInt32, to path: String, time: any TimeSource = SystemTime()) {
    self.init(time: time) {
      // If the socket does not exist, the user is permitted to connect: the attempt to connect reports the real error.
      if access(path, F_OK) != 0 { return true }
      return SocketAccess.permits(user, path: path) { SocketAccess.groups(of: user) }
    }
  }

  /// - Parameter lookUp: determines the permission, on a separate thread; returns nil if the user database returns an error.
  init(time: any TimeSource, lookUp: @escaping @Sendable () -> Bool?) {
    self.time = time
    self.lookUp = lookUp
  }

  /// The latest result; nil if there is none, or if it is too old.
  var cachedResult: Bool? { state.withLock { state in state.answer.flatMap { $0.until > time.monotonic() ? $0.isPermitted : nil } } }

  /// True if the user may connect; nil if the look-up takes too long or returns an error. A result other than an error is used for
  /// `lifetime` seconds. The groups of a user may come from a directory service that does not respond. So the look-up has its own thread,
  /// at most one for each user, and no other work waits for it.
  var isPermitted: Bool? {
    get async {
      let (answers, continuation) = AsyncStream.makeStream(of: Bool?.self)
      let (latestAnswer, number) = state.withLock { state -> (Bool?, Int) in
        if let answer = state.answer, answer.until > time.monotonic() { return (answer.isPermitted, 0) }
        state.lastNumber += 1
        state.waiting[state.lastNumber] = continuation
        return (nil, state.lastNumber)
      }
      if let latestAnswer { return latestAnswer }
      defer { state.withLock { $0.waiting[number] = nil } }
      guard startLookUp() else { return nil }
      return await withTimeLimit(SocketAccess.timeLimit, clock: time, task: "permissions of a user") {
        for await answer in answers { return answer }
        return nil
      }
    }
  }

  /// Starts a look-up unless one is in progress. Returns false if no thread can be started.
  private func startLookUp() -> Bool {
    let isFirst = state.withLock { state in
      defer { state.isLookingUp = true }
      return !state.isLookingUp
    }
    guard isFirst else { return true }
    let mayStart = SocketAccess.threadCount.withLock { count in
      guard count < SocketAccess.maxThreads else { return false }
      count += 1
      return true
    }
    if mayStart {
      let isStarted = startThread { [self] in
        let isPermitted = lookUp()
        SocketAccess.threadCount.withLock { $0 -= 1 }
        finish(isPermitted)
      }
      if isStarted { return true }
      SocketAccess.threadCount.withLock { $0 -= 1 }
    }
    state.withLock { $0.isLookingUp = false }
    return false
  }

  /// Stores the result of a look-up, and passes it to the requests that wait for it.
  private func finish(_ isPermitted: Bool?) {
    let waiting = state.withLock { state in
      state.answer = isPermitted.map { ($0, time.monotonic() + SocketAccess.lifetime) }
      state.isLookingUp = false
      return Array(state.waiting.values)
    }
    for continuation in waiting { continuation.yield(isPermitted) }
  }

  /// True if the user may search each directory in the path of a file, including the targets of symbolic links, and write to the file. Nil
  /// if that depends on groups that cannot be determined.
  /// - Parameter groups: returns the user's groups, nil if they cannot be determined; called only if the result depends on them.
  static func permits(_ user: UInt32, path: String, groups: () -> [UInt32]?) -> Bool? {
    if user == 0 { return true }
    var groupsOfUser: [UInt32]?
    // The bit is 1 for searching a directory and 2 for writing to a file.
    func hasPermission(_ file: String, _ bit: UInt32) -> Bool? {
      var status = stat()
      guard stat(file, &status) == 0 else { return false }
      if status.st_uid == user { return status.st_mode >> 6 & bit != 0 }
      let (group, others) = (status.st_mode >> 3 & bit != 0, status.st_mode & bit != 0)
      if group == others { return group }
      guard let knownGroups = groupsOfUser ?? groups() else { return nil }
      groupsOfUser = knownGroups
      return knownGroups.contains(status.st_gid) ? group : others
    }
    // The path is resolved as path_resolution(7) describes. `resolved` has no symbolic links; `names` are the remaining names, the next one
    // last.
    var resolved = ""
    var names = SocketAccess.names(in: path)
    if !path.hasPrefix("/"), let folder = getcwd(nil, 0) {
      names += SocketAccess.names(in: String(cString: folder))
      free(folder)
    }
    var links = 0
    while let name = names.popLast() {
      let mayPass = hasPermission(resolved.isEmpty ? "/" : resolved, 1)
      guard mayPass == true else { return mayPass }
      if name == ".." {
        resolved = resolved.lastIndex(of: "/").map { String(resolved[..<$0]) } ?? ""
        continue
      }
      let next = resolved + "/" + name
      guard let target = SocketAccess.target(ofLink: next) else {
        resolved = next
        continue
      }
      links += 1
      // Linux follows at most 40 symbolic links.
      guard links <= 40 else { return false }
      if target.hasPrefix("/") { resolved = "" }
      names += SocketAccess.names(in: target)
    }
    return hasPermission(resolved, 2)
  }

  /// The names in a path, the last one first.
  private static func names(in path: String) -> [String] { path.split(separator: "/").map(String.init).filter { $0 != "." }.reversed() }

  /// The target of a symbolic link; nil for any other file.
  private static func target(ofLink path: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &buffer, buffer.count)
    return count < 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
  }

  /// The user's groups as the user database has them; empty for a user that the database does not have, nil if the database
  /// cannot be read.
  private static func groups(of user: UInt32) -> [UInt32]? {
    var (entry, foundEntry) = (passwd(), UnsafeMutablePointer<passwd>?.none)
    var buffer = [CChar](repeating: 0, count: 16_384)
    guard getpwuid_r(user, &entry, &buffer, buffer.count, &foundEntry) == 0 else { return nil }
    guard foundEntry != nil else { return [] }
    let maxGroups = 1_024
    var count = Int32(maxGroups)
    var groups = [gid_t](repeating: 0, count: maxGroups)
    // `getgrouplist` returns -1 if there are more groups than fit. The groups that fit are used.
    _ = getgrouplist(entry.pw_name, entry.pw_gid, &groups, &count)
    return Array(groups.prefix(max(0, min(Int(count), maxGroups))))
  }
}
