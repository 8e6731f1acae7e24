import EmulatedAPIs
import Linux
import Testing

@testable import places_gateway

@Suite("The callers of the gateway's users")
struct UserCallersTests {
  /// Callers whose users are recorded as they are made. There is no daemon, and the loop does not run, so that calls wait.
  private final class Made {
    var users: [UInt32] = []
    let loop: EventLoop
    var callers: UserCallers { UserCallers(own: caller()) { user in self.make(user) } }

    init() throws { loop = try EventLoop(name: "test") }

    func caller() -> DaemonCaller { DaemonCaller(loop, paths: ["/nonexistent/socket"]) }

    private func make(_ user: UInt32) -> DaemonCaller {
      users.append(user)
      return caller()
    }
  }

  @Test("Each user has a caller of its own, and a request without a user has the gateway's")
  func perUser() throws {
    let made = try Made()
    let callers = made.callers
    let own = try #require(callers.caller(for: nil))
    let (one, two) = (try #require(callers.caller(for: 1)), try #require(callers.caller(for: 2)))
    #expect(own !== one && one !== two && own !== two)
    #expect(callers.caller(for: 1) === one && callers.caller(for: 2) === two && callers.caller(for: nil) === own)
    #expect(made.users == [1, 2])
  }

  @Test("With too many users, the one that has asked for nothing for the longest time loses its connections")
  func oldest() throws {
    let made = try Made()
    let callers = made.callers
    for user in 0..<UInt32(UserCallers.maxUsers) { #expect(callers.caller(for: user) != nil) }
    _ = callers.caller(for: 0)
    // User 1 is the oldest now.
    #expect(callers.caller(for: 1_000) != nil)
    made.users = []
    _ = callers.caller(for: 0)
    #expect(made.users.isEmpty)
    _ = callers.caller(for: 1)
    #expect(made.users == [1])
  }

  @Test("A user that waits for a reply does not lose its connections; if all wait, another user is refused")
  func busy() throws {
    let made = try Made()
    let callers = made.callers
    let all = try (0..<UInt32(UserCallers.maxUsers)).map { try #require(callers.caller(for: $0)) }
    func wait(_ caller: DaemonCaller) -> PendingCall {
      caller.call(DaemonCall(method: "x", params: [:])) { _ in Issue.record("there is no daemon to answer") }
    }
    let waiting = all.dropLast().map(wait)
    #expect(all.dropLast().allSatisfy { !$0.isIdle })
    // The last one is the only one that is idle.
    #expect(callers.caller(for: 1_000) != nil)
    let last = try #require(callers.caller(for: 1_000))
    let lastCall = wait(last)
    #expect(!last.isIdle && callers.caller(for: 1_001) == nil)
    #expect(callers.caller(for: 0) === all[0] && callers.caller(for: nil) != nil)
    for call in waiting { call.cancel() }
    lastCall.cancel()
    #expect(callers.caller(for: 1_001) != nil)
  }
}
