import PlacesKit

/// Makes the world of an instance once its manifest is known: where it may call and with which key. Hosting puts id and checked
/// settings into it. Comes before that check, so that whoever knows in which line a wrong setting stands can throw first.
public typealias ContextFactory = @Sendable (Manifest) throws(HostingError) -> ProviderContext

/// Opens a plugin and makes a provider of it in this process. A trap in it ends the process: for code that can be trusted as
/// the daemon's own.
/// - Throws: `unloadable`, `version`, `settings`, or `start` with the provider's own reason.
public func loadInProcess(
  _ file: PluginFile, id: String, settings: [String: JSONValue], context: ContextFactory
) async throws(HostingError) -> any PlaceService {
  let library = try PluginLibrary(opening: file)
  let world = try checkedContext(id: id, settings: settings, manifest: library.manifest, context)
  do {
    return try await library.provider.init(context: world)
  } catch {
    throw HostingError(.start, id, "provider \(id) cannot start: \(error.message)")
  }
}

/// The world of an instance, with its settings checked and defaults filled in.
func checkedContext(
  id: String, settings: [String: JSONValue], manifest: Manifest, _ factory: ContextFactory
) throws(HostingError) -> ProviderContext {
  var world = try factory(manifest)
  world.id = id
  world.settings = try CheckedSettings.check(settings, against: manifest.settings, of: id)
  return world
}
