import PlacesKit
import Synchronization

/// The calls of one side that wait for their replies, whatever carries the messages.
final class Calls: Sendable {
  typealias Outcome = Result<[UInt8], ClientError>

  private enum Call {
    case waiting(CheckedContinuation<Outcome, Never>)
    /// The outcome came before somebody waited.
    case ended(Outcome)
  }
  private struct State {
    var next: Int64 = 0
    var calls: [Int64: Call?] = [:]
    /// What the server said last without naming a request, such as why it closes the connection; nil once somebody has heard it.
    var lastWord: ClientError?
    var hasAnswered = false
    var isClosed = false
  }
  private let state = Mutex(State())

  /// A number for a new call, unless the connection is closed. Whoever comes first learns why it was, if the server said so; the others
  /// that it is, for a new connection may be served.
  func begin() throws(ClientError) -> Int64 {
    let begun: Result<Int64, ClientError> = state.withLock { state in
      guard !state.isClosed else {
        defer { state.lastWord = nil }
        return .failure(state.lastWord ?? .closed)
      }
      state.next += 1
      state.calls[state.next] = .some(nil)
      return .success(state.next)
    }
    return try begun.get()
  }

  /// Waits for the outcome of a call, which some other thread gives with `end`.
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

  /// Gives a call its outcome. Whether somebody still waited for one.
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

  /// The server refuses without naming a request. Before it has answered any, it means the connection, and every call on it fails;
  /// later it may mean one of them alone, and each ends by its own reply or with the connection.
  func refuse(_ error: ClientError) {
    let refused = state.withLock { state in
      state.lastWord = error
      guard !state.hasAnswered, !state.calls.isEmpty else { return false }
      state.lastWord = nil
      return true
    }
    if refused { endAll(error) }
  }

  /// The server has answered this call.
  func answer(_ number: Int64, _ outcome: Outcome) {
    state.withLock { state in
      state.hasAnswered = true
      state.lastWord = nil
    }
    end(number, outcome)
  }

  /// The connection is gone: nothing else is answered.
  /// - Parameter reason: why, where it was not the other side that ended it.
  func close(_ reason: ClientError? = nil) {
    let end = state.withLock { state in
      state.isClosed = true
      if let reason { state.lastWord = reason }
      guard !state.calls.isEmpty else { return ClientError.closed }
      defer { state.lastWord = nil }
      return state.lastWord ?? .closed
    }
    endAll(end)
  }

  private func endAll(_ error: ClientError) {
    for number in state.withLock({ Array($0.calls.keys) }) { end(number, .failure(error)) }
  }
}
