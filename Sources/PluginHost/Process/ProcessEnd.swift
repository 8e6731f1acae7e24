import Glibc
import PlacesKit

/// How one process of a provider came to its end.
enum ProcessEnd: Sendable, Equatable {
  /// The daemon asked it to end.
  case stopped
  /// It could not be started, or declined in the handshake.
  case refused(ProviderStartError)
  /// The handshake took longer than so many seconds.
  case late(Double)
  /// With the last line of its standard error, if it had not been given anything yet that it could repeat there: no setting, no query.
  case exited(status: Int32, lastWords: String? = nil)
  case signalled(Int32)
  /// It closed its standard output and went on.
  case silent
  /// It owed an answer past the grace, and was killed.
  case hung
  /// It went on past its limit of processor time, and was killed.
  case insatiable
  /// It had more threads than it may, and was killed.
  case crowded
  /// It broke the protocol, and was killed.
  case violated(ProtocolFault)

  /// What happened, as the rest of a sentence that begins with the provider.
  var reason: String {
    switch self {
    case .stopped: "was stopped"
    case .refused(let error): "was refused: \(error.message)"
    case .late(let seconds): "did not start within \(seconds) s and was killed"
    case .exited(let status, let lastWords): "ended itself with status \(status)" + (lastWords.map { " (\($0))" } ?? "")
    case .signalled(let number): "was ended by signal \(number) (\(strsignal(number).map { String(cString: $0) } ?? "unknown"))"
    case .silent: "closed its output and was killed"
    case .hung: "hung and was killed"
    case .insatiable: "used more processor time than it may and was killed"
    case .crowded: "started more threads than it may and was killed"
    case .violated(let fault): "broke the protocol and was killed: \(fault.message)"
    }
  }

  /// The same, for who started it.
  func error(of id: String) -> ProviderStartError {
    if case .refused(let error) = self { return error }
    if case .late = self { return ProviderStartError(.start, id, "provider \(id) \(reason)") }
    return ProviderStartError(.start, id, "provider \(id) \(reason) while it started")
  }
}
