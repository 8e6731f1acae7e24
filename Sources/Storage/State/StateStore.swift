import JSON
import PlacesKit
import Synchronization

/// What administrators decided while the daemon runs, kept in a small JSON file that is replaced as a whole: `/etc` is never written.
public actor StateStore {
  private let executor = StoreExecutor("placesd.state")
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let path: String
  private let log: @Sendable (LogLevel, String) -> Void
  /// What may have been switched off, where nobody can tell any more.
  private let uncertain: Set<String>
  private struct Switches: Sendable {
    var overrides: [String: Bool] = [:]
    var doubtful: Set<String> = []
  }
  private nonisolated let switches: Mutex<Switches>
  /// Whether the file could not be read yet: what stands in it must not be written over.
  private var isUnread = false

  /// Reads the file; one that is not ours is set aside as `….bad` and reported.
  /// - Parameter uncertain: the providers of which, where the file cannot be understood, is not to be believed that they are on.
  public init(path: String, uncertain: Set<String> = [], log: @escaping @Sendable (LogLevel, String) -> Void) {
    self.path = path
    self.uncertain = uncertain
    self.log = log
    switches = Mutex(Switches(doubtful: uncertain))
    do throws(FileError) {
      let found = try StateStore.read(path, uncertain, log)
      switches.withLock { $0 = found }
    } catch {
      isUnread = true
      log(.error, error.message)
    }
  }

  private static func read(
    _ path: String, _ uncertain: Set<String>, _ log: (LogLevel, String) -> Void
  ) throws(FileError) -> Switches {
    guard let bytes = try Files.read(path, limit: 1 << 20) else { return Switches() }
    if let switches = decode(bytes) { return switches }
    // The doubt must outlast this run, so that the file keeps its place until it holds that.
    let switches = Switches(doubtful: uncertain)
    try Files.replace(path + ".bad", with: bytes)
    try write(switches, to: path)
    log(.error, "\(path) was damaged, and is kept as \(path).bad: providers that it may have switched off stay off until they are switched")
    return switches
  }

  /// Providers that were enabled (true) or disabled (false) whatever the configuration says.
  public nonisolated var overrides: [String: Bool] { switches.withLock { $0.overrides } }

  /// Whether nobody knows any more if the provider was switched off, since what was kept of it is lost.
  public nonisolated func isDoubtful(_ provider: String) -> Bool { switches.withLock { $0.doubtful.contains(provider) } }

  /// Enables or disables a provider from now on; nil leaves it to the configuration again. Throws where that cannot be kept, and then
  /// nothing has changed.
  public func override(_ provider: String, enabled: Bool?) throws(StateError) {
    do throws(FileError) {
      var switches = isUnread ? try StateStore.read(path, uncertain, log) : self.switches.withLock { $0 }
      switches.overrides[provider] = enabled
      switches.doubtful.remove(provider)
      try StateStore.write(switches, to: path)
      isUnread = false
      self.switches.withLock { $0 = switches }
    } catch { throw StateError(message: error.message) }
  }

  private static func write(_ switches: Switches, to path: String) throws(FileError) {
    let members = switches.overrides.sorted { $0.key < $1.key }.map { (key: $0.key, value: JSONValue.boolean($0.value)) }
    var object: JSONObject = ["version": 1, "enabled": .object(JSONObject(members))]
    if !switches.doubtful.isEmpty { object["doubtful"] = .array(switches.doubtful.sorted().map { .string($0) }) }
    try Files.replace(path, with: JSONValue.object(object).bytes + [UInt8(ascii: "\n")])
  }

  private static func decode(_ bytes: [UInt8]) -> Switches? {
    guard let value = try? JSONValue(parsing: bytes), value["version"]?.integer == 1, let members = value["enabled"]?.object?.members
    else { return nil }
    var switches = Switches()
    for member in members {
      guard let enabled = member.value.boolean else { return nil }
      switches.overrides[member.key] = enabled
    }
    guard let doubtful = value["doubtful"] else { return switches }
    guard let names = doubtful.array?.map(\.string), !names.contains(nil) else { return nil }
    switches.doubtful = Set(names.compactMap { $0 })
    return switches
  }
}

/// What could not be kept, and why.
public struct StateError: Error, Sendable, Hashable {
  public var message: String
}
