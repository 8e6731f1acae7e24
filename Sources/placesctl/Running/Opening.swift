import Glibc

/// Who may open a socket, for who may not.
enum Opening {
  /// - Parameters:
  ///   - socket: that could not be opened for want of permission.
  ///   - mayEnter: whether this user may enter a folder.
  static func advice(
    socket: String, mayEnter: (String) -> Bool = { access($0, X_OK) == 0 }
  ) -> [String] {
    let barred = folders(above: socket).first { !mayEnter($0) }
    var status = stat()
    guard lstat(barred ?? socket, &status) == 0 else { return [] }
    let (verb, theirs) = barred == nil ? ("open", S_IWGRP) : ("enter", S_IXGRP)
    let what = barred.map { "The folder \(printable($0))" } ?? "It"
    let members = status.st_mode & theirs == 0 ? nil : "the members of the group \(groupName(status.st_gid))"
    let others = [members, status.st_uid == 0 ? nil : "root"].compactMap { $0 }.joined(separator: " and ")
    let who = others.isEmpty ? "who alone may \(verb) it" : "who may \(verb) it, as \(others) may"
    return ["\(what) belongs to \(userName(status.st_uid)), \(who)."]
  }

  /// From the root on.
  private static func folders(above path: String) -> [String] {
    path.indices.dropFirst().filter { path[$0] == "/" }.map { String(path[..<$0]) }
  }

  static func userName(_ id: UInt32) -> String { getpwuid(id).map { String(cString: $0.pointee.pw_name) } ?? "user \(id)" }
  static func groupName(_ id: UInt32) -> String { getgrgid(id).map { String(cString: $0.pointee.gr_name) } ?? "\(id)" }
}
