import Configuration
import Glibc
import Resilience
import HTTP
import PluginHost
import Storage
import Linux
import PlacesKit

/// `placesd --check`: starts every enabled provider once, makes no call, and reports problems.
struct ConfigurationCheck {
  /// The maximum number of log lines that are shown of a provider that could not be started.
  private static let maxLines = 10

  private let configuration: Configuration

  init(_ configuration: Configuration) { self.configuration = configuration }

  /// Runs the check and returns the exit code.
  func run() async -> Int32 {
    // The lines of this log are dropped, because `complain` reports the problems.
    let log = Log(level: .error, write: { _ in })
    do {
      let runtime = try ProviderRuntime(folders: configuration.daemon.pluginDirectories) { _, _, _ in }
      let starter = ProviderStarter(
        configuration: configuration, runtime: runtime, http: HTTPClient(), rateLimiters: RequestRateLimiters(),
        valueStores: ProviderValueStores(folder: configuration.daemon.stateDirectory), rejectedKeys: nil, log: log)
      async let _: Void = runtime.run()
      for note in [configuration.daemon.adminGroupNote, configuration.daemon.gatewayUserNote].compactMap(\.self) { complain(note) }
      var failureCount = 0
      var manifests: [String: Manifest] = [:]
      for settings in configuration.enabledProviders {
        switch await starter.start(settings, key: nil) {
        case .running(_, let hostedProvider, let isolation):
          print(Printable.text("provider \(settings.id): \(hostedProvider.service.manifest.name), \(isolation)"))
          manifests[settings.id] = hostedProvider.service.manifest
          for note in settings.notes(for: hostedProvider.service.manifest, locations: configuration.locations) { complain(note) }
          await hostedProvider.stop()
        case .failed(let failure):
          failureCount += 1
          for problem in failure.problems { complain(problem.description) }
          switch failure.checkOutput {
          case .logLines: for line in failure.logLines.suffix(Self.maxLines) { complain("provider \(settings.id) wrote: \(line)") }
          case .noteOnSecrets: complain("provider \(settings.id): \(settings.withheldOutputNote)")
          case .nothing: break
          }
        }
      }
      if let problem = configuration.mixedCurrencyProblem(manifests) {
        failureCount += 1
        complain(problem.description)
      }
      guard failureCount == 0 else { return Daemon.ExitCode.configuration }
      let files = configuration.files.isEmpty ? "no file; all values are defaults" : configuration.files.joined(separator: ", ")
      print("the configuration is valid: \(files)")
      return 0
    } catch {
      StandardError.print("placesd: \(error)")
      return Daemon.ExitCode.failure
    }
  }

  /// Prints one line to standard error, with control characters replaced.
  private func complain(_ text: String) { StandardError.print(Printable.text(text)) }
}
