import Glibc

/// Who may change a file, or what a folder holds.
struct FileAccess: Sendable, Hashable {
  var mode: mode_t
  var owner: uid_t

  init(mode: mode_t, owner: uid_t) {
    self.mode = mode
    self.owner = owner
  }

  init(_ facts: stat) { self.init(mode: facts.st_mode & 0o7777, owner: facts.st_uid) }

  /// Nil where there is no such folder.
  init?(folder: String) {
    var facts = stat()
    guard stat(folder, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else { return nil }
    self.init(facts)
  }

  /// Why the configuration there is not to be believed: whoever can write it could have the daemon run a command.
  /// - Parameter user: who reads it.
  func problems(_ path: String, user: uid_t = geteuid()) -> [ConfigurationProblem] {
    var problems: [ConfigurationProblem] = []
    if owner != 0, owner != user {
      problems.append(
        ConfigurationProblem(.file(path), "it belongs to user \(owner), who could change it", suggestion: "chown root \(path)"))
    }
    // In a sticky folder, as /tmp is one, nobody may replace what another one owns.
    if mode & 0o002 != 0, mode & mode_t(S_ISVTX) == 0 {
      problems.append(ConfigurationProblem(.file(path), "everybody may write it", suggestion: "chmod o-w \(path)"))
    }
    return problems
  }
}
