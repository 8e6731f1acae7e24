import Glibc
import Linux
import PlacesAPI
import PlacesKit
import RPC
import Synchronization

/// Finds the daemon's socket and connects to it.
public struct SocketDialer: Dialer {
  /// The paths of the sockets, in the order in which they are tried. The first one that accepts a connection is used.
  public var paths: [String]

  public init(paths: [String]) { self.paths = paths }

  /// The default sockets. If the variable `PLACES_SOCKET` is set, only that one; otherwise the socket of the user's own daemon, then the
  /// socket of the system's daemon. If `XDG_RUNTIME_DIR` is not set, the folder that systemd creates for the user takes its place, as in
  /// the daemon.
  public init(environment: [String: String] = SocketDialer.environment(), userID: UInt32 = geteuid()) {
    if let path = environment["PLACES_SOCKET"], !path.isEmpty {
      paths = [path]
    } else {
      let configuredFolder = environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      let userFolder = configuredFolder ?? (userID == 0 ? nil : "/run/user/\(userID)")
      paths = [userFolder.map { "\($0)/placesd/placesd.sock" }, "/run/placesd/placesd.sock"].compactMap { $0 }
    }
  }

  /// The environment variables that determine the default sockets.
  public static func environment() -> [String: String] {
    var environment: [String: String] = [:]
    for name in ["PLACES_SOCKET", "XDG_RUNTIME_DIR"] { environment[name] = getenv(name).map { String(cString: $0) } }
    return environment
  }

  public func dial() async throws(ClientError) -> any Channel {
    var failures: [SystemError] = []
    for path in paths {
      // EAGAIN means that the socket's queue of new connections is full. The daemon empties it within milliseconds, so retrying for one
      // second is enough.
      for attempt in 0..<20 {
        do throws(RPCClientError) {
          return try SocketChannel(path: path)
        } catch .unreachable(let error) where error.code == EAGAIN && attempt < 19 {
          do { try await Task.sleep(for: .milliseconds(50)) } catch { throw .cancelled }
        } catch {
          guard case .unreachable(let error) = error else { throw ClientError(error) }
          failures.append(error)
          break
        }
      }
    }
    throw SocketDialer.error(for: failures, of: paths)
  }

  /// The error to throw if no socket could be opened: `forbidden` if this user may not open one of them, otherwise `unreachable`.
  static func error(for failures: [SystemError], of paths: [String]) -> ClientError {
    for (path, failure) in zip(paths, failures) where failure.code == EACCES {
      return .forbidden(socket: path, reason: failure.reason)
    }
    return .unreachable(sockets: paths, reason: failures.last?.reason ?? "no socket is configured")
  }
}

/// A connection over a Unix socket.
final class SocketChannel: Channel {
  private let client: RPC.Client
  private let partials: Partials

  /// The receivers of partial answers, by request id.
  private final class Partials: Sendable {
    let receivers = Mutex<[Int64: @Sendable ([UInt8]) -> Void]>([:])
  }

  init(path: String) throws(RPCClientError) {
    let partials = Partials()
    self.partials = partials
    client = try RPC.Client(connectingTo: path) { notification in
      guard notification.method == Partial.method, let params = try? notification.decodedParams(),
        case .integer(let id)? = params["request"]
      else {
        return
      }
      partials.receivers.withLock { $0[id] }?(params.bytes)
    }
  }

  func request(
    _ method: String, _ params: JSONObject, partial: (@Sendable ([UInt8]) -> Void)?
  ) async throws(ClientError) -> [UInt8] {
    var callID: Int64?
    defer { if let callID { partials.receivers.withLock { $0[callID] = nil } } }
    do throws(RPCClientError) {
      // `PlacesClient` has its own time limit, so this one is never reached.
      return try await client.call(method, params: JSONValue.object(params).bytes, seconds: 86_400) { id in
        guard let partial else { return }
        callID = id
        partials.receivers.withLock { $0[id] = partial }
      }
    } catch { throw ClientError(error) }
  }

  func close() { client.close() }
}

extension ClientError {
  /// Converts an error of the connection into the error that callers of this library receive.
  public init(_ error: RPCClientError) {
    switch error {
    case .unreachable(let error): self = .unreachable(sockets: [error.subject], reason: error.reason)
    case .closed: self = .connectionLost
    case .timedOut(let seconds): self = .timeLimit(seconds: seconds)
    case .cancelled: self = .cancelled
    case .serverError(let error): self = .refused(Refusal(code: error.code, message: error.message, data: error.data ?? .null))
    case .badReply(let reason): self = .unreadable(reason)
    }
  }
}
