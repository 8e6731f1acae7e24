import Foundation

/// One connection of the scripted server; its thread alone uses it.
struct ScriptedConnection {
  let descriptor: Int32
  let number: Int
  private var received: [UInt8] = []

  init(descriptor: Int32, number: Int) {
    self.descriptor = descriptor
    self.number = number
  }

  /// The next request, or nil when the client is gone.
  mutating func next() -> ScriptedServer.Request? {
    while true {
      if let request = parse() { return request }
      var buffer = [UInt8](repeating: 0, count: 16_384)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      received += buffer.prefix(count)
    }
  }

  private mutating func parse() -> ScriptedServer.Request? {
    guard let end = received.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
    var lines = String(decoding: received[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
    let first = lines.removeFirst().split(separator: " ")
    let headers = lines.map { line in
      let halves = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      return (name: halves.first ?? "", value: halves.count > 1 ? halves[1] : "")
    }
    let length = headers.first { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) } ?? 0
    guard received.count >= end.upperBound + length, first.count >= 2 else { return nil }
    let body = Array(received[end.upperBound..<end.upperBound + length])
    received.removeFirst(end.upperBound + length)
    return ScriptedServer.Request(
      method: String(first[0]), target: String(first[1]), headers: headers, body: body, connection: number)
  }

  /// Whether the connection continues.
  func perform(_ steps: [ScriptedServer.Step]) -> Bool {
    for step in steps {
      switch step {
      case .send(let bytes): guard write(bytes) else { return false }
      case .drip(let bytes, let pause):
        for byte in bytes { guard write([byte]), waitUnlessClosed(pause) else { return false } }
      case .wait(let seconds): guard waitUnlessClosed(seconds) else { return false }
      case .endless(let bytes): while write(bytes) {}
      case .close: return false
      case .reset:
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        return false
      }
    }
    return true
  }

  private func write(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        send(descriptor, $0.baseAddress.map { $0 + sent }, $0.count - sent, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  /// Waits; false as soon as the client closes.
  private func waitUnlessClosed(_ seconds: Double) -> Bool {
    var watched = pollfd(fd: descriptor, events: peerHungUp, revents: 0)
    return poll(&watched, 1, Int32(seconds * 1_000)) == 0
  }
}

/// POLLRDHUP, which Swift's Glibc does not show: the peer has closed its half.
private let peerHungUp: Int16 = 0x2000
