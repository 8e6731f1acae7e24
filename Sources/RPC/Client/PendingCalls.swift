import PlacesKit
import Synchronization

/// The calls of one client connection whose replies have not arrived.
final class PendingCalls: Sendable {
  typealias Outcome = Result<[UInt8], RPCClientError>
  typealias Completion = @Sendable (Outcome) -> Void

  private struct State {
    var lastID: Int64 = 0
    var completionsByID: [Int64: Completion] = [:]
    /// The error with which the waiting calls fail if the connection ends; if no call waits, the next call fails with it. It is the latest
    /// error without a request id that the server has sent after its latest answer, or the reason why this side closed the connection. Nil
    /// if there is no such error, or if a call has already failed with it.
    var lastError: RPCClientError?
    /// True if the server has answered a call.
    var hasAnswered = false
    var isClosed = false
  }
  private let state = Mutex(State())

  /// Returns the id of a new call.
  func newID() -> Int64 {
    state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
  }

  /// Begins a call. `completion` receives the call's outcome, once. If the connection is closed, the call fails with `lastError` if that is
  /// set. All later calls fail with `closed`, because the earlier error may not apply to a new connection.
  /// - Returns: false if the connection is closed.
  func begin(_ id: Int64, _ completion: @escaping Completion) -> Bool {
    let failure: RPCClientError? = state.withLock { state in
      guard state.isClosed else {
        state.completionsByID[id] = completion
        return nil
      }
      defer { state.lastError = nil }
      return state.lastError ?? .closed
    }
    if let failure { completion(.failure(failure)) }
    return failure == nil
  }

  /// Ends a call with its outcome. Returns false if the call had already ended.
  @discardableResult func end(_ id: Int64, _ outcome: Outcome) -> Bool {
    let completion = state.withLock { $0.completionsByID.removeValue(forKey: id) }
    completion?(outcome)
    return completion != nil
  }

  /// Handles an error without a request id. Before the server's first answer, the error concerns the connection, which the server may have
  /// refused, and all calls fail. Later, it is not known which call the error concerns. Therefore no call fails now, and each ends with its
  /// own reply or with the connection.
  func handleErrorWithoutID(_ error: RPCClientError) {
    let endsAllCalls = state.withLock { state in
      state.lastError = error
      guard !state.hasAnswered, !state.completionsByID.isEmpty else { return false }
      state.lastError = nil
      return true
    }
    if endsAllCalls { endAll(error) }
  }

  /// Ends a call with the server's answer.
  func answer(_ id: Int64, _ outcome: Outcome) {
    let completion = state.withLock { state in
      state.hasAnswered = true
      state.lastError = nil
      return state.completionsByID.removeValue(forKey: id)
    }
    completion?(outcome)
  }

  /// Ends all calls, because the connection is closed.
  /// - Parameter reason: why this side closed the connection; nil if the server closed it.
  func close(_ reason: RPCClientError? = nil) {
    let error = state.withLock { state in
      state.isClosed = true
      if let reason { state.lastError = reason }
      guard !state.completionsByID.isEmpty else { return RPCClientError.closed }
      defer { state.lastError = nil }
      return state.lastError ?? .closed
    }
    endAll(error)
  }

  private func endAll(_ error: RPCClientError) {
    for id in state.withLock({ Array($0.completionsByID.keys) }) { end(id, .failure(error)) }
  }
}
