import CMicrohttpd
import EmulatedAPIs
import Glibc
import Linux

/// Refuses or answers the requests of an `HTTPServer`.
protocol ExchangeHandler: AnyObject {
  /// Called when the headers are complete. A response refuses the request before its body is read; nil accepts it.
  func refusal(_ exchange: Exchange) -> OutgoingResponse?
  /// Called when the request is complete. The handler calls `answer` or `begin` on the loop's thread, now or later.
  func handle(_ exchange: Exchange)
}

/// A response, and its headers besides those that every response has.
struct OutgoingResponse: Sendable {
  var content: GatewayResponse
  var headers: [(name: String, value: String)] = []
}

/// An HTTP request and its response. Use it on the loop's thread only.
final class Exchange {
  private enum Phase {
    /// `receive` has not been called yet.
    case headers
    /// The body is being read.
    case body
    /// The request is complete, or its body is read only to be dropped. The response is queued when it is known.
    case answering
    /// The connection is suspended until the response is known.
    case suspended
    /// The response is a stream, and has been queued.
    case streaming
    /// Another response has been queued, or the request has ended.
    case answered
  }

  /// The request target as the client sent it: the path and the query.
  let target: [UInt8]
  private(set) var httpMethod = ""
  private(set) var body: [UInt8] = []
  /// The foreign web origin that may read the answer; nil if there is none.
  var origin: String?
  /// Cancels the work on the answer; called when the client has gone. Nil if there is nothing to cancel.
  var cancel: (() -> Void)?

  private let server: HTTPServer
  /// The connection in libmicrohttpd.
  private let connection: OpaquePointer
  /// The server's record of the connection; nil if the server has closed it already.
  private let record: HTTPServer.Connection?
  /// The user on whose behalf the daemon is called; nil for the gateway itself.
  let user: UInt32?
  /// True if the client is a program of this machine.
  let isLocal: Bool
  /// The time by which an answer must begin, in seconds of the server's clock. If none has begun by then, the connection is closed.
  private var answerDeadline = 0.0
  private var phase = Phase.headers
  /// True if the client has gone, or if its deadline has passed.
  private var isAbandoned = false
  private var response: OutgoingResponse?
  private var stream: EventStream?

  init(_ server: HTTPServer, _ connection: OpaquePointer, target: UnsafePointer<CChar>, on record: HTTPServer.Connection?) {
    self.server = server
    self.connection = connection
    self.record = record
    // These values are copied, because the connection may be gone when they are needed. A nil user would then wrongly mean the gateway
    // itself.
    user = record?.user
    isLocal = record?.isLocal == true
    isAbandoned = record == nil
    self.target = Array(UnsafeRawBufferPointer(start: target, count: strlen(target)))
  }

  /// The value of a header of the request; nil if the request lacks it, or if it is not UTF-8.
  func header(_ name: String) -> String? {
    name.withCString { cmhd_header(connection, $0) }.flatMap { String(validatingCString: $0) }
  }

  /// True if the client still waits for the answer.
  var isAwaited: Bool { !isAbandoned && (phase == .answering || phase == .suspended) }

  /// Seconds within which the daemon must answer, so that the client receives an error before its connection is closed. Two seconds are
  /// subtracted, because the connection to the daemon and the server each check deadlines only once a second.
  var secondsForCalls: Double { answerDeadline - server.time() - 2 }

  /// The target's path.
  var path: String { String(decoding: target.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self) }

  // MARK: Called by libmicrohttpd

  /// Handles one step of the request. libmicrohttpd calls this when the headers are complete, for each part of the body, at the end of the
  /// body, and again after `cmhd_resume`. Returns false to close the connection.
  /// - Parameter bytes: a part of the body; empty in all other calls.
  func receive(_ connection: OpaquePointer, method: UnsafePointer<CChar>, bytes: UnsafeBufferPointer<CChar>) -> Bool {
    switch phase {
    case .headers where isAbandoned: return false
    case .headers:
      httpMethod = String(cString: method)
      phase = .body
      setDeadline(after: server.limits.requestSeconds)
      if cmhd_is_framed_clearly(connection) == 0 { return send(Exchange.ambiguousHeaders) }
      if let length = header("Content-Length"), Int(length) ?? .max > server.limits.bodyBytes { return send(Exchange.tooLarge) }
      if let refusal = server.handler.refusal(self) { return send(refusal) }
      return true
    case .body where !bytes.isEmpty:
      guard body.count + bytes.count <= server.limits.bodyBytes else {
        body = []
        // The remaining body is read and dropped, because a response can be queued only before or after the body.
        phase = .answering
        response = Exchange.tooLarge
        return true
      }
      body.append(contentsOf: UnsafeRawBufferPointer(bytes))
      return true
    case .body:
      phase = .answering
      answerDeadline = server.time() + server.limits.answerSeconds
      server.handler.handle(self)
      guard phase == .answering else { return true }
      if let response { return send(response) }
      suspend()
      return true
    case .answering:
      guard bytes.isEmpty else { return true }
      guard let response else { return false }
      return send(response)
    case .suspended, .streaming, .answered: return false
    }
  }

  /// Must be called when the request has ended, with any outcome.
  func end() {
    phase = .answered
    cancel?()
    cancel = nil
    if let record {
      record.exchange = nil
      record.deadline = server.now + server.limits.keepAliveSeconds
    }
  }

  // MARK: Called by the handler

  /// Answers the request; only the first answer counts.
  func answer(_ response: OutgoingResponse) {
    guard self.response == nil, phase == .answering || phase == .suspended else { return }
    self.response = response
    cancel = nil
    resume()
  }

