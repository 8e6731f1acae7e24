import Glibc

/// Identifies the file at a path and the version of its content: the value changes if the file is replaced or written.
public struct FileIdentity: Hashable, Sendable {
  private var device: UInt
  private var inode: UInt
  private var size: Int
  private var seconds: Int
  private var nanoseconds: Int

  /// Nil if there is no file at the path, or if it cannot be examined.
  public init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt(status.st_dev)
    inode = UInt(status.st_ino)
    size = Int(status.st_size)
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
  }

  /// True if both values identify the same file, even if its content has changed.
  public func isSameFile(as other: FileIdentity) -> Bool { device == other.device && inode == other.inode }
}
