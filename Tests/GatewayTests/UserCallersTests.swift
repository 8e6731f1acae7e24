import EmulatedAPIs
import PlacesClient
import PlacesKit
import PlacesTesting
import Synchronization
import Testing

@testable import places_gateway

@Suite("The callers of the gateway's users")
struct UserCallersTests {
  /// Callers whose users are recorded as they are made.
  private final class Made: Sendable {
    let users = Mutex<[UInt32]>([])
    let dialer = HangingDialer()
    var callers: UserCallers { UserCallers(own: caller()) { user in self.make(user) } }

    func caller() -> DaemonCaller { DaemonCaller([PlacesClient(dialer: dialer, backoff: Backoff(first: 0, longest: 0, total: 0))]) }

    private func make(_ user: UInt32) -> DaemonCaller {
      users.withLock { $0.append(user) }
      return caller()
    }
  }

  @Test("Each user has a caller of its own, and a request without a user has the gateway's")
  func perUser() throws {
    let made = Made()
    let callers = made.callers
    let own = try #require(callers.caller(for: nil))
    let (one, two) = (try #require(callers.caller(for: 1)), try #require(callers.caller(for: 2)))
    #expect(own !== one && one !== two && own !== two)
    #expect(callers.caller(for: 1) === one && callers.caller(for: 2) === two && callers.caller(for: nil) === own)
    #expect(made.users.withLock { $0 } == [1, 2])
  }

  @Test("With too many users, the one that has asked for nothing for the longest time loses its connections")
  func oldest() throws {
    let made = Made()
    let callers = made.callers
    for user in 0..<UInt32(UserCallers.most) { #expect(callers.caller(for: user) != nil) }
    _ = callers.caller(for: 0)
    // User 1 is the oldest now.
    #expect(callers.caller(for: 1_000) != nil)
    made.users.withLock { $0 = [] }
    _ = callers.caller(for: 0)
    #expect(made.users.withLock { $0 }.isEmpty)
    _ = callers.caller(for: 1)
    #expect(made.users.withLock { $0 } == [1])
  }

  @Test("A user that waits for a reply does not lose its connections; if all wait, another user is refused", .timeLimit(.minutes(1)))
  func busy() async throws {
    let made = Made()
    let callers = made.callers
    let all = try (0..<UInt32(UserCallers.most)).map { try #require(callers.caller(for: $0)) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for caller in all.dropLast() { group.addTask { _ = await caller.call(DaemonCall(method: "x", params: [:])) } }
      try await eventually("calls in progress") { all.dropLast().allSatisfy { !$0.isIdle } ? () : nil }
      // The last one is the only one that is idle.
      #expect(callers.caller(for: 1_000) != nil)
      let last = try #require(callers.caller(for: 1_000))
      group.addTask { _ = await last.call(DaemonCall(method: "x", params: [:])) }
      try await eventually("one more call in progress") { last.isIdle ? nil : () }
      #expect(callers.caller(for: 1_001) == nil)
      #expect(callers.caller(for: 0) === all[0] && callers.caller(for: nil) != nil)
      group.cancelAll()
    }
    #expect(callers.caller(for: 1_001) != nil)
  }
}

/// Never connects.
private struct HangingDialer: Dialer {
  func dial() async throws(ClientError) -> any Channel {
    do { try await Task.sleep(for: .seconds(3_600)) } catch {}
    throw .cancelled
  }
}
