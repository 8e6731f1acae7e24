import PlacesKit
import Synchronization

/// The calls that wait for their replies.
final class Calls: Sendable {
  typealias Outcome = Result<[UInt8], RPCClientError>

  private enum Call {
    case waiting(CheckedContinuation<Outcome, Never>)
    /// The outcome arrived before `outcome(of:)` was called.
    case ended(Outcome)
  }
  private struct Table {
    var next: Int64 = 0
    var calls: [Int64: Call?] = [:]
    /// The last error that the server sent without the id of a request, such as why it closes the connection; nil once a call has received it.
    var lastError: RPCClientError?
    var hasAnswered = false
    var isClosed = false
  }
  private let state = Mutex(Table())

  /// A number for a new call. If the connection is closed, the first call receives the server's reason, if any, and later calls receive `closed`: a new
  /// connection may be served.
  func begin() throws(RPCClientError) -> Int64 {
    let begun: Result<Int64, RPCClientError> = state.withLock { state in
      guard !state.isClosed else {
        defer { state.lastError = nil }
        return .failure(state.lastError ?? .closed)
      }
      state.next += 1
      state.calls[state.next] = .some(nil)
      return .success(state.next)
    }
    return try begun.get()
  }

  /// Waits for the outcome of a call, which another thread passes to `end`.
  func outcome(of number: Int64) async -> Outcome {
    await withCheckedContinuation { continuation in
      let outcome: Outcome? = state.withLock { state in
        switch state.calls[number] {
        case .some(.some(.ended(let outcome))):
          state.calls[number] = nil
          return outcome
        case .some(.none):
          state.calls[number] = .some(.waiting(continuation))
          return nil
        default: return .failure(.closed)
        }
      }
      if let outcome { continuation.resume(returning: outcome) }
    }
  }

  /// Ends a call with its outcome. False if it had ended before.
  @discardableResult func end(_ number: Int64, _ outcome: Outcome) -> Bool {
    let waiting: (Bool, CheckedContinuation<Outcome, Never>?) = state.withLock { state in
      switch state.calls[number] {
      case .some(.some(.waiting(let continuation))):
        state.calls[number] = nil
        return (true, continuation)
      case .some(.none):
        state.calls[number] = .some(.ended(outcome))
        return (true, nil)
      default: return (false, nil)
      }
    }
    waiting.1?.resume(returning: outcome)
    return waiting.0
  }

  /// The server has sent an error without the id of a request. Before its first answer, the error concerns the connection, and every call fails. Later it
  /// may concern one of them, and each ends with its own reply or with the connection.
  func refuse(_ error: RPCClientError) {
    let refused = state.withLock { state in
      state.lastError = error
      guard !state.hasAnswered, !state.calls.isEmpty else { return false }
      state.lastError = nil
      return true
    }
    if refused { endAll(error) }
  }

  /// The server has answered this call.
  func answer(_ number: Int64, _ outcome: Outcome) {
    state.withLock { state in
      state.hasAnswered = true
      state.lastError = nil
    }
    end(number, outcome)
  }

  /// The connection is gone: nothing else is answered.
  /// - Parameter reason: why, if this side ended it.
  func close(_ reason: RPCClientError? = nil) {
    let end = state.withLock { state in
      state.isClosed = true
      if let reason { state.lastError = reason }
      guard !state.calls.isEmpty else { return RPCClientError.closed }
      defer { state.lastError = nil }
      return state.lastError ?? .closed
    }
    endAll(end)
  }

  private func endAll(_ error: RPCClientError) {
    for number in state.withLock({ Array($0.calls.keys) }) { end(number, .failure(error)) }
  }
}
