import Glibc

/// How a daemon is started, for who finds none.
enum Starting {
  /// - Parameters:
  ///   - sockets: where one was looked for; more than one where nobody named any.
  ///   - program: where this program lies.
  static func advice(sockets: [String], program: String = Starting.program) -> [String] {
    if program.contains("/.build/") { return ["Start one from this source tree with: make run"] }
    if sockets.count == 1, let socket = sockets.first, socket != "/run/placesd/placesd.sock" {
      return ["Start one there with: placesd --socket \(printable(socket))"]
    }
    return [
      "Start the system's daemon with: systemctl start placesd.socket",
      "or one of your own with: systemctl --user start placesd.socket, or just: placesd",
    ]
  }

  static var program: String {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
  }
}
