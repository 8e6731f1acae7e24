import Glibc
import Synchronization

/// A command's output: data on standard output, everything else on standard error.
struct Console: Sendable {
  var write: @Sendable (String) -> Void
  var diagnose: @Sendable (String) -> Void
  /// Columns of the terminal; nil if the output is not a terminal.
  var width: Int?
  var colour: Bool
  /// True if standard error is a terminal, on which a line can be overwritten.
  var isInteractive: Bool

  /// A line of data.
  func line(_ text: String) { write(text + "\n") }
  func lines(_ lines: [String]) { for line in lines { self.line(line) } }
  /// A diagnostic line on standard error.
  func note(_ text: String) { diagnose(text + "\n") }

  func show(_ layout: Layout, titles: Bool = true) {
    var layout = layout
    layout.width = width
    lines(layout.lines(colour: colour, titles: titles))
  }

  /// This process's standard output and error.
  static func standard(colour wanted: Bool, quiet: Bool) -> Console {
    let isTerminal = isatty(STDOUT_FILENO) == 1
    let colourless = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
    let isDumb = getenv("TERM").map { String(cString: $0) == "dumb" } ?? false
    return Console(
      write: { put($0, STDOUT_FILENO) }, diagnose: { if !quiet { put($0, STDERR_FILENO) } }, width: isTerminal ? columns() : nil,
      colour: wanted && isTerminal && !colourless && !isDumb, isInteractive: isatty(STDERR_FILENO) == 1 && !isDumb)
  }

  private static func columns() -> Int {
    if let given = getenv("COLUMNS").flatMap({ Int(String(cString: $0)) }), given > 20 { return given }
    var size = winsize()
    let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 20
    return isKnown ? Int(size.ws_col) : 80
  }

  /// The error number of the first failed write; 0 if none failed.
  private static let lost = Atomic<Int32>(0)

  /// Why data could not be written; nil if all was written, or if the reader closed the pipe.
  static var lostData: String? {
    let number = lost.load(ordering: .relaxed)
    return number == 0 ? nil : String(cString: strerror(number))
  }

  /// Writes all of a text to a descriptor.
  static func put(_ text: String, _ descriptor: Int32) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        // A reader that closes the pipe (`| head`) is not an error.
        if descriptor == STDOUT_FILENO, errno != EPIPE { lost.store(errno, ordering: .relaxed) }
        return
      }
      bytes = bytes.dropFirst(count)
    }
  }
}
