import PlacesAPI
import PlacesKit

/// The parts of the daemon besides the engine that the methods read and change: the configuration, the log, and the providers' processes.
public protocol DaemonControl: Sendable {
  /// Reads the configuration again. If it is invalid, nothing changes.
  func reload() async -> ServiceReload.Result
  /// Enables or disables a provider, and stores `isEnabled` in `state_dir`. If `isEnabled` is nil, removes the stored value, so that the
  /// configuration applies.
  func setEnabled(_ isEnabled: Bool?, provider: String) async throws(APIError)
  /// True if a provider was, or may have been, enabled or disabled by command, even if it is no longer configured.
  func hasEnabledOverride(provider: String) -> Bool
  /// The isolation of a provider, such as `process`; nil if the provider is not configured.
  func isolation(of provider: String) -> String?
  /// The origins (scheme, host and port) to which a provider may send requests; nil if the provider does not run.
  func origins(of provider: String) -> [String]?
  /// The currency of a provider's prices in the configuration; nil if the configuration states none.
  func currency(of provider: String) -> String?
  /// The latest lines that a provider's process wrote; nil if the provider is not configured.
  func logLines(of provider: String, count: Int) -> [String]?
  /// The paths of the files on this machine from which providers answer, such as the gazetteer's index.
  var dataFiles: [String] { get }
  /// The providers that use `dataFiles`.
  var providersUsingDataFiles: [String] { get }
  /// If a provider is off for some minutes because its process ended too often, starts its process at once.
  func restart(provider: String)
  /// The connections and requests of the RPC server.
  var load: ServerLoad { get }
  var logLevel: LogLevel { get set }
  /// The latest lines of the daemon's log, oldest first.
  func log(lines: Int) -> [String]
}
