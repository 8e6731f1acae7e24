import PlacesAPI
import PlacesKit

/// The parts of the daemon that methods use besides the engine: its configuration, its log, its providers' processes.
public protocol Administration: Sendable {
  /// Reads the configuration again; an invalid one changes nothing.
  func reload() async -> ServiceReload.Result
  /// Switches a provider on or off and stores that in `state_dir`; nil removes the switch, so that the configuration decides.
  func turn(provider: String, on: Bool?) async throws(APIError)
  /// True if a provider was, or may have been, switched by command; it need not be configured any more.
  func isSwitched(provider: String) -> Bool
  /// The isolation of a provider, such as `process`; nil if it is not configured.
  func isolation(of provider: String) -> String?
  /// The origins that a provider's requests may go to; nil if it does not run.
  func origins(of provider: String) -> [String]?
  /// The currency of a provider's prices in the configuration, if any.
  func currency(of provider: String) -> String?
  /// The latest lines that a provider wrote; nil if it is not configured.
  func lines(of provider: String, count: Int) -> [String]?
  /// The paths of the files that providers on this machine answer from.
  var dataFiles: [String] { get }
  /// The providers that answer from these files.
  var dataProviders: [String] { get }
  /// Restarts a provider's process that was given up because it ended too often.
  func restart(provider: String)
  /// The load of the socket.
  var load: ServerLoad { get }
  var logLevel: LogLevel { get set }
  /// The latest lines of the daemon's log, oldest first.
  func log(lines: Int) -> [String]
}
