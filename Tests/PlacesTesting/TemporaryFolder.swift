import Foundation

/// A folder of a test's own, gone when the test is.
public final class TemporaryFolder: Sendable {
  public let path: String

  /// - Parameter inMemory: true if the files need not reach a disk.
  public init(inMemory: Bool = false) throws {
    let memory = inMemory && FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : nil
    let base = memory ?? ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
    path = "\(base)/placesd-test-\(UUID().uuidString.prefix(13))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  /// The path of a file in the folder.
  public func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a file and returns its path.
  @discardableResult public func write(_ text: String, to name: String) throws -> String {
    try text.write(toFile: file(name), atomically: false, encoding: .utf8)
    return file(name)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
