import Glibc

/// Checks that only root and the user that the daemon runs as can replace a file.
///
/// A plugin is code, so a user who can write it controls the process that opens it. Every folder of the path is checked, including the
/// targets of symbolic links. If all of them pass, no other user can change what the path refers to, so the file can be opened by its path
/// afterwards without a race.
struct TrustedPath {
  /// The path with its symbolic links resolved.
  private(set) var resolved = ""
  private let user: uid_t
  private var linkCount = 0

  /// - Parameter path: absolute, or relative to the working folder.
  /// - Throws: `notFound` or `untrusted`, naming the file or folder at fault.
  init(checking path: String, user: uid_t = geteuid()) throws(ProviderStartError) {
    self.user = user
    var absolutePath = path
    if !path.hasPrefix("/") {
      var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
      guard getcwd(&buffer, buffer.count) != nil else {
        throw ProviderStartError(.notFound, path, "the working directory no longer exists: \(path)")
      }
      absolutePath = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) + "/" + path
    }
    try check(folder: "/", of: path)
    try walk(absolutePath, subject: path)
  }

  /// Follows a path from `resolved` on, and checks each component.
  private mutating func walk(_ path: String, subject: String) throws(ProviderStartError) {
    for component in path.split(separator: "/") where component != "." {
      if component == ".." {
        resolved = resolved.lastIndex(of: "/").map { String(resolved[..<$0]) } ?? ""
        continue
      }
      try step(into: String(component), subject: subject)
    }
  }

  /// Checks one component and appends it to `resolved`. If it is a symbolic link, follows the link instead.
  private mutating func step(into component: String, subject: String) throws(ProviderStartError) {
    let next = resolved + "/" + component
    let status = try self.status(of: next, subject: subject)
    guard status.st_uid == 0 || status.st_uid == user else {
      throw ProviderStartError(
        .untrusted, subject, "\(next) belongs to user \(status.st_uid): a plugin's path must belong to root or to user \(user)")
    }
    switch status.st_mode & S_IFMT {
    case S_IFLNK:
      linkCount += 1
      // The kernel follows at most 40 links too (path_resolution(7)).
      guard linkCount <= 40 else { throw ProviderStartError(.notFound, subject, "\(subject): too many levels of symbolic links") }
      let target = try target(of: next, subject: subject)
      if target.hasPrefix("/") { resolved = "" }
      try walk(target, subject: subject)
    case S_IFDIR:
      try check(folder: next, of: subject)
      resolved = next
    default:
      guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
        throw ProviderStartError(.untrusted, subject, "\(next) is writable by users other than its owner: run chmod go-w on it")
      }
      resolved = next
    }
  }

  /// Checks that other users cannot replace the files in a folder. A folder with the sticky bit, such as /tmp, passes even if it is
  /// writable for all: others may add files, but cannot replace those of root and this user, and `step` checks the owner of each component.
  private func check(folder: String, of subject: String) throws(ProviderStartError) {
    let status = try self.status(of: folder, subject: subject)
    let isWritableByOthers = status.st_mode & (S_IWGRP | S_IWOTH) != 0
    guard !isWritableByOthers || status.st_mode & S_ISVTX != 0 else {
      throw ProviderStartError(
        .untrusted, subject, "the directory \(folder) is writable by users other than its owner: run chmod go-w on it")
    }
  }

  private func status(of path: String, subject: String) throws(ProviderStartError) -> stat {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      throw ProviderStartError(.notFound, subject, "\(path): \(String(cString: strerror(errno)))")
    }
    return status
  }

  private func target(of link: String, subject: String) throws(ProviderStartError) -> String {
    guard let target = symbolicLink(link) else {
      throw ProviderStartError(.notFound, subject, "\(link): \(String(cString: strerror(errno)))")
    }
    return target
  }
}

/// The target of a symbolic link, or nil with `errno` set.
func symbolicLink(_ path: String) -> String? {
  let target = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
    count = max(0, buffer.baseAddress.map { readlink(path, $0, buffer.count) } ?? 0)
  }
  return target.isEmpty ? nil : String(decoding: target, as: UTF8.self)
}
