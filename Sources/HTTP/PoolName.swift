import Glibc

/// Which connections a request may use: those that were opened under the same rules, because addresses and certificates are looked at only
/// when a connection is made.
struct PoolName: Hashable, Sendable {
  var instance: String
  var key: String?
  var allowsPrivateAddresses: Bool
  /// Connections to one host; nil for as many as the client's limits say.
  var connections: Int?
  /// Nil for the system's authorities, or for a file that is not there.
  var authorities: FileIdentity?
}

/// What tells a file from the one that lay at its path before: libcurl reads a file of authorities anew only after a day.
struct FileIdentity: Hashable, Sendable {
  private let numbers: [Int]

  /// Nil where no file can be seen.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    numbers = [
      Int(bitPattern: UInt(status.st_dev)), Int(bitPattern: status.st_ino), status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
    ]
  }
}
