import JSON
import Linux
import PlacesKit
import PlacesTesting

/// A client with one connection that checks its replies: one for each request, by the request's deadline.
final class SimulatedClient {
  let user: UInt32
  private let watch: Watch
  private let time: ManualTime
  private var socket: FileDescriptor?
  private var received: [UInt8] = []
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  /// The time by which each request's reply must arrive.
  private var due: [Int: Double] = [:]
  /// The number of texts without a reply that are not requests; the reply to each is an error without an id.
  private var invalidTexts = 0
  /// The bytes that are withheld.
  private var withheld: [UInt8] = []
  private(set) var (results, errors) = (0, 0)

  init(user: UInt32, watch: Watch, time: ManualTime) {
    self.user = user
    self.watch = watch
    self.time = time
  }

  var isConnected: Bool { socket != nil }
  /// The ids of requests without a reply.
  var waiting: [Int] { due.keys.sorted() }

  func connect(_ socket: consuming FileDescriptor) { self.socket = consume socket }

  /// Closes the connection; no more replies are expected.
  func disconnect() {
    socket = nil
    (due, received, invalidTexts, withheld, unfinished) = ([:], [], 0, [], [:])
  }

  /// Sends a request whose reply must arrive within `seconds` after the whole request was sent.
  func send(_ id: Int, _ method: String, _ params: JSONValue, within seconds: Double) {
    expect([id], within: seconds)
    send(Array(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params.text)}"#.utf8))
  }

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
      due[id] = withheldCount > 0 ? .infinity : time.monotonic() + seconds
      if withheldCount > 0 { unfinished[id] = seconds }
    }
  }

  private func send(_ text: [UInt8]) {
    var bytes = text + [0x0A]
    let count = min(withheldCount, text.count)
    withheld = Array(bytes.suffix(count))
    bytes.removeLast(count)
    withheldCount = 0
    write(bytes)
  }

  /// Sends the withheld bytes; false if there are none.
  func sendWithheld() -> Bool {
    guard !withheld.isEmpty else { return false }
    write(withheld)
    withheld = []
    // Some requests are complete without their last bytes and have been answered already.
    for (id, seconds) in unfinished where due[id] != nil { due[id] = time.monotonic() + seconds }
    unfinished = [:]
    return true
  }

  private func write(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    watch.note("user \(user) sends \(String(decoding: bytes, as: UTF8.self))")
    guard let result = socket?.send(bytes.span) else { return }
    if result != .bytes(bytes.count) { watch.report("a client could not send: \(result)") }
  }

  /// Reads the replies that have arrived.
  func receive() {
    let now = time.monotonic()
    reading: while true {
      switch socket?.read(into: &buffer) {
      case .bytes(let count)?: received += buffer.prefix(count)
      case .later?, nil: break reading
      case .end?, .failed?:
        watch.report("the daemon closed a connection of user \(user)")
        return disconnect()
      }
    }
    while let end = received.firstIndex(of: 0x0A) {
      take(Array(received[..<end]))
      received.removeFirst(end + 1)
    }
    for (id, time) in due.sorted(by: { $0.key < $1.key }) where now > time {
      watch.report("the reply to request \(id) is \(now - time) s late")
      due[id] = nil
    }
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
      invalidTexts -= 1
      if invalidTexts < 0 { watch.report("an error without a request: \(message.text)") }
      return
    }
    watch.note("reply \(id) \(isResult ? "result" : message["error"]?["data"]?["name"]?.string ?? message["error"]?.text ?? "")")
    if due.removeValue(forKey: id) == nil { watch.report("a second reply to request \(id), or a reply without a request") }
  }

  /// Checks that every request has its reply.
  func checkAllAnswered() {
    if !due.isEmpty { watch.report("requests \(waiting) of user \(user) have no reply") }
    if invalidTexts > 0 { watch.report("\(invalidTexts) texts of user \(user) have no error") }
  }
}
