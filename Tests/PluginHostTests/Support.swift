import Foundation
import PlacesKit
import PlacesTesting
import Synchronization

@testable import PluginHost

/// Runs hosting for the time of a test, and ends all of its processes after it.
func withHosting<T: Sendable>(
  policy: LifeCycle.Policy = LifeCycle.Policy(firstDelay: 0.001, maxDelay: 0.001, maxCrashes: .max),
  time: any TimeSource = SystemTime(), hasLandlock: Bool = true,
  _ body: @escaping @Sendable (ProviderRuntime, Lines) async throws -> T
) async throws -> T {
  let lines = Lines()
  let hosting = try ProviderRuntime(time: time, policy: policy, hasLandlock: hasLandlock) { lines.add("\($0) \($1.rawValue): \($2)") }
  async let _: Void = hosting.run()
  let result = try await body(hosting, lines)
  // Leaving the scope cancels it, and waits.
  return result
}

/// The daemon's log of a test.
final class Lines: Sendable {
  private let state = Mutex<[String]>([])
  func add(_ line: String) { state.withLock { $0.append(line) } }
  var all: [String] { state.withLock { $0 } }
}

extension InstanceDescription {
  static func misbehaving(
    _ settings: [String: JSONValue] = [:], isolation: Isolation = .process, memoryLimit: Int = 256 << 20
  ) -> InstanceDescription {
    InstanceDescription(id: "m", source: .plugin("misbehaving"), isolation: isolation, settings: settings, memoryLimit: memoryLimit)
  }
}

extension PlaceService {
  /// The first row's text of the answer to a query.
  func say(_ query: String) async throws(ProviderError) -> String? {
    try await autocomplete(AutocompleteRequest(query: query)).rows.first?.text.text
  }

  /// Asks until there is an answer: the provider is being restarted.
  func eventually(_ query: String) async throws -> String? {
    try await PlacesTesting.eventually("an answer to \(query)", every: .milliseconds(5)) { () -> Result<String?, ProviderError>? in
      let answer = await answer(query)
      if case .failure(let error) = answer, error.cause == .plugin { return nil }
      return answer
    }.get()
  }

  private func answer(_ query: String) async -> Result<String?, ProviderError> {
    do throws(ProviderError) { return .success(try await say(query)) } catch { return .failure(error) }
  }
}

/// Storage in memory.
final class MemoryStorage: ProviderStorage {
  private let values = Mutex<[String: [UInt8]]>([:])
  func value(for key: String) async throws(ProviderError) -> [UInt8]? { values.withLock { $0[key] } }
  func set(_ value: [UInt8]?, for key: String) async throws(ProviderError) { values.withLock { $0[key] = value } }
}

/// The number of open descriptors of this process.
func openDescriptors() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }

extension ProviderContext {
  /// A world where nothing is to be had.
  static let silent = with()

  /// A world with this server, if any.
  static func with(
    storage: any ProviderStorage = MemoryStorage(),
    http: @escaping @Sendable (HTTPRequest) async throws(ProviderError) -> HTTPResponse = { _ throws(ProviderError) in
      throw ProviderError(.connect, "no network here")
    }
  ) -> ProviderContext {
    ProviderContext(id: "", http: http, storage: storage, log: { _, _ in }, now: { 0 })
  }
}
