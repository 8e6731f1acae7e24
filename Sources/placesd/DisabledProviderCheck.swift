import Configuration
import PluginHost
import PlacesKit
import Synchronization

extension ProviderStarter {
  /// The mistakes in the settings of disabled providers that `placesctl config check` reports too. Each plugin is started for a moment, as
  /// a process that is confined like any other. No request is sent.
  func mistakes(ofDisabled disabled: [ProviderSettings]) async -> [ConfigurationProblem] {
    await withTaskGroup(of: (id: String, mistakes: [ConfigurationProblem]).self) { group in
      for settings in disabled {
        group.addTask(name: "check \(settings.id)") { (settings.id, await mistakes(ofDisabled: settings)) }
      }
      let found = await group.reduce(into: [:]) { $0[$1.id] = $1.mistakes }
      return disabled.flatMap { found[$0.id] ?? [] }
    }
  }

  /// A disabled provider may lack a key, an address or a contact. A disabled command is not run, so that its settings are checked when it is
  /// enabled.
  private func mistakes(ofDisabled settings: ProviderSettings) async -> [ConfigurationProblem] {
    guard settings.namesProgram, settings.command == nil else { return [] }
    // Nil until the manifest of the plugin is known.
    let learned = Mutex<(problems: [ConfigurationProblem], missing: [ConfigurationProblem])?>(nil)
    do throws(ProviderStartError) {
      let hosted = try await hosting.start(try description(of: settings, .process)) { (manifest) throws(ProviderStartError) in
        do throws(ConfigurationErrors) {
          _ = try settings.checked(against: manifest)
          learned.withLock { $0 = ([], []) }
        } catch {
          learned.withLock { $0 = (error.problems, settings.missing(for: manifest)) }
          throw ProviderStartError(.settings, settings.id, error.description)
        }
        return ProviderContext(
          id: settings.id, baseURL: settings.baseURL,
          http: { _ throws(ProviderError) in throw ProviderError(.unsupported, "nothing is sent during a check of the configuration") },
          storage: storages[settings.id], log: { _, _ in }, dataDirectories: configuration.dataDirectories, now: { SystemTime().wall() })
      }
      await hosted.stop()
      return []
    } catch {
      let known = learned.withLock { $0 }
      guard let known, !known.problems.isEmpty else { return [settings.cannotStart(error.message)] }
      return known.problems.filter { !known.missing.contains($0) }
    }
  }
}
