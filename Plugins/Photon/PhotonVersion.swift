import Geocoders
import PlacesKit
import Synchronization

/// What a server says of itself at `/status`.
struct PhotonVersion: Sendable, Hashable {
  /// Nil where the server does not say: before 1.0.
  var text: String?

  static let oldest = PhotonVersion(text: nil)

  init(text: String?) { self.text = text }

  init(from response: HTTPResponse, service: String) throws(ProviderError) {
    let status = try response.json(from: service)
    guard status["status"]?.string?.lowercased() == "ok" else { throw ProviderError(.http, "\(service) says that it is not ready") }
    text = status["version"]?.filledString
  }

  /// The parameter `countrycode` came with 1.1; an older server refuses a request that has it.
  var knowsCountries: Bool {
    let numbers = (text ?? "").split { !$0.isNumber }.prefix(2).compactMap { Int($0) }
    guard let major = numbers.first else { return false }
    return major > 1 || (major == 1 && numbers.count > 1 && numbers[1] >= 1)
  }
}

/// What is remembered of the server between calls.
final class PhotonServer: Sendable {
  private let known = Mutex<PhotonVersion?>(nil)

  var version: PhotonVersion? {
    get { known.withLock { $0 } }
    set { known.withLock { $0 = newValue } }
  }
}
