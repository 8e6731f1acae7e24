import PlacesAPI
import PlacesKit
import PlacesTesting
import Synchronization
import Testing

@testable import PlacesClient

/// A daemon without sockets: answers by a script and records the requests.
final class ScriptedDaemon: Dialer {
  struct ReceivedCall: Sendable, Equatable {
    var method: String
    var params: JSONValue
  }
  enum Answer: Sendable {
    case result(JSONValue)
    case error(ClientError)
    /// Nothing until the asking task is cancelled.
    case never
  }
  private struct State {
    var received: [ReceivedCall] = []
    var dials = 0
    var cancelled = 0
    var waiting: [(Int, CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())
  private let answer: @Sendable (ReceivedCall, Int) -> Answer
  private let dialing: @Sendable (Int) -> ClientError?

  /// `answer` receives a request and the number of earlier ones; `dialing` returns the error of a connection attempt, counted from 0.
  init(dialing: @escaping @Sendable (Int) -> ClientError? = { _ in nil }, answer: @escaping @Sendable (ReceivedCall, Int) -> Answer) {
    self.answer = answer
    self.dialing = dialing
  }

  var received: [ReceivedCall] { state.withLock { $0.received } }
  var dials: Int { state.withLock { $0.dials } }
  var cancelled: Int { state.withLock { $0.cancelled } }

  func dial() async throws(ClientError) -> any Channel {
    let number = state.withLock { state in
      state.dials += 1
      return state.dials - 1
    }
    if let error = dialing(number) { throw error }
    return Line(daemon: self)
  }

  /// Returns when this many requests have arrived.
  func wait(for count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.received.count >= count { return true }
        state.waiting.append((count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  fileprivate func ask(_ received: ReceivedCall, partial: (@Sendable ([UInt8]) -> Void)?) async throws(ClientError) -> [UInt8] {
    let (number, due) = state.withLock { state in
      state.received.append(received)
      let due = state.waiting.filter { $0.0 <= state.received.count }.map(\.1)
      state.waiting.removeAll { $0.0 <= state.received.count }
      return (state.received.count - 1, due)
    }
    for continuation in due { continuation.resume() }
    switch answer(received, number) {
    case .result(let value):
      if let first = value["partial"] { partial?(first.bytes) }
      return value.bytes
    case .error(let error): throw error
    case .never:
      await waitForCancellation()
      state.withLock { $0.cancelled += 1 }
      throw .cancelled
    }
  }

  private final class Line: Channel {
    let daemon: ScriptedDaemon
    init(daemon: ScriptedDaemon) { self.daemon = daemon }
    func request(
      _ method: String, _ params: JSONObject, partial: (@Sendable ([UInt8]) -> Void)?
    ) async throws(ClientError) -> [UInt8] {
      try await daemon.ask(ReceivedCall(method: method, params: .object(params)), partial: partial)
    }
    func close() {}
  }
}

/// A row as the daemon writes it.
func row(_ name: String, id: String = "gazetteer:1") -> JSONValue {
  [
    "kind": "place", "id": .string(id), "text": ["text": .string(name), "matches": []], "row": "r1", "types": ["locality"],
    "sources": [["provider": "gazetteer", "id": .string(id), "rank": 1]],
  ]
}

func suggestions(_ names: String...) -> JSONValue {
  [
    "suggestions": .array(names.map { row($0) }), "providers": [], "attributions": [], "complete": true, "revision": 1,
  ]
}

let info: JSONValue = [
  "name": "placesd", "version": "1", "protocol": ["major": 1, "minor": 0], "capabilities": [],
  "limits": ["requestBytes": 1, "replyBytes": 1, "depth": 1, "batch": 1, "inFlight": 1, "unreadBytes": 1],
  "defaults": ["limit": 10, "deadlineMs": 1000], "suggestedDebounceMs": 200, "minimumLetters": 2,
]
