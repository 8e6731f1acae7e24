import Linux
import RPC

/// Serves cached replies of a fixed size, so that only the transport is measured:
///
///     bench-wire SOCKET REPLY-BYTES
///
/// The first request with some `params` is answered by a task; all later ones are answered from the cache.
@main
struct Program {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 3, let size = Int(arguments[2]), size > 64 else {
      return print("usage: bench-wire SOCKET REPLY-BYTES")
    }
    let handler = Answers(size: size)
    let server = try Server(log: Log(), handler: handler)
    try await server.run(on: ListeningSocket(path: arguments[1]))
  }
}
