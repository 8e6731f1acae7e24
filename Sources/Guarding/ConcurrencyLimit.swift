import Synchronization

/// At most so many at once, the others in line. Whoever enters must leave.
public final class ConcurrencyLimit: Sendable {
  public enum Refusal: Error, Sendable, Hashable {
    /// The line is full.
    case full
    /// The waiting task was cancelled.
    case cancelled
  }

  private enum Entry { case inside, full, cancelled }

  private struct State {
    var inside = 0
    var nextID = 0
    var line: [(id: Int, continuation: CheckedContinuation<Entry, Never>)] = []
    var cancelledEarly: Set<Int> = []
  }

  public let limit: Int
  private let longestLine: Int
  private let state = Mutex(State())

  /// `limit` inside and `longestLine` waiting, both at least what makes sense: 1 and 0.
  public init(_ limit: Int, longestLine: Int = 1_024) {
    self.limit = max(1, limit)
    self.longestLine = max(0, longestLine)
  }

  /// How many are inside and how many wait.
  public var load: (inside: Int, waiting: Int) { state.withLock { ($0.inside, $0.line.count) } }

  /// Enters where there is room at once; false otherwise.
  public func tryEnter() -> Bool {
    state.withLock { state in
      guard state.inside < limit else { return false }
      state.inside += 1
      return true
    }
  }

  /// Waits for its turn, first come, first served.
  public func enter() async throws(Refusal) {
    if tryEnter() { return }
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    let entry = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = state.withLock { state in arrive(id, continuation, &state) }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      leaveLine(id)
    }
    state.withLock { _ = $0.cancelledEarly.remove(id) }
    switch entry {
    case .inside: return
    case .full: throw .full
    case .cancelled: throw .cancelled
    }
  }

  /// What is known at once; nil where the caller stands in line now.
  private func arrive(_ id: Int, _ continuation: CheckedContinuation<Entry, Never>, _ state: inout State) -> Entry? {
    if state.cancelledEarly.remove(id) != nil { return .cancelled }
    if state.inside < limit {
      state.inside += 1
      return .inside
    }
    guard state.line.count < longestLine else { return .full }
    state.line.append((id, continuation))
    return nil
  }

  /// Gives the room to the first in line.
  public func leave() {
    let next = state.withLock { state -> CheckedContinuation<Entry, Never>? in
      if !state.line.isEmpty { return state.line.removeFirst().continuation }
      state.inside = max(0, state.inside - 1)
      return nil
    }
    next?.resume(returning: .inside)
  }

  private func leaveLine(_ id: Int) {
    let continuation = state.withLock { state -> CheckedContinuation<Entry, Never>? in
      guard let index = state.line.firstIndex(where: { $0.id == id }) else {
        state.cancelledEarly.insert(id)
        return nil
      }
      return state.line.remove(at: index).continuation
    }
    continuation?.resume(returning: .cancelled)
  }
}
