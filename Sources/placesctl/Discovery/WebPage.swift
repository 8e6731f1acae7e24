import Glibc

/// A page from the web. It is read with curl(1). This program does not link libcurl, because that would double its start time for the
/// sake of one rare command.
struct WebPage: Sendable {
  /// The address after redirects.
  var address: String
  var body: [UInt8]

  /// The maximum size of a page, in bytes.
  static let maxBytes = 1 << 20

  /// Reads a page. Throws if curl cannot be run, or reports an error.
  static func read(_ address: String) throws(Failure) -> WebPage {
    // curl writes the final address on a line after the page.
    let words = [
      "curl", "--silent", "--show-error", "--fail", "--location", "--max-redirs", "5", "--proto", "=http,https", "--proto-redir",
      "=http,https", "--max-time", "10", "--max-filesize", String(maxBytes), "--compressed", "--write-out", "\n%{url_effective}", "--",
      address,
    ]
    let (output, diagnostics, status) = try run(words)
    guard status == 0, output.count <= maxBytes, let end = output.lastIndex(of: UInt8(ascii: "\n")) else {
      let reason =
        output.count > maxBytes ? "the page is larger than \(maxBytes) bytes" : String(decoding: diagnostics.prefix(500), as: UTF8.self)
      throw Failure(
        .failed, "\(printable(address)) cannot be read: \(printable(reason.split(separator: "\n").first.map(String.init) ?? "no page"))")
    }
    return WebPage(address: String(decoding: output[(end + 1)...], as: UTF8.self), body: Array(output[..<end]))
  }

  /// Runs a program and returns its standard output, its standard error and its wait status. Kills the program if it writes too much.
  private static func run(_ words: [String]) throws(Failure) -> (output: [UInt8], diagnostics: [UInt8], status: Int32) {
    var out: [Int32] = [-1, -1]
    var errors: [Int32] = [-1, -1]
    guard pipe(&out) == 0 else { throw Failure(.failed, "no pipe can be opened: \(String(cString: strerror(errno)))") }
    guard pipe(&errors) == 0 else {
      out.forEach { close($0) }
      throw Failure(.failed, "no pipe can be opened: \(String(cString: strerror(errno)))")
    }
    defer {
      close(out[0])
      close(errors[0])
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, errors[1], STDERR_FILENO)
    for descriptor in out + errors { posix_spawn_file_actions_addclose(&actions, descriptor) }
    var arguments = words.map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    var process: pid_t = 0
    let spawnError = posix_spawnp(&process, words[0], &actions, nil, &arguments, environ)
    close(out[1])
    close(errors[1])
    guard spawnError == 0 else {
      throw Failure(.failed, "curl cannot be run: \(String(cString: strerror(spawnError)))", advice: ["Install it with: apt install curl"])
    }
    // curl's error message fits into the buffer of its pipe, so that standard output can be read to its end before standard error.
    let output = bytes(of: out[0], limit: maxBytes + 4_096)
    if output.count >= maxBytes + 4_096 { kill(process, SIGKILL) }
    let diagnostics = bytes(of: errors[0], limit: 4_096)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return (output, diagnostics, status)
  }

  /// Reads a descriptor to its end, or until `limit` bytes were read.
  private static func bytes(of descriptor: Int32, limit: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while bytes.count < limit {
      let count = Glibc.read(descriptor, &buffer, min(buffer.count, limit - bytes.count))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return bytes
  }
}