  /// Answers with a stream of events, to which `EventStream.append` adds.
  func begin(_ stream: EventStream) {
    guard self.stream == nil, response == nil, phase == .answering || phase == .suspended else { return }
    self.stream = stream
    response = OutgoingResponse(content: GatewayResponse(contentType: "text/event-stream; charset=utf-8", body: []))
    resume()
    if record?.hasEnded == true { abandon() }
  }

  /// Ends the exchange without an answer: the connection's deadline has passed, or the client has gone.
  func abandon() {
    isAbandoned = true
    cancel?()
    cancel = nil
    stream?.finish()
    // libmicrohttpd calls `receive` again, which returns false without a response. Then it closes the connection.
    if phase == .suspended { resume() }
  }

  private func suspend() {
    phase = .suspended
    setDeadline(after: server.limits.answerSeconds)
    cmhd_suspend(connection)
    // The client's end may have been reported while the request was being read.
    if record?.hasEnded == true { abandon() }
  }

  private func resume() {
    guard phase == .suspended else { return }
    phase = .answering
    cmhd_resume(connection)
    server.runLater()
  }

  /// Sets the deadline of the connection.
  private func setDeadline(after seconds: Double) { record?.deadline = server.now + seconds }

  // MARK: Responses

  private static let ambiguousHeaders = OutgoingResponse(
    content: .text(400, "the headers do not determine one host and one end of the request\n"), headers: [("Connection", "close")])
  private static let tooLarge = OutgoingResponse(content: .text(413, "the body is too large\n"))

  /// Queues the response in libmicrohttpd, which sends it. Returns false if that fails.
  private func send(_ response: OutgoingResponse) -> Bool {
    phase = .answered
    setDeadline(after: server.limits.answerSeconds)
    let content = response.content
    let mhdResponse: OpaquePointer?
    if let stream {
      phase = .streaming
      stream.begin(connection, server)
      mhdResponse = stream.response()
    } else {
      mhdResponse = content.body.withUnsafeBytes { cmhd_response_of($0.baseAddress, $0.count) }
    }
    guard let mhdResponse else { return false }
    // `withCString` is used because Swift would otherwise pass each text as a new array.
    func add(_ name: String, _ value: String) {
      name.withCString { name in value.withCString { cmhd_response_header(mhdResponse, name, $0) } }
    }
    add("Content-Type", content.contentType)
    add("X-Content-Type-Options", "nosniff")
    for (name, value) in response.headers { add(name, value) }
    if let seconds = content.retryAfter { add("Retry-After", String(seconds)) }
    if let origin { add("Access-Control-Allow-Origin", origin) }
    add("Cross-Origin-Resource-Policy", origin == nil ? "same-origin" : "cross-origin")
    return cmhd_queue(connection, UInt32(content.status), mhdResponse) != 0
  }
}

/// The body of a response of server-sent events, which grows while it is sent. Use it on the loop's thread only.
final class EventStream {
  /// The bytes that are held in memory: at most twice `maxUnreadBytes` and the last event.
  private var heldData: [UInt8] = []
  /// The number of bytes at the beginning of `heldData` that were sent.
  private var sentCount = 0
  private var isFinished = false
  private var isSuspended = false
  private var connection: OpaquePointer?
  private var server: HTTPServer?
  /// The maximum number of bytes that the client has not read. If there are more, the client is too slow and the stream ends.
  static let maxUnreadBytes = 1 << 20
  /// The number of bytes in memory.
  var heldBytes: Int { heldData.count }

  fileprivate func begin(_ connection: OpaquePointer, _ server: HTTPServer) {
    self.connection = connection
    self.server = server
  }

  fileprivate func response() -> OpaquePointer? {
    cmhd_response_stream(
      Unmanaged.passRetained(self).toOpaque(),
      { context, _, buffer, size in
        guard let context, let buffer else { return -1 }
        return Unmanaged<EventStream>.fromOpaque(context).takeUnretainedValue().read(into: buffer, size)
      },
      { context in
        guard let context else { return }
        Unmanaged<EventStream>.fromOpaque(context).takeRetainedValue().connection = nil
      })
  }

  /// Called by libmicrohttpd for the next bytes. Returns their number, or -1 at the end of the stream. If there are none yet, suspends the
  /// connection and returns 0.
  func read(into buffer: UnsafeMutablePointer<CChar>, _ size: Int) -> Int {
    if heldData.isEmpty {
      guard !isFinished, let connection else { return -1 }
      isSuspended = true
      cmhd_suspend(connection)
      return 0
    }
    let count = min(size, heldData.count - sentCount)
    heldData.withUnsafeBytes { bytes in
      if let base = bytes.baseAddress { UnsafeMutableRawPointer(buffer).copyMemory(from: base + sentCount, byteCount: count) }
    }
    sentCount += count
    if sentCount == heldData.count {
      // The memory is kept for the next events, unless a large event needed it.
      heldData.removeAll(keepingCapacity: sentCount <= 1 << 16)
      sentCount = 0
    }
    return count
  }

  /// Adds an event. If the client has left too many bytes unread, ends the stream instead.
  func append(_ bytes: [UInt8]) {
    guard !isFinished else { return }
    // `read` removes the sent bytes only when all are sent. If the client is always a little behind, that never happens.
    heldData.removeSent(&sentCount)
    heldData += bytes
    if heldData.count - sentCount > EventStream.maxUnreadBytes { return finish() }
    wake()
  }

  func finish() {
    isFinished = true
    wake()
  }

  private func wake() {
    guard isSuspended, let connection, let server else { return }
    isSuspended = false
    cmhd_resume(connection)
    server.runLater()
  }
}
