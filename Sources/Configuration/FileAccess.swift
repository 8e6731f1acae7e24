import Glibc

/// The owner and mode of a file or folder, which determine the users who can change it.
struct FileAccess: Sendable, Hashable {
  var mode: mode_t
  var owner: uid_t

  init(mode: mode_t, owner: uid_t) {
    self.mode = mode
    self.owner = owner
  }

  init(_ status: stat) { self.init(mode: status.st_mode & 0o7777, owner: status.st_uid) }

  /// Reads the owner and the mode of a folder. Nil if the path does not exist or is not a folder.
  init?(folder: String) {
    var status = stat()
    guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
    self.init(status)
  }

  /// The reasons not to trust the configuration in this file: a user who can write it can make the daemon run a command.
  /// - Parameter user: the user id of the reading process.
  func problems(_ path: String, user: uid_t = geteuid()) -> [ConfigurationProblem] {
    var problems: [ConfigurationProblem] = []
    if owner != 0, owner != user {
      problems.append(
        ConfigurationProblem(.file(path), "it belongs to user \(owner), who could change it", suggestion: "chown root \(path)"))
    }
    // In a sticky folder such as /tmp, a user cannot replace another user's files.
    if mode & 0o002 != 0, mode & mode_t(S_ISVTX) == 0 {
      problems.append(ConfigurationProblem(.file(path), "every user can write it", suggestion: "chmod o-w \(path)"))
    }
    return problems
  }
}
