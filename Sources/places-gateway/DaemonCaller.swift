import EmulatedAPIs
import JSON
import Linux
import PlacesAPI
import PlacesClient
import PlacesKit
import Synchronization

/// Calls the daemon's methods. The calls in progress are bounded, and spread over several connections, since the daemon bounds those of each.
final class DaemonCaller: Sendable {
  private let clients: [PlacesClient]
  /// Of the user on whose behalf the calls are made; nil for the gateway's own.
  private let access: SocketAccess?
  private let state = Mutex(Calls())

  private struct Calls {
    var inProgress = 0
    var next = 0
  }

  /// The maximum number of calls in progress; below what the daemon allows on these connections.
  static let most = 192

  init(_ clients: [PlacesClient], access: SocketAccess? = nil) {
    self.clients = clients
    self.access = access
  }

  /// Connections that are opened when they are needed, on a loop.
  /// - Parameter user: the user on whose behalf the calls are made; nil for the gateway's own.
  convenience init(_ loop: EventLoop, onBehalfOf user: UInt32? = nil) {
    var dialer = SocketDialer()
    dialer.loop = loop
    // Only the system's daemon, or the one that is named, serves other users. The permissions that are checked must be those of the socket that is
    // connected to, so that there is one path.
    if user != nil { dialer.paths = Array(dialer.paths.suffix(1)) }
    dialer.representedUser = user
    // A person waits for the answer: a daemon that is being started has two seconds.
    self.init(
      (0..<4).map { [dialer] _ in PlacesClient(dialer: dialer, backoff: Backoff(first: 0.05, longest: 0.5, total: 2)) },
      access: user.flatMap { user in dialer.paths.first.map { SocketAccess(of: user, to: $0) } })
  }

  /// True if no call waits for its reply.
  var isIdle: Bool { state.withLock { $0.inProgress == 0 } }

  func close() { for client in clients { client.close() } }

  func call(_ call: DaemonCall, partial: (@Sendable ([UInt8]) -> Void)? = nil) async -> DaemonReply {
    let client = state.withLock { calls -> PlacesClient? in
      guard calls.inProgress < DaemonCaller.most else { return nil }
      calls.inProgress += 1
      calls.next = (calls.next + 1) % clients.count
      return clients[calls.next]
    }
    guard let client else { return .failure(DaemonFailure(name: .overloaded, message: "too many requests are in progress", retryAfter: 1)) }
    defer { state.withLock { $0.inProgress -= 1 } }
    if let access {
      switch await access.isPermitted {
      case true?: break
      case false?: return .failure(DaemonFailure(name: .permissionDenied, message: "you may not use the places daemon"))
      case nil:
        return .failure(
          DaemonFailure(name: .overloaded, message: "the system's user database does not answer; try again in a moment", retryAfter: 1))
      }
    }
    let deadline = call.params["deadlineMs"]?.double.map { min(max($0, 0), 30_000) / 1_000 } ?? PlacesClient.longest
    do throws(ClientError) {
      return .result(
        try await client.call(method: call.method, params: call.params, within: deadline + PlacesClient.grace, partial: partial))
    } catch { return .failure(DaemonFailure(error)) }
  }
}

extension DaemonFailure {
  init(_ error: ClientError) {
    guard case .refused(let refusal) = error else {
      let name: APIError.Name? =
        switch error {
        case .timeLimit: .deadlineExceeded
        case .cancelled: .cancelled
        case .unreadable: .internalError
        default: nil
        }
      // Without the sockets' paths, which clients need not know.
      self.init(name: name, message: name == nil ? "the places daemon does not answer" : error.message)
      return
    }
    self.init(name: refusal.name, code: refusal.code, message: refusal.message, retryAfter: refusal.retryAfter, data: refusal.data)
  }
}
