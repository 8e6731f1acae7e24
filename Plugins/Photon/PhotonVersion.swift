import Geocoders
import PlacesKit
import Synchronization

/// The version that a server reports at `/status`.
struct PhotonVersion: Sendable, Hashable {
  /// Nil if the server does not report it: before 1.0.
  var text: String?

  static let oldest = PhotonVersion(text: nil)

  init(text: String?) { self.text = text }

  init(from response: HTTPResponse, service: String) throws(ProviderError) {
    let status = try response.json(from: service, usesKey: false)
    guard status["status"]?.string?.lowercased() == "ok" else { throw ProviderError(.http, "\(service) says that it is not ready") }
    text = status["version"]?.filledString
  }

  /// True from 1.1 on, which has the parameters `countrycode` and `exclude`, and finds a postal code alone by a structured query; an older server
  /// rejects a request that has the parameters.
  var hasNewerParameters: Bool {
    let numbers = (text ?? "").split { !$0.isNumber }.prefix(2).compactMap { Int($0) }
    guard let major = numbers.first else { return false }
    return major > 1 || (major == 1 && numbers.count > 1 && numbers[1] >= 1)
  }
}

/// What is remembered of the server between calls.
final class PhotonServer: Sendable {
  private struct State {
    var version: PhotonVersion?
    /// When it did not say, in seconds since 1970.
    var silentAt: Double?
  }
  private let state = Mutex(State())

  /// Seconds for which a server that does not tell its version is not asked for it again.
  static let patience = 300.0

  func told(_ version: PhotonVersion) { state.withLock { $0.version = version } }

  /// It is not what it said: another version may have taken its place.
  func forget() { state.withLock { $0 = State() } }

  func saidNothing(at now: Double) { state.withLock { $0.silentAt = now } }

  /// What it said, or the oldest version where it said nothing a while ago; nil where it is to be asked.
  func version(at now: Double) -> PhotonVersion? {
    state.withLock { state in
      if let version = state.version { return version }
      // The clock may have been set back.
      return state.silentAt.map { abs(now - $0) < Self.patience } == true ? .oldest : nil
    }
  }
}
