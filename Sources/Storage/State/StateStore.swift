import JSON
import PlacesKit
import Synchronization

/// Stores which providers administrators have enabled or disabled by command, in a small JSON file that is replaced as a whole. The
/// configuration in `/etc` is not changed.
public actor StateStore {
  private let executor = StoreExecutor("placesd.state")
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let path: String
  private let log: @Sendable (LogLevel, String) -> Void
  /// The providers that become uncertain if the file cannot be parsed, because it may have disabled them.
  private let uncertainIfDamaged: Set<String>
  /// The content of the file.
  private struct Switches: Sendable {
    /// True for an enabled provider, false for a disabled one.
    var overrides: [String: Bool] = [:]
    /// The providers that a damaged file may have disabled.
    var uncertainProviders: Set<String> = []
  }
  private nonisolated let switches: Mutex<Switches>
  /// True if the file could not be read and therefore must not be overwritten. The next change first tries to read it again.
  private var isUnread = false

  /// Reads the file. A file that cannot be parsed is saved as `….bad`, replaced and reported.
  /// - Parameter uncertainIfDamaged: the providers that stay off if the file cannot be parsed, because it may have disabled them.
  public init(path: String, uncertain uncertainIfDamaged: Set<String> = [], log: @escaping @Sendable (LogLevel, String) -> Void) {
    self.path = path
    self.uncertainIfDamaged = uncertainIfDamaged
    self.log = log
    switches = Mutex(Switches(uncertainProviders: uncertainIfDamaged))
    do throws(FileError) {
      let storedSwitches = try StateStore.read(path, uncertainIfDamaged, log)
      switches.withLock { $0 = storedSwitches }
    } catch {
      isUnread = true
      log(.error, error.message)
    }
  }

  /// The contents of the file; empty if it does not exist. A file that cannot be parsed is saved as `….bad` and replaced.
  private static func read(
    _ path: String, _ uncertainIfDamaged: Set<String>, _ log: (LogLevel, String) -> Void
  ) throws(FileError) -> Switches {
    guard let bytes = try Files.read(path, limit: 1 << 20) else { return Switches() }
    if let switches = decode(bytes) { return switches }
    // The new file records the uncertain providers, so that they are still known in the next run.
    let switches = Switches(uncertainProviders: uncertainIfDamaged)
    try Files.replace(path + ".bad", with: bytes)
    try write(switches, to: path)
    log(
      .error,
      "\(path) was damaged and is saved as \(path).bad: providers that it may have disabled stay disabled until an administrator enables or disables them with placesctl"
    )
    return switches
  }

  /// The providers that were enabled (true) or disabled (false) by command. Commands take precedence over the configuration.
  public nonisolated var overrides: [String: Bool] { switches.withLock { $0.overrides } }

  /// True if the provider may have been disabled, which is not known because the file was damaged.
  public nonisolated func isUncertain(_ provider: String) -> Bool { switches.withLock { $0.uncertainProviders.contains(provider) } }

  /// Enables or disables a provider from now on. Nil restores the configured state. If the change cannot be stored, throws and changes
  /// nothing.
  public func override(_ provider: String, enabled: Bool?) throws(StateError) {
    do throws(FileError) {
      var switches = isUnread ? try StateStore.read(path, uncertainIfDamaged, log) : self.switches.withLock { $0 }
      switches.overrides[provider] = enabled
      switches.uncertainProviders.remove(provider)
      try StateStore.write(switches, to: path)
      isUnread = false
      self.switches.withLock { $0 = switches }
    } catch { throw StateError(message: error.message) }
  }

  private static func write(_ switches: Switches, to path: String) throws(FileError) {
    let members = switches.overrides.sorted { $0.key < $1.key }.map { (key: $0.key, value: JSONValue.boolean($0.value)) }
    var object: JSONObject = ["version": 1, "enabled": .object(JSONObject(members))]
    // In the file, the uncertain providers are called `doubtful`.
    if !switches.uncertainProviders.isEmpty { object["doubtful"] = .array(switches.uncertainProviders.sorted().map { .string($0) }) }
    try Files.replace(path, with: JSONValue.object(object).bytes + [UInt8(ascii: "\n")])
  }

  /// The contents of the file; nil if they are damaged.
  private static func decode(_ bytes: [UInt8]) -> Switches? {
    guard let value = try? JSONValue(parsing: bytes), value["version"]?.integer == 1, let members = value["enabled"]?.object?.members
    else { return nil }
    var switches = Switches()
    for member in members {
      guard let enabled = member.value.boolean else { return nil }
      switches.overrides[member.key] = enabled
    }
    guard let storedNames = value["doubtful"] else { return switches }
    guard let names = storedNames.array?.map(\.string), !names.contains(nil) else { return nil }
    switches.uncertainProviders = Set(names.compactMap { $0 })
    return switches
  }
}

/// The reason why a change could not be stored.
public struct StateError: Error, Sendable, Hashable {
  public var message: String
}
