import PlacesKit
import Synchronization

/// A service that answers all requests in the same way, and records them.
final class ScenarioServer: Sendable {
  /// The answer to every request.
  enum Script: Sendable {
    /// This response.
    case response(HTTPResponse)
    /// This error of the daemon's HTTP function, such as a failed connection.
    case failure(ProviderError)
    /// No answer, until the request is cancelled.
    case silence
  }

  private struct State {
    var script = Script.failure(ProviderError(.connect, "no script"))
    var requests: [HTTPRequest] = []
  }
  private let state = Mutex(State())

  /// Sets the answer to all later requests, and forgets the recorded requests.
  func play(_ script: Script) { state.withLock { ($0.script, $0.requests) = (script, []) } }

  var requests: [HTTPRequest] { state.withLock { $0.requests } }

  func answer(_ request: HTTPRequest) async throws(ProviderError) -> HTTPResponse {
    let script = state.withLock { state in
      // The list is bounded, so that a provider that never stops sending is reported as a finding instead of exhausting memory.
      if state.requests.count < 1_000 { state.requests.append(request) }
      return state.script
    }
    switch script {
    case .response(let response): return response
    case .failure(let error): throw error
    case .silence:
      do { try await Task.sleep(for: .seconds(3_600)) } catch {}
      throw ProviderError(.cancelled, "cancelled")
    }
  }
}

/// Storage that lasts as long as a check.
final class ScriptedStorage: ProviderStorage {
  private let values = Mutex<[String: [UInt8]]>([:])
  func value(for key: String) async throws(ProviderError) -> [UInt8]? { values.withLock { $0[key] } }
  func set(_ value: [UInt8]?, for key: String) async throws(ProviderError) { values.withLock { $0[key] = value } }
}
