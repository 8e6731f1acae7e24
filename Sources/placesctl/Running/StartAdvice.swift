import Glibc

/// Advice on how to start a daemon if none answers.
enum StartAdvice {
  /// - Parameters:
  ///   - sockets: the sockets that were tried; more than one if the user did not name one.
  ///   - program: the path of this program.
  ///   - runtime: the user's folder for sockets (file-hierarchy(7)); nil if the session does not set it.
  static func advice(
    sockets: [String], program: String = StartAdvice.program, runtime: String? = StartAdvice.variable("XDG_RUNTIME_DIR")
  ) -> [String] {
    let commands = startCommands(sockets: sockets, program: program)
    // The user's own daemon and this program must agree on the folder of the socket.
    guard runtime == nil, sockets.count > 1, let ownSocket = sockets.first else { return commands }
    return commands + [
      "XDG_RUNTIME_DIR is not set here; if your own daemon runs with it set, its socket is not \(printable(ownSocket))."
    ]
  }

  /// The commands that start a daemon: from the source tree if the program is in its build folder, otherwise the installed daemon.
  private static func startCommands(sockets: [String], program: String) -> [String] {
    let namedSocket = sockets.count == 1 ? sockets.first : nil
    if let buildFolder = program.firstRange(of: "/.build/") {
      let treeSocket = program[..<buildFolder.upperBound] + "run/placesd.sock"
      guard let namedSocket, namedSocket != treeSocket else { return ["Start one from this source tree with: make run"] }
      // The default paths do not include the socket of `make run`.
      let folder = program[..<(program.lastIndex(of: "/") ?? program.startIndex)]
      return [
        "Start one there with: \(folder)/placesd --socket \(printable(namedSocket))", "The one that make run starts is at \(treeSocket).",
      ]
    }
    if let socket = namedSocket, socket != "/run/placesd/placesd.sock" {
      return ["Start one there with: placesd --socket \(printable(socket))"]
    }
    return [
      "Start the system's daemon with: systemctl start placesd.socket",
      "or one of your own with: systemctl --user start placesd.socket, or just: placesd",
    ]
  }

  /// A variable of the environment; nil if it is unset or empty.
  static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 } }

  /// The path of this program.
  static var program: String {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
  }
}
