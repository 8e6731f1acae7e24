import JSON
import Linux
import PlacesKit
import PlacesTesting
import RPC

/// A client with one connection that checks its replies: one for each request, by the request's deadline. The daemon may close the connection
/// only for a reason that the client knows.
final class SimulatedClient {
  /// Why the daemon may close a connection.
  enum Closure: String, CaseIterable {
    case failed = "after a failed call on its socket"
    case refused = "for lack of a descriptor"
    case unread = "with many unread replies"
    case unfinished = "with an unfinished request"
    case tooLong = "with a text that takes too much memory"
    case stopped = "when the daemon stops"

    var name: String { "connection closed \(rawValue)" }
  }

  let user: UInt32
  private let watch: Watch
  private let time: ManualTime
  private var socket: FileDescriptor?
  private var server: ServerSocket?
  private var received: [UInt8] = []
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  /// The time by which each request's reply must arrive, and the seconds between the request and that time.
  private var due: [Int: (time: Double, seconds: Double)] = [:]
  /// The number of texts without a reply that are not requests; the reply to each is an error without an id.
  private var invalidTexts = 0
  /// The bytes that are withheld, and since when.
  private var (withheld, withheldSince): ([UInt8], Double) = ([], 0)
  /// True if the daemon may have no descriptor for the connection.
  var mayBeRefused = false
  /// True if the client does not read, or has not yet read the replies to all requests that it sent while it did not.
  private var leavesUnread = false
  private var hasSentLongText = false
  private var wasLate = false
  /// True if the daemon was told to end.
  var isStopping = false
  private(set) var isReading = true
  private(set) var (results, errors) = (0, 0)
  /// The names of the faults on this client's connections.
  private(set) var faults: Set<String> = []

  init(user: UInt32, watch: Watch, time: ManualTime) {
    self.user = user
    self.watch = watch
    self.time = time
  }

  var isConnected: Bool { socket != nil }
  /// True if the daemon has accepted the connection.
  var isAccepted: Bool { server?.isAccepted ?? false }
  /// The ids of requests without a reply.
  var waiting: [Int] { due.keys.sorted() }

  func connect(_ server: ServerSocket) {
    socket = FileDescriptor(owning: server.client)
    self.server = server
  }

  /// Closes the connection; no more replies are expected.
  func disconnect() {
    faults.formUnion(server?.faults ?? [])
    socket = nil
    server = nil
    (due, received, invalidTexts, withheld, unfinished) = ([:], [], 0, [], [:])
    (mayBeRefused, leavesUnread, hasSentLongText, wasLate, isStopping, isReading) = (false, false, false, false, false, true)
  }

  /// Leaves all replies unread until `resumeReading`.
  func stopReading() { (isReading, leavesUnread) = (false, true) }

  /// The replies to requests without a reply may arrive as late as if the requests were sent now.
  func resumeReading() {
    guard !isReading else { return }
    isReading = true
    for (id, limit) in due { due[id]?.time = max(limit.time, time.monotonic() + limit.seconds) }
  }

  /// Records that the client has read everything that the daemon could send.
  func hasReadAll() { if isReading, due.isEmpty { leavesUnread = false } }

  /// Sends a request whose reply must arrive within `seconds` after the whole request was sent.
  func send(_ id: Int, _ method: String, _ params: JSONValue, within seconds: Double) {
    expect([id], within: seconds)
    send(Array(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params.text)}"#.utf8))
  }

  /// Sends a request that must not succeed.
  func sendForbidden(_ id: Int, _ method: String, _ params: JSONValue, within seconds: Double) {
    forbidden.insert(id)
    send(id, method, params, within: seconds)
  }
  private var forbidden: Set<Int> = []

