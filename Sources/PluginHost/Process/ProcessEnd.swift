import Glibc
import PlacesKit

/// How one process of a provider ended.
enum ProcessEnd: Sendable, Equatable {
  /// The daemon asked the process to end.
  case stopped
  /// The process could not be started, or the handshake failed.
  case refused(ProviderStartError)
  /// The start took longer than this many seconds.
  case startTimedOut(Double)
  /// The process ended itself. `lastErrorLine` is the last line of its standard error; nil if the process had received a setting or a
  /// query, which the line could repeat.
  case exited(status: Int32, lastErrorLine: String? = nil)
  /// A signal with this number ended the process.
  case signalled(Int32)
  /// The process closed its standard output, did not end, and was killed.
  case closedOutput
  /// The process did not answer a cancelled request within the grace period, and was killed.
  case hung
  /// The process continued after its limit of processor time, and was killed.
  case exceededProcessorTime
  /// The process had more threads than allowed, and was killed.
  case tooManyThreads
  /// The process broke the protocol, and was killed.
  case protocolViolation(ProtocolFault)

  /// The predicate of a sentence that begins with the provider.
  var reason: String {
    switch self {
    case .stopped: "was stopped"
    case .refused(let error): "was refused: \(error.message)"
    case .startTimedOut(let seconds): "did not start within \(seconds) s and was killed"
    case .exited(let status, let lastErrorLine): "ended itself with status \(status)" + (lastErrorLine.map { " (\($0))" } ?? "")
    case .signalled(let number): "was ended by signal \(number) (\(strsignal(number).map { String(cString: $0) } ?? "unknown"))"
    case .closedOutput: "closed its output and was killed"
    case .hung: "hung and was killed"
    case .exceededProcessorTime: "used more processor time than it may and was killed"
    case .tooManyThreads: "started more threads than it may and was killed"
    case .protocolViolation(let fault): "broke the protocol and was killed: \(fault.message)"
    }
  }

  /// The error for the caller that started the provider.
  func error(of id: String) -> ProviderStartError {
    if case .refused(let error) = self { return error }
    if case .startTimedOut = self { return ProviderStartError(.start, id, "provider \(id) \(reason)") }
    return ProviderStartError(.start, id, "provider \(id) \(reason) while it started")
  }
}
