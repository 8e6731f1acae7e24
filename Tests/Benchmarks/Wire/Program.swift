import Linux
import RPC

/// Serves known answers of a fixed size, so that what is measured is the wire alone:
///
///     bench-wire SOCKET REPLY-BYTES [LOOPS]
///
/// Any method is answered at once when `params` was seen before; the first time it goes the long road, as an uncached answer does.
@main
struct Program {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 3, let size = Int(arguments[2]), size > 64 else {
      return print("usage: bench-wire SOCKET REPLY-BYTES [LOOPS]")
    }
    var options = ServerOptions()
    options.loops = arguments.count > 3 ? Int(arguments[3]) ?? 1 : 1
    let handler = Answers(size: size)
    let server = try Server(options: options, log: Log(), handler: handler)
    try await server.run(on: ListeningSocket(path: arguments[1]))
  }
}
