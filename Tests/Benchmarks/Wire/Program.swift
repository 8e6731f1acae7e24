import Linux
import RPC

/// Serves cached replies of a fixed size, so that only the transport is measured:
///
///     bench-wire SOCKET REPLY-BYTES
///
/// If `params` was seen before, the reply is cached; the first time a task answers.
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
