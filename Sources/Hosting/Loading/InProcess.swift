import PlacesKit

/// The world that an instance is given, made once its manifest is known: which hosts it may call and where its key goes.
/// Id and checked settings are put into it by hosting.
public typealias ContextFactory = @Sendable (Manifest) throws(HostingError) -> ProviderContext

/// Opens a plugin and makes a provider of it in this process. A trap in it ends the process: for code that can be trusted as
/// the daemon's own.
/// - Throws: `unloadable`, `version`, `settings`, or `start` with the provider's own reason.
public func loadInProcess(
  _ file: PluginFile, id: String, settings: [String: JSONValue], context: ContextFactory
) async throws(HostingError) -> any PlaceService {
  try await PluginLibrary(opening: file).makeProvider(id: id, settings: settings, context: context)
}

extension PluginLibrary {
  /// An instance of the plugin's provider, with its settings checked.
  public func makeProvider(
    id: String, settings: [String: JSONValue], context: ContextFactory
  ) async throws(HostingError) -> any PlaceService {
    let checked = try CheckedSettings.check(settings, against: manifest.settings, of: id)
    var world = try context(manifest)
    world.id = id
    world.settings = checked
    do {
      return try await provider.init(context: world)
    } catch {
      throw HostingError(.start, id, "provider \(id) cannot start: \(error.message)")
    }
  }
}
