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
    var isClosed = false
  }
  private let state = Mutex(State())

  /// A number for a new call; nil when the connection is closed.
  func begin() -> Int64? {
    state.withLock { state in
      guard !state.isClosed else { return nil }
      state.next += 1
      state.calls[state.next] = .some(nil)
      return state.next
    }
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

  /// The connection is gone: nothing else is answered.
  func close() {
    let open = state.withLock { state in
      state.isClosed = true
      return Array(state.calls.keys)
    }
    for number in open { end(number, .failure(.closed)) }
  }
}
