import JSON
import PlacesKit
import Synchronization

/// What administrators decided while the daemon runs, kept in a small JSON file that is replaced as a whole: `/etc` is never written.
public actor StateStore {
  private let executor = StoreExecutor("placesd.state")
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let path: String
  private let log: @Sendable (LogLevel, String) -> Void
  private nonisolated let overridden: Mutex<[String: Bool]>
  /// Whether the file could not be read yet: what stands in it must not be written over.
  private var isUnread = false

  /// Reads the file; one that is not ours is set aside as `….bad` and reported.
  public init(path: String, log: @escaping @Sendable (LogLevel, String) -> Void) {
    self.path = path
    self.log = log
    overridden = Mutex([:])
    do throws(FileError) {
      let found = try StateStore.read(path, log)
      overridden.withLock { $0 = found }
    } catch {
      isUnread = true
      log(.error, error.message)
    }
  }

  private static func read(_ path: String, _ log: (LogLevel, String) -> Void) throws(FileError) -> [String: Bool] {
    guard let bytes = try Files.read(path, limit: 1 << 20) else { return [:] }
    if let overrides = decode(bytes) { return overrides }
    log(.error, "\(path) is damaged; it was set aside as \(path).bad and the configuration stands alone")
    _ = Files.move(path, to: path + ".bad")
    return [:]
  }

  /// Providers that were enabled (true) or disabled (false) whatever the configuration says.
  public nonisolated var overrides: [String: Bool] { overridden.withLock { $0 } }

  /// Enables or disables a provider from now on; nil leaves it to the configuration again. Throws where that cannot be kept, and then
  /// nothing has changed.
  public func override(_ provider: String, enabled: Bool?) throws(StateError) {
    do throws(FileError) {
      var overrides = isUnread ? try StateStore.read(path, log) : self.overrides
      overrides[provider] = enabled
      let members = overrides.sorted { $0.key < $1.key }.map { (key: $0.key, value: JSONValue.boolean($0.value)) }
      let value = JSONValue.object(["version": 1, "enabled": .object(JSONObject(members))])
      try Files.replace(path, with: value.bytes + [UInt8(ascii: "\n")])
      isUnread = false
      overridden.withLock { $0 = overrides }
    } catch { throw StateError(message: error.message) }
  }

  private static func decode(_ bytes: [UInt8]) -> [String: Bool]? {
    guard let value = try? JSONValue(parsing: bytes), value["version"]?.integer == 1, let members = value["enabled"]?.object?.members
    else { return nil }
    var overrides: [String: Bool] = [:]
    for member in members {
      guard let enabled = member.value.boolean else { return nil }
      overrides[member.key] = enabled
    }
    return overrides
  }
}

/// What could not be kept, and why.
public struct StateError: Error, Sendable, Hashable {
  public var message: String
}
