import EmulatedAPIs
import JSON
import Linux
import PlacesClient
import PlacesKit

/// Calls the daemon's methods for one user. The number of calls in progress is limited. The calls use several connections, because the
/// daemon limits the number of calls in progress on each connection. Use it on the loop's thread only.
///
/// `@unchecked Sendable`: mutable state is used on the loop's thread only.
final class DaemonCaller: @unchecked Sendable {
  private let loop: EventLoop
  private let time: @Sendable () -> Double
  private let connections: [DaemonConnection]
  /// The permission of the user on whose behalf the calls are made; nil for the gateway's own user.
  private let access: SocketAccess?
  /// The number of calls that wait for the result of `access`.
  private var callsAwaitingPermission = 0

  /// The maximum number of calls in progress on a connection. It is less than the daemon's default limit of 64 (`limits.in_flight`).
  static let maxPerConnection = 48
  /// The number of connections of a caller.
  static let connectionCount = 4

  /// - Parameters:
  ///   - user: the user on whose behalf the calls are made; nil for the gateway's own user.
  ///   - paths: the paths of the daemon's socket, in the order in which they are tried.
  ///   - time: the clock of the time limits, in seconds.
  init(
    _ loop: EventLoop, onBehalfOf user: UInt32? = nil, paths: [String] = SocketDialer().paths,
    time: @escaping @Sendable () -> Double = monotonicSeconds
  ) {
    self.loop = loop
    self.time = time
    // Only the system's daemon, or the daemon that PLACES_SOCKET names, serves other users; its path is the last one. There must be only
    // one path, so that the permissions that are checked are those of the socket that is used.
    let paths = user == nil ? paths : Array(paths.suffix(1))
    connections = (0..<DaemonCaller.connectionCount).map { _ in DaemonConnection(loop, paths: paths, onBehalfOf: user, time: time) }
    access = user.flatMap { user in paths.first.map { SocketAccess(of: user, to: $0) } }
  }

  /// True if no call waits for its reply.
  var isIdle: Bool { callsAwaitingPermission == 0 && connections.allSatisfy { $0.callsInProgress == 0 } }

  func close() { for connection in connections { connection.close() } }

  /// Makes a call. `completion` receives the reply once, before or after this function returns, unless the call is cancelled. `partial`
  /// receives the params of each `places.partial`.
  /// - Parameter seconds: a time limit, which applies if it is shorter than the call's own deadline plus a grace period.
  @discardableResult func call(
    _ call: DaemonCall, within seconds: Double = .infinity, partial: (([UInt8]) -> Void)? = nil, completion: @escaping (DaemonReply) -> Void
  ) -> PendingCall {
    let usualSeconds = call.params["deadlineMs"]?.double.map { min(max($0, 0), 30_000) / 1_000 } ?? PlacesClient.maxCallSeconds
    let pending = PendingCall(
      call, deadline: time() + min(usualSeconds + PlacesClient.graceSeconds, seconds), partial: partial, completion: completion)
    guard seconds > 0 else {
      pending.finish(.failure(.timedOut))
      return pending
    }
    guard let access else {
      begin(pending, isPermitted: true)
      return pending
    }
    if let isPermitted = access.cachedResult {
      begin(pending, isPermitted: isPermitted)
      return pending
    }
    guard callsAwaitingPermission < DaemonCaller.maxPerConnection else {
      pending.finish(.failure(DaemonCaller.overloaded))
      return pending
    }
    callsAwaitingPermission += 1
    // This function cannot be `async`, because the loop calls it. The look-up runs on another thread, so a task waits for it.
    Task(name: "look-up of a user's permission") { [self] in
      let isPermitted = await access.isPermitted
      loop.enqueue {
        self.callsAwaitingPermission -= 1
        self.begin(pending, isPermitted: isPermitted)
      }
    }
    return pending
  }

  /// Sends the call if its user may use the daemon and a connection has room; otherwise fails it.
  /// - Parameter isPermitted: nil if the permission could not be determined.
  private func begin(_ call: PendingCall, isPermitted: Bool?) {
    guard !call.isOver else { return }
    switch isPermitted {
    case true?: break
    case false?: return call.finish(.failure(DaemonFailure(name: .permissionDenied, message: "you may not use the places daemon")))
    case nil:
      return call.finish(
        .failure(
          DaemonFailure(name: .overloaded, message: "the system's user database does not answer; try again in a moment", retryAfter: 1)))
    }
    // The first connection that has room is used, so that requests of one round of the loop share a system call.
    guard let connection = connections.first(where: { $0.callsInProgress < DaemonCaller.maxPerConnection }) else {
      return call.finish(.failure(DaemonCaller.overloaded))
    }
    connection.send(call)
  }

  private static let overloaded = DaemonFailure(name: .overloaded, message: "too many requests are in progress", retryAfter: 1)
}