  /// Sends several requests as a batch; their replies arrive together.
  func sendBatch(_ requests: [(id: Int, method: String, params: JSONValue)], within seconds: Double) {
    expect(requests.map(\.id), within: seconds)
    let texts = requests.map { #"{"jsonrpc":"2.0","id":\#($0.id),"method":"\#($0.method)","params":\#($0.params.text)}"# }
    send(Array("[\(texts.joined(separator: ","))]".utf8))
  }

  func cancel(_ id: Int) {
    send(Array(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":\#(id)}}"#.utf8))
  }

  /// Sends a text that is not a request.
  func sendInvalidText(_ text: String) {
    invalidTexts += 1
    send(Array(text.utf8))
  }

  /// Withholds the last `count` bytes of the next text until `sendWithheld`.
  func withhold(_ count: Int) { withheldCount = count }
  private var withheldCount = 0
  /// The requests that are not completely sent, and the seconds for their replies.
  private var unfinished: [Int: Double] = [:]

  private func expect(_ ids: [Int], within seconds: Double) {
    for id in ids {
      due[id] = (withheldCount > 0 ? .infinity : time.monotonic() + seconds, seconds)
      if withheldCount > 0 { unfinished[id] = seconds }
    }
  }

  private func send(_ text: [UInt8]) {
    var bytes = text + [0x0A]
    let count = min(withheldCount, text.count)
    (withheld, withheldSince) = (Array(bytes.suffix(count)), time.monotonic())
    bytes.removeLast(count)
    withheldCount = 0
    write(bytes)
  }

  /// Sends the withheld bytes; false if there are none.
  func sendWithheld() -> Bool {
    guard !withheld.isEmpty else { return false }
    wasLate = isLate
    write(withheld)
    withheld = []
    // Some requests are complete without their last bytes and have been answered already.
    for (id, seconds) in unfinished where due[id] != nil { due[id]?.time = time.monotonic() + seconds }
    unfinished = [:]
    return true
  }

  /// Sends a part of a request that takes more memory than a user may have. Bytes that the socket does not accept are not sent.
  func sendLongText(_ part: [UInt8]) {
    hasSentLongText = true
    write(part)
  }

  private func write(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    watch.note("user \(user) sends \(String(decoding: bytes.prefix(2_000), as: UTF8.self))")
    switch socket?.send(bytes.span) {
    case .bytes(bytes.count)?, nil: break
    case .failed?: receive()
    case .wouldBlock? where hasSentLongText, .bytes? where hasSentLongText: break
    case let result?: watch.report("a client could not send: \(result)")
    }
  }

  /// Reads the replies that have arrived, unless the client does not read; the number of their bytes.
  @discardableResult func receive() -> Int {
    let now = time.monotonic()
    var count = 0
    var isClosed = false
    reading: while isReading {
      switch socket?.read(into: &buffer) {
      case .bytes(let read)?:
        count += read
        received += buffer.prefix(read)
      case .wouldBlock?, nil: break reading
      case .end?, .failed?:
        isClosed = true
        break reading
      }
    }
    takeLines()
    if isClosed {
      close()
    } else if isReading {
      for (id, limit) in due.sorted(by: { $0.key < $1.key }) where now > limit.time {
        watch.report("the reply to request \(id) is \(now - limit.time) s late")
        due[id] = nil
      }
    }
    return count
  }

  private func takeLines() {
    if !received.isEmpty { mayBeRefused = false }
    while let end = received.firstIndex(of: 0x0A) {
      take(Array(received[..<end]))
      received.removeFirst(end + 1)
    }
  }

  /// Checks that the daemon had a reason to close the connection.
  private func close() {
    let reason: Closure? =
      if server?.hasFailed == true {
        .failed
      } else if mayBeRefused {
        .refused
      } else if hasSentLongText {
        .tooLong
      } else if isLate {
        .unfinished
      } else if leavesUnread {
        .unread
      } else if isStopping {
        .stopped
      } else { nil }
    if let reason { faults.insert(reason.name) } else { watch.report("the daemon closed the connection of user \(user)") }
    if reason == .stopped, due.contains(where: { $0.value.time < .infinity }) {
      watch.report("the daemon stopped without a reply to requests \(waiting)")
    }
    watch.note("user \(user) is disconnected")
    disconnect()
  }

  /// True if a request was not complete in time.
  private var isLate: Bool {
    wasLate || !withheld.isEmpty && time.monotonic() - withheldSince > ServerOptions().receiveTimeoutSeconds - 0.001
  }

  private func take(_ line: [UInt8]) {
    guard let message = try? JSONValue(parsing: line) else { return watch.report("not JSON: \(String(decoding: line, as: UTF8.self))") }
    guard let replies = message.array else { return take(message) }
    for reply in replies { take(reply) }
  }

  private func take(_ message: JSONValue) {
    if message["method"]?.string != nil {
      guard let id = message["params"]?["request"]?.integer, due[id] != nil else {
        return watch.report("a partial answer without a request: \(message.text)")
      }
      return watch.note("partial \(id)")
    }
    let isResult = message["result"] != nil
    if isResult { results += 1 } else { errors += 1 }
    guard let id = message["id"]?.integer else {
      // The error may also be about a request that was not complete in time or takes too much memory.
      if invalidTexts > 0 {
        invalidTexts -= 1
      } else if !isLate && !hasSentLongText {
        watch.report("an error without a request: \(message.text)")
      }
      return
    }
    if isResult, forbidden.contains(id) { watch.report("user \(user) may make the request \(id) of an administrator") }
    watch.note("reply \(id) \(isResult ? "result" : message["error"]?["data"]?["name"]?.string ?? message["error"]?.text ?? "")")
    if due.removeValue(forKey: id) == nil { watch.report("a second reply to request \(id), or a reply without a request") }
  }

  /// Checks that every request has its reply.
  func checkAllAnswered() {
    if !due.isEmpty { watch.report("requests \(waiting) of user \(user) have no reply") }
    if invalidTexts > 0 { watch.report("\(invalidTexts) texts of user \(user) have no error") }
  }
}
