import Glibc

/// Advice for a user who has no permission to open a socket: it names the users and groups that have it.
enum SocketPermissionAdvice {
  /// - Parameters:
  ///   - socket: the socket that this user has no permission to open.
  ///   - mayEnter: returns true if this user may enter a folder.
  static func advice(
    socket: String, mayEnter: (String) -> Bool = { access($0, X_OK) == 0 }
  ) -> [String] {
    let closedFolder = folders(above: socket).first { !mayEnter($0) }
    var status = stat()
    guard lstat(closedFolder ?? socket, &status) == 0 else { return [] }
    let (verb, groupBit) = closedFolder == nil ? ("open", S_IWGRP) : ("enter", S_IXGRP)
    let subject = closedFolder.map { "The folder \(printable($0))" } ?? "It"
    let members = status.st_mode & groupBit == 0 ? nil : "the members of the group \(groupName(status.st_gid))"
    let owner = userName(status.st_uid)
    let users = [owner, members, status.st_uid == 0 ? nil : "root"].compactMap { $0 }.joined(separator: " and ")
    return ["\(subject) belongs to \(owner); only \(users) may \(verb) it."]
  }

  /// The folders above a path, starting at the root.
  private static func folders(above path: String) -> [String] {
    path.indices.dropFirst().filter { path[$0] == "/" }.map { String(path[..<$0]) }
  }

  static func userName(_ id: UInt32) -> String { getpwuid(id).map { String(cString: $0.pointee.pw_name) } ?? "user \(id)" }
  static func groupName(_ id: UInt32) -> String { getgrgid(id).map { String(cString: $0.pointee.gr_name) } ?? "\(id)" }
}
