import JSON
import PlacesKit
import Synchronization

/// Stores in a small JSON file which providers' API keys were rejected by their services, with checksums of these providers'
/// configurations. Because of this record, a daemon that is restarted repeatedly does not call a service with a rejected key each time.
public actor RejectedKeys {
  private let executor = StoreExecutor("placesd.refused")
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let path: String
  private let log: RateLimitedLog
  /// The checksum of the rejected configuration, by provider.
  private nonisolated let checksums: Mutex<[String: Int64]>

  /// Reads the file. A file that cannot be parsed is ignored and overwritten.
  public init(path: String, time: any TimeSource, log: @escaping @Sendable (LogLevel, String) -> Void) {
    self.path = path
    self.log = RateLimitedLog(time: time, log: log)
    let bytes = try? Files.read(path, limit: 1 << 20)
    checksums = Mutex(bytes.flatMap { RejectedKeys.decode($0) } ?? [:])
  }

  /// A 32-bit checksum of the configuration and the key, which is too short to reveal the key.
  public static func checksum(of configuration: [String]) -> Int64 {
    var sum = Checksum()
    for part in configuration { sum.add(part) }
    return sum.value
  }

  /// True if the service of a provider rejected the key of the configuration with this checksum.
  public nonisolated func isRejected(_ provider: String, checksum: Int64) -> Bool { checksums.withLock { $0[provider] == checksum } }

  /// Records that the service rejected the key of the configuration with this checksum. If `checksum` is nil, the record is removed.
  public func record(_ provider: String, rejected checksum: Int64?) {
    guard checksums.withLock({ $0[provider] }) != checksum else { return }
    let newChecksums = checksums.withLock { checksums in
      checksums[provider] = checksum
      return checksums
    }
    let members = newChecksums.sorted { $0.key < $1.key }.map { (key: $0.key, value: JSONValue.integer($0.value)) }
    // In the file, the rejected keys are called `refused`.
    let value = JSONValue.object(["version": 1, "refused": .object(JSONObject(members))])
    do throws(FileError) { try Files.replace(path, with: value.bytes + [UInt8(ascii: "\n")]) } catch {
      log.write(.warning, "disk", "rejected keys will not be known at the next start: \(error.message)")
    }
  }

  /// Removes the record of a provider unless it is for the configuration with this checksum.
  public func forget(_ provider: String, unless checksum: Int64) {
    if let recorded = checksums.withLock({ $0[provider] }), recorded != checksum { record(provider, rejected: nil) }
  }

  private static func decode(_ bytes: [UInt8]) -> [String: Int64]? {
    guard let value = try? JSONValue(parsing: bytes), value["version"]?.integer == 1, let members = value["refused"]?.object?.members
    else { return nil }
    return members.reduce(into: [:]) { $0[$1.key] = $1.value.integer.map(Int64.init) }
  }
}
