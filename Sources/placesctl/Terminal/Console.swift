import Glibc
import Synchronization

/// Prints a command's output: data on standard output, everything else on standard error.
struct Console: Sendable {
  /// Writes a text on standard output.
  var write: @Sendable (String) -> Void
  /// Writes a text on standard error, unless --quiet is given.
  var diagnose: @Sendable (String) -> Void
  /// Columns of the terminal; nil if the output is not a terminal.
  var width: Int?
  var usesColour: Bool
  /// True if standard error is a terminal, on which a line can be overwritten.
  var isInteractive: Bool

  /// Prints a line of data on standard output.
  func line(_ text: String) { write(text + "\n") }
  func lines(_ lines: [String]) { for line in lines { self.line(line) } }
  /// Prints a line on standard error.
  func note(_ text: String) { diagnose(text + "\n") }

  /// Prints rows as columns, with lines of at most `width` columns.
  func show(_ table: TextTable, titles: Bool = true) {
    var table = table
    table.width = width
    lines(table.lines(colour: usesColour, titles: titles))
  }

  /// This process's standard output and error.
  static func standard(colour isWanted: Bool, quiet: Bool) -> Console {
    let isTerminal = isatty(STDOUT_FILENO) == 1
    let isColourForbidden = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
    let isDumb = getenv("TERM").map { String(cString: $0) == "dumb" } ?? false
    return Console(
      write: { writeAll($0, STDOUT_FILENO) }, diagnose: { if !quiet { writeAll($0, STDERR_FILENO) } }, width: isTerminal ? columns() : nil,
      usesColour: isWanted && isTerminal && !isColourForbidden && !isDumb, isInteractive: isatty(STDERR_FILENO) == 1 && !isDumb)
  }

  /// The width of the terminal; 80 if the width is unknown or at most 20.
  private static func columns() -> Int {
    if let columns = getenv("COLUMNS").flatMap({ Int(String(cString: $0)) }), columns > 20 { return columns }
    var size = winsize()
    let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 20
    return isKnown ? Int(size.ws_col) : 80
  }

  /// The error number of a failed write on standard output; 0 if none failed.
  private static let writeError = Atomic<Int32>(0)

  /// The reason why data could not be written; nil if all data was written, or if the reader closed the pipe.
  static var writeFailure: String? {
    let number = writeError.load(ordering: .relaxed)
    return number == 0 ? nil : String(cString: strerror(number))
  }

  /// Writes a text to a descriptor. If standard output fails, `writeFailure` gives the reason.
  static func writeAll(_ text: String, _ descriptor: Int32) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        // A reader that closes the pipe (`| head`) is not an error.
        if descriptor == STDOUT_FILENO, errno != EPIPE { writeError.store(errno, ordering: .relaxed) }
        return
      }
      bytes = bytes.dropFirst(count)
    }
  }
}
