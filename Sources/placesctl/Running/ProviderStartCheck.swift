import Configuration
import PluginHost
import JSON
import PlacesKit
import Synchronization

/// Starts one configured provider as the daemon would, sends it no request, and stops it.
struct ProviderStartCheck {
  var configuration: Configuration

  /// The provider's manifest, if it could be read, and the problems of its configuration.
  struct Outcome: Sendable {
    var manifest: Manifest?
    var problems: [ConfigurationProblem] = []
  }

  /// Starts and stops the provider. If the start fails, the outcome has a problem with the reason.
  func check(_ settings: ProviderSettings) async -> Outcome {
    let sharedOutcome = Mutex(Outcome())
    do throws(ProviderStartError) {
      let runtime = try ProviderRuntime(folders: configuration.daemon.pluginDirectories) { _, _, _ in }
      async let _: Void = runtime.run()
      let result = await ProviderStartCheck.start(settings, instance(settings), runtime, configuration.dataDirectories) {
        manifest, problems in
        sharedOutcome.withLock { $0 = Outcome(manifest: manifest, problems: problems) }
      }
      let (hasManifest, hasValidSettings) = sharedOutcome.withLock { ($0.manifest != nil, $0.problems.isEmpty && settings.isValid) }
      // Problems in the provider's settings have already been reported, with file and line.
      if case .failure(let error) = result, hasValidSettings || !hasManifest { throw error }
    } catch {
      var problem = settings.startProblem(error.message)
      problem.suggestion = error.lastErrorLine.map { line in
        error.isConfidential ? settings.withheldOutputNote : "the last line that it wrote: \(line)"
      }
      sharedOutcome.withLock { $0.problems.append(problem) }
    }
    return sharedOutcome.withLock { $0 }
  }

  /// Starts the provider, checks its settings against its manifest, and stops it.
  /// - Parameter report: receives the manifest and the problems in the settings, before the start succeeds or fails.
  private static func start(
    _ settings: ProviderSettings, _ instance: InstanceDescription, _ runtime: ProviderRuntime, _ dataDirectories: [String],
    report: @escaping @Sendable (Manifest, [ConfigurationProblem]) -> Void
  ) async -> Result<Void, ProviderStartError> {
    do throws(ProviderStartError) {
      let hosted = try await runtime.start(instance) { (manifest) throws(ProviderStartError) in
        do throws(ConfigurationErrors) {
          _ = try settings.checked(against: manifest)
          report(manifest, [])
        } catch {
          report(manifest, error.problems)
          throw ProviderStartError(.settings, settings.id, error.description)
        }
        return ProviderContext(
          id: settings.id, baseURL: settings.baseURL,
          http: { _ throws(ProviderError) in throw ProviderError(.unsupported, "nothing is sent during a check of the configuration") },
          storage: EmptyStorage(), log: { _, _ in }, dataDirectories: dataDirectories, now: { SystemTime().wall() })
      }
      await hosted.stop()
      return .success(())
    } catch { return .failure(error) }
  }

  private func instance(_ settings: ProviderSettings) -> InstanceDescription {
    let isGazetteer = settings.plugin == Configuration.gazetteer
    return InstanceDescription(
      id: settings.id, source: settings.command.map { .command($0) } ?? .plugin(settings.plugin ?? settings.id),
      service: settings.serviceFile.map { .init(manifest: $0.manifest, settings: settings.serviceSettings) },
      isolation: isGazetteer ? .inProcess : .process, settings: settings.settings.mapValues(\.value),
      allowUnconfined: settings.allowUnconfined)
  }
}

/// A storage that stores nothing.
private struct EmptyStorage: ProviderStorage {
  func value(for key: String) async throws(ProviderError) -> [UInt8]? { nil }
  func set(_ value: [UInt8]?, for key: String) async throws(ProviderError) {}
}
