import Glibc
import Linux
import PlacesAPI
import PlacesKit
import RPC
import Synchronization

/// Finds the daemon's socket and connects to it.
public struct SocketDialer: Dialer {
  /// Tried in this order; the first that accepts a connection is used.
  public var paths: [String]

  public init(paths: [String]) { self.paths = paths }

  /// The default sockets: only `$PLACES_SOCKET` if it is set; otherwise that of the user's own daemon, then the system's. If
  /// XDG_RUNTIME_DIR is not set, the folder that systemd makes for the user is used, as the daemon does.
  public init(environment: [String: String] = SocketDialer.environment(), userID: UInt32 = geteuid()) {
    if let path = environment["PLACES_SOCKET"], !path.isEmpty {
      paths = [path]
    } else {
      let named = environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      let own = named ?? (userID == 0 ? nil : "/run/user/\(userID)")
      paths = [own.map { "\($0)/placesd/placesd.sock" }, "/run/placesd/placesd.sock"].compactMap { $0 }
    }
  }

  /// The two variables that matter.
  public static func environment() -> [String: String] {
    var environment: [String: String] = [:]
    for name in ["PLACES_SOCKET", "XDG_RUNTIME_DIR"] { environment[name] = getenv(name).map { String(cString: $0) } }
    return environment
  }

  public func dial() async throws(ClientError) -> any Channel {
    var failures: [SystemError] = []
    for path in paths {
      // A full backlog empties within milliseconds, so one second is enough.
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
    throw SocketDialer.verdict(on: failures, of: paths)
  }

  /// The error after no socket could be opened: `forbidden` if one exists that this user may not open.
  static func verdict(on failures: [SystemError], of paths: [String]) -> ClientError {
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
    let waiting = Mutex<[Int64: @Sendable ([UInt8]) -> Void]>([:])
  }

  init(path: String) throws(RPCClientError) {
    let partials = Partials()
    self.partials = partials
    client = try RPC.Client(connectingTo: path) { notification in
      guard notification.method == Partial.method, let params = try? notification.tree(), case .integer(let id)? = params["request"] else {
        return
      }
      partials.waiting.withLock { $0[id] }?(params.bytes)
    }
  }

  func request(
    _ method: String, _ params: JSONObject, partial: (@Sendable ([UInt8]) -> Void)?
  ) async throws(ClientError) -> [UInt8] {
    var number: Int64?
    defer { if let number { partials.waiting.withLock { $0[number] = nil } } }
    do throws(RPCClientError) {
      // The caller limits the time.
      return try await client.call(method, params: JSONValue.object(params).bytes, seconds: 86_400) { id in
        guard let partial else { return }
        number = id
        partials.waiting.withLock { $0[id] = partial }
      }
    } catch { throw ClientError(error) }
  }

  func close() { client.close() }
}

extension ClientError {
  /// The same error as callers of this library see it.
  /// - Parameter error: of a connection to the daemon.
  public init(_ error: RPCClientError) {
    switch error {
    case .unreachable(let error): self = .unreachable(sockets: [error.subject], reason: error.reason)
    case .closed: self = .connectionLost
    case .timedOut(let seconds): self = .timeLimit(seconds: seconds)
    case .cancelled: self = .cancelled
    case .refused(let error): self = .refused(Refusal(code: error.code, message: error.message, data: error.data ?? .null))
    case .badReply(let reason): self = .unreadable(reason)
    }
  }
}
