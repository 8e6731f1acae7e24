import Glibc

/// The user namespace of this process. If the namespace does not map every user, the kernel reports all unmapped users as the same user, so
/// the gateway could not tell whose connection it serves.
enum UserNamespace {
  /// The text of `/proc/self/uid_map`; nil if the kernel has no user namespaces, empty if the text cannot be read.
  static func readMap() -> String? {
    let file = open("/proc/self/uid_map", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return errno == ENOENT && access("/proc/self/stat", F_OK) == 0 ? nil : "" }
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = read(file, &buffer, buffer.count)
    return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
  }

  /// True if each user has the same id here as in the initial namespace (user_namespaces(7)).
  static func mapsEveryUser(_ map: String?) -> Bool {
    guard let map else { return true }
    return map.split(whereSeparator: \.isWhitespace) == ["0", "0", "4294967295"]
  }
}
