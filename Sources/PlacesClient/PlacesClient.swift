import PlacesAPI
import PlacesKit
import Synchronization

/// Typed calls to the places daemon over one connection. The first call opens the connection; if it breaks, the next call opens another
/// one.
public final class PlacesClient: Sendable {
  /// The client stops waiting this many seconds after a call's deadline.
  public static let graceSeconds = 2.0
  /// Seconds that a call without a deadline may take: the longest deadline of the protocol.
  public static let maxCallSeconds = 30.0

  /// The clock for time limits and for the pauses between attempts.
  public let time: any TimeSource
  private let dialer: any Dialer
  private let backoff: Backoff
  private let random: @Sendable (Double) -> Double
  private let channel = Mutex<(any Channel)?>(nil)

  /// Without a dialer, connects to the default daemon. `random` returns a number from 0 to its argument.
  public init(
    dialer: any Dialer = SocketDialer(), backoff: Backoff = Backoff(), time: any TimeSource = SystemTime(),
    random: @escaping @Sendable (Double) -> Double = { $0 > 0 ? Double.random(in: 0...$0) : 0 }
  ) {
    self.dialer = dialer
    self.backoff = backoff
    self.time = time
    self.random = random
  }

  /// Calls a method and waits for at most `seconds`. If the connection breaks before the reply, the request is sent once more if
  /// `mayRepeat` permits it.
  public func call<M: Method>(
    _ method: M.Type, _ parameters: M.Parameters, within seconds: Double = maxCallSeconds + graceSeconds,
    partial: (@Sendable (Partial) -> Void)? = nil
  ) async throws(ClientError) -> M.Result {
    let params = M.schema.encode(parameters)
    var receivePartial: (@Sendable ([UInt8]) -> Void)?
    if let partial { receivePartial = { if let partialAnswer = try? Partial(json: $0) { partial(partialAnswer) } } }
    let bytes = try await sendWithTimeLimit(M.name, params, within: seconds, receivePartial)
    do { return try M.Result(json: bytes) } catch { throw .unreadable("\(M.name): \(PlacesClient.reason(error))") }
  }

  /// The reason why a reply cannot be decoded.
  private static func reason(_ error: any Error) -> String {
    switch error {
    case let error as JSONError: return error.message
    case let error as DecodingError:
      let (path, reason) = error.pathAndReason
      return path.isEmpty ? reason : "\(path) \(reason)"
    default: return "\(error)"
    }
  }

  /// Calls a method by its name and returns the bytes of its result, for programs that pass requests and replies on. The daemon checks the
  /// params. `partial` receives the params of each `places.partial` notification.
  public func call(
    method: String, params: JSONObject, within seconds: Double = maxCallSeconds + graceSeconds,
    partial: (@Sendable ([UInt8]) -> Void)? = nil
  ) async throws(ClientError) -> [UInt8] {
    try await sendWithTimeLimit(method, params, within: seconds, partial)
  }

  /// Closes the connection; a later call opens another one.
  public func close() {
    let oldChannel = channel.withLock { channel in
      let oldChannel = channel
      channel = nil
      return oldChannel
    }
    oldChannel?.close()
  }

  /// True if a request whose reply was lost may be sent again, because the daemon usually answers the second request from its cache. False
  /// for a request that may have changed something, such as a choice or an administrator's command. Also false for a request that might be
  /// paid for twice: details that end a session, `places.resolve`, which may make several paid calls, and a request that skips the cache.
  /// - Parameters:
  ///   - method: the name of the request's method.
  ///   - params: the params of the request.
  public static func mayRepeat(_ method: String, _ params: JSONObject) -> Bool {
    let mode = params["cache"]?.string.flatMap(CacheMode.init) ?? .standard
    guard mode == .standard || mode == .only else { return false }
    return switch method {
    case Autocomplete.name, Search.name, Reverse.name: true
    case Details.name: params["session"] == nil
    default: false
    }
  }

  /// Sends a request, and sends it once more if the connection broke and `mayRepeat` permits it.
  private func sendWithRetry(_ method: String, _ params: JSONObject, _ partial: (@Sendable ([UInt8]) -> Void)?) async throws(ClientError)
    -> [UInt8]
  {
    do throws(ClientError) {
      return try await sendOnce(method, params, partial)
    } catch {
      guard error == .connectionLost, PlacesClient.mayRepeat(method, params) else { throw error }
      return try await sendOnce(method, params, partial)
    }
  }

  /// Sends a request over the open connection, or over a new one. If the connection breaks, the next request opens another one.
  private func sendOnce(
    _ method: String, _ params: JSONObject, _ partial: (@Sendable ([UInt8]) -> Void)?
  ) async throws(ClientError) -> [UInt8] {
    let channel = try await connectedChannel()
    do throws(ClientError) {
      return try await channel.request(method, params, partial: partial)
    } catch {
      // Another call may have opened a new connection in the meantime.
      if error == .connectionLost { self.channel.withLock { if $0 === channel { $0 = nil } } }
      throw error
    }
  }

  /// The open connection, or a new one. Attempts that fail are repeated as `backoff` determines.
  private func connectedChannel() async throws(ClientError) -> any Channel {
    if let openChannel = channel.withLock({ $0 }) { return openChannel }
    let startTime = time.monotonic()
    var attempt = 0
    while true {
      do throws(ClientError) {
        let newChannel = try await dialer.dial()
        // Two calls may dial at once; the second connection is closed.
        let keptChannel: any Channel = channel.withLock { channel in
          if let channel { return channel }
          channel = newChannel
          return newChannel
        }
        if keptChannel !== newChannel { newChannel.close() }
        return keptChannel
      } catch {
        let nextTime = time.monotonic() + random(backoff.ceiling(after: attempt))
        guard case .unreachable = error, nextTime < startTime + backoff.timeLimit else { throw error }
        attempt += 1
        do { try await time.sleep(until: nextTime) } catch { throw .cancelled }
      }
    }
  }

  /// Sends a request and starts a timer. If the timer ends first, cancels the request and throws `timeLimit`.
  private func sendWithTimeLimit(
    _ method: String, _ params: JSONObject, within seconds: Double, _ partial: (@Sendable ([UInt8]) -> Void)?
  ) async throws(ClientError) -> [UInt8] {
    let end = time.monotonic() + seconds
    let firstResult = await withTaskGroup(of: Result<[UInt8], ClientError>.self) { group in
      group.addTask(name: "call") {
        do throws(ClientError) { return .success(try await self.sendWithRetry(method, params, partial)) } catch { return .failure(error) }
      }
      group.addTask(name: "time limit of the call") { [time] in
        do throws(CancellationError) {
          try await time.sleep(until: end)
          return .failure(.timeLimit(seconds: seconds))
        } catch { return .failure(.cancelled) }
      }
      let firstResult = await group.next()
      group.cancelAll()
      return firstResult ?? .failure(.cancelled)
    }
    return try firstResult.get()
  }
}
