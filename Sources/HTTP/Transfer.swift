import Linux
import PlacesKit
import Synchronization

/// One request that is being sent, and the received part of its response.
///
/// `@unchecked Sendable`: only the HTTP thread uses the mutable state, except the outcome, which has a mutex.
final class Transfer: @unchecked Sendable {
  /// The result of the transfer for its caller.
  struct Outcome {
    let result: Result<HTTPResponse, ProviderError>
    /// True if the request may have reached the service.
    let wasSent: Bool
  }

  let request: OutgoingRequest
  let access: HTTPAccess
  let timeout: Duration
  let limits: HTTPLimits
  /// The meter to which the request is charged; nil if no budget counts it.
  private let meter: (any RequestMeter)?

  private(set) var status = 0
  private(set) var headers: [HTTPRequest.Item] = []
  private(set) var body: [UInt8] = []
  private var headerBytes = 0
  /// The reason why a callback ended the transfer; nil if none did.
  private(set) var refusal: ProviderError?
  /// True if a connection to a private address was refused. Another address of the host may still be used.
  private(set) var hasRefusedAddress = false
  /// True if the request may have reached the service.
  private var wasSent = false
  /// True if TCP is connected and the TLS handshake has begun.
  private(set) var hasBegunTLS = false

  /// The state of the caller's wait for the outcome.
  private enum Waiter {
    /// The caller does not wait yet.
    case nobody
    /// The caller waits.
    case waiting(CheckedContinuation<Outcome, Never>)
    /// The transfer has ended. The outcome is stored, because a cancellation may end the transfer before the caller waits.
    case done(Outcome)
  }
  private let waiter = Mutex(Waiter.nobody)

  init(_ request: OutgoingRequest, access: HTTPAccess, timeout: Duration, limits: HTTPLimits, meter: (any RequestMeter)?) {
    self.request = request
    self.access = access
    self.timeout = timeout
    self.limits = limits
    self.meter = meter
  }

  /// Registers the waiter. Must be called once.
  func wait(_ continuation: CheckedContinuation<Outcome, Never>) {
    let outcome: Outcome? = waiter.withLock { waiter in
      if case .done(let outcome) = waiter { return outcome }
      waiter = .waiting(continuation)
      return nil
    }
    if let outcome { continuation.resume(returning: outcome) }
  }

  /// Passes the result to the waiter. Later results are ignored. It is called on the HTTP thread or, if the transfer was never started, on
  /// any thread.
  func finish(_ result: Result<HTTPResponse, ProviderError>) {
    let outcome = Outcome(result: result, wasSent: wasSent)
    let continuation: CheckedContinuation<Outcome, Never>? = waiter.withLock { waiter in
      if case .done = waiter { return nil }
      defer { waiter = .done(outcome) }
      if case .waiting(let continuation) = waiter { return continuation }
      return nil
    }
    continuation?.resume(returning: outcome)
  }

  var isFinished: Bool {
    waiter.withLock { if case .done = $0 { true } else { false } }
  }

  var response: HTTPResponse { HTTPResponse(status: status, headers: headers, body: body) }

  /// Receives a header line. Returns false to end the transfer.
  func receive(header line: UnsafeRawBufferPointer) -> Bool {
    headerBytes += line.count
    guard headerBytes <= limits.headerBytes else {
      return refuse(.tooLarge, "\(request.host) sent more than \(limits.headerBytes >> 10) KiB of headers")
    }
    if line.starts(with: "HTTP/".utf8) {
      // The headers of an interim response (100, 103) do not belong to the final one.
      headers.removeAll()
      let code = line.split(separator: UInt8(ascii: " "), maxSplits: 2).dropFirst().first?.prefix(3) ?? []
      status = Int(String(decoding: code, as: UTF8.self)) ?? 0
    } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
      let isVisible = { (byte: UInt8) in byte > 0x20 }
      let value = line[(colon + 1)...].drop { !isVisible($0) }
      let end = value.lastIndex(where: isVisible).map { $0 + 1 } ?? value.startIndex
      headers.append(
        HTTPRequest.Item(
          String(decoding: line[..<colon], as: UTF8.self).lowercased(), String(decoding: value[..<end], as: UTF8.self)))
    }
    return true
  }

  /// Receives decoded bytes of the body. Returns false to end the transfer. Bytes are counted here because libcurl's limit ignores the
  /// decompressed size and bodies without a declared length.
  func receive(body bytes: UnsafeRawBufferPointer) -> Bool {
    guard body.count + bytes.count <= limits.bodyBytes else {
      body = []
      return refuse(.tooLarge, "\(request.host) sent more than \(limits.bodyBytes >> 10) KiB")
    }
    body.append(contentsOf: bytes)
    return true
  }

  /// The proxy of this transfer; nil for none.
  var proxy: String? { access.proxy(for: request.host) }

  /// Returns true if a connection to this address is allowed; otherwise records the reason and returns false. A connection to a proxy is
  /// allowed even if the proxy's address is private, because only the configuration can name a proxy.
  /// - Parameter address: nil if it is neither an IPv4 nor an IPv6 address.
  func allows(_ address: InternetAddress?) -> Bool {
    if request.sendsKeyUnencrypted, address?.isPublic == true {
      return refuse(OutgoingRequest.unencryptedKeyError(to: request.host))
    }
    if proxy != nil || access.allowsPrivateAddresses || address?.isPublic == true { return true }
    hasRefusedAddress = true
    return false
  }

  /// Called immediately before libcurl sends the request, and again if libcurl tries to repeat it. Records that the request is sent and
  /// returns true, or returns false to end the transfer. At most one call returns true.
  func beginSending() -> Bool {
    if wasSent {
      return refuse(.http, "\(request.host) closed the connection without an answer", detail: HTTPClient.lostOnReusedConnection)
    }
    wasSent = meter?.send() ?? true
    return wasSent || refuse(.cancelled, "the call to which the request belongs is over")
  }

  func beganTLS() { hasBegunTLS = true }

  private func refuse(_ cause: ProviderError.Cause, _ message: String, detail: String? = nil) -> Bool {
    refuse(ProviderError(cause, message, detail: detail))
  }

  /// Records the reason why a callback ends the transfer. Returns false, which the callback returns too.
  private func refuse(_ error: ProviderError) -> Bool {
    refusal = error
    return false
  }
}
