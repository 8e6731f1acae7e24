import Geocoders
import PlacesKit
import Synchronization

/// The version that a server reports at `/status`.
struct PhotonVersion: Sendable, Hashable {
  /// The version as the server reports it; nil if the server reports none. Servers before version 1.0 report none.
  var text: String?

  static let oldest = PhotonVersion(text: nil)

  init(text: String?) { self.text = text }

  init(from response: HTTPResponse, service: String) throws(ProviderError) {
    let status = try response.json(from: service, usesKey: false)
    guard status["status"]?.string?.lowercased() == "ok" else { throw ProviderError(.http, "\(service) says that it is not ready") }
    text = status["version"]?.filledString
  }

  /// True for version 1.1 and later, which has the parameters `countrycode` and `exclude`, and accepts a structured query that has only a
  /// postal code. An older server rejects a request that has these parameters.
  var hasFilterParameters: Bool {
    let numbers = (text ?? "").split { !$0.isNumber }.prefix(2).compactMap { Int($0) }
    guard let major = numbers.first else { return false }
    return major > 1 || (major == 1 && numbers.count > 1 && numbers[1] >= 1)
  }
}

/// Stores, for all calls, what earlier calls found about the server: its version, and whether it lacks structured queries.
final class PhotonServerState: Sendable {
  private struct State {
    var version: PhotonVersion?
    /// The time of the last request for the version that had no result, in seconds since 1970; nil if there was none.
    var versionMissingAt: Double?
    /// True if this server has answered that it has no structured queries.
    var lacksStructuredQueries = false
  }
  private let state = Mutex(State())

  /// Seconds after which the version is requested again from a server that did not report it.
  static let retryInterval = 300.0

  func recordVersion(_ version: PhotonVersion) {
    state.withLock { current in
      if current.version != version { current.lacksStructuredQueries = false }
      current.version = version
    }
  }

  var lacksStructuredQueries: Bool { state.withLock { $0.lacksStructuredQueries } }

  /// Remembers that the server has no structured queries, until it reports another version.
  func recordMissingStructuredQueries() { state.withLock { $0.lacksStructuredQueries = true } }

  /// Deletes everything that earlier calls found. The caller uses it if another server may have replaced this one.
  func forget() { state.withLock { $0 = State() } }

  /// Records that a request for the version had no result.
  /// - Parameter now: the time in seconds since 1970.
  func recordMissingVersion(at now: Double) { state.withLock { $0.versionMissingAt = now } }

  /// The reported version; the oldest version if the server recently failed to report it; nil if the version must be requested.
  func version(at now: Double) -> PhotonVersion? {
    state.withLock { current in
      if let version = current.version { return version }
      // The difference is negative if the clock was set back.
      return current.versionMissingAt.map { abs(now - $0) < Self.retryInterval } == true ? .oldest : nil
    }
  }
}
