import PlacesAPI
import PlacesKit

/// What the methods need of the daemon beside the engine: its configuration, its log, its plugins' processes.
public protocol Administration: Sendable {
  /// Reads the configuration again; a bad one changes nothing.
  func reload() async -> ServiceReload.Result
  /// Switches a provider on or off, and remembers it in `state_dir`; nil forgets it, so that the configuration decides.
  func turn(provider: String, on: Bool?) async throws(APIError)
  /// Whether it is kept that a provider was, or may have been, switched by command; it need not be configured any more.
  func isSwitched(provider: String) -> Bool
  /// How a provider runs, in a word such as `process`; nil where it is not configured.
  func isolation(of provider: String) -> String?
  /// Where a provider's requests may go; nil where it does not run.
  func origins(of provider: String) -> [String]?
  /// The currency that the configuration names for a provider's prices; nil where it names none.
  func currency(of provider: String) -> String?
  /// The latest lines that a provider wrote; nil where it is not configured.
  func lines(of provider: String, count: Int) -> [String]?
  /// Another number once the files that providers on this machine answer from were replaced; looks at them.
  func dataRevision() -> UInt64
  /// The providers that answer from files on this machine.
  var dataProviders: [String] { get }
  /// Starts a provider's process again that ended too often.
  func restart(provider: String)
  /// How many clients and requests the socket has.
  var load: ServerLoad { get }
  var logLevel: LogLevel { get set }
  /// The latest lines of the daemon's log, oldest first.
  func log(lines: Int) -> [String]
}
