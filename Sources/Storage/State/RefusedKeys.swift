import JSON
import PlacesKit
import Synchronization

/// Which providers' services refused the key, and under which configuration: a small JSON file, so that a daemon that is started again
/// and again does not ask a service each time with a key that it does not take.
public actor RefusedKeys {
  private let executor = StoreExecutor("placesd.refused")
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let path: String
  private let log: OccasionalLog
  private nonisolated let checks: Mutex<[String: Int64]>

  /// Reads the file; one that is not ours counts as none and is written over.
  public init(path: String, time: any TimeSource, log: @escaping @Sendable (LogLevel, String) -> Void) {
    self.path = path
    self.log = OccasionalLog(time: time, log: log)
    let bytes = try? Files.read(path, limit: 1 << 20)
    checks = Mutex(bytes.flatMap { RefusedKeys.decode($0) } ?? [:])
  }

  /// A number that changes when the configuration does, its key among it: 32 bits, of which no key can be told.
  public static func check(of configuration: [String]) -> Int64 {
    var checksum = Checksum()
    for part in configuration { checksum.add(part) }
    return checksum.value
  }

  /// Whether a provider's service refused the key under the configuration with this check.
  public nonisolated func holds(_ provider: String, _ check: Int64) -> Bool { checks.withLock { $0[provider] == check } }

  /// Takes note that the service refused the key, or that it is to be asked again.
  public func note(_ provider: String, refused check: Int64?) {
    guard checks.withLock({ $0[provider] }) != check else { return }
    let all = checks.withLock { checks in
      checks[provider] = check
      return checks
    }
    let members = all.sorted { $0.key < $1.key }.map { (key: $0.key, value: JSONValue.integer($0.value)) }
    let value = JSONValue.object(["version": 1, "refused": .object(JSONObject(members))])
    do throws(FileError) { try Files.replace(path, with: value.bytes + [UInt8(ascii: "\n")]) } catch {
      log.say(.warning, "disk", "which keys were refused is not known at the next start: \(error.message)")
    }
  }

  /// Forgets a provider whose configuration is no more the one under which the key was refused.
  public func forget(_ provider: String, unless check: Int64) {
    if let known = checks.withLock({ $0[provider] }), known != check { note(provider, refused: nil) }
  }

  private static func decode(_ bytes: [UInt8]) -> [String: Int64]? {
    guard let value = try? JSONValue(parsing: bytes), value["version"]?.integer == 1, let members = value["refused"]?.object?.members
    else { return nil }
    return members.reduce(into: [:]) { $0[$1.key] = $1.value.integer.map(Int64.init) }
  }
}
