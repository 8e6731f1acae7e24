import PlacesKit

/// Creates the context of an instance from its manifest: the hosts that it may call, and the key. `checkedContext` adds the id and the
/// checked settings. The factory is called before the settings are checked, so that it can check them first and throw an error that names
/// the line of a wrong setting in the configuration.
public typealias ContextFactory = @Sendable (Manifest) throws(ProviderStartError) -> ProviderContext

/// Opens a plugin and creates its provider in this process. A trap in the plugin ends the process, so the plugin must be trusted like
/// the daemon's own code.
/// - Throws: `unloadable`, `version`, `settings`, or `start` with the provider's own reason.
public func loadInProcess(
  _ file: PluginFile, for instance: InstanceDescription, context: ContextFactory
) async throws(ProviderStartError) -> any PlaceService {
  let library = try PluginLibrary(opening: file)
  let id = instance.id
  var providerContext = try checkedContext(instance, manifest: library.manifest, context)
  providerContext.http = { [send = providerContext.send] (request) throws(ProviderError) in
    try await send(request, InProcessService.currentMeter)
  }
  do {
    return InProcessService(provider: try await library.provider.init(context: providerContext))
  } catch {
    throw ProviderStartError(.start, id, "provider \(id) cannot start: \(error.message)")
  }
}

/// The context of an instance, with its settings checked and defaults filled in.
/// - Parameter manifest: the plugin's manifest. If the instance names a service, the service's manifest is used instead.
func checkedContext(
  _ instance: InstanceDescription, manifest: Manifest, _ factory: ContextFactory
) throws(ProviderStartError) -> ProviderContext {
  var providerContext = try checkedContext(
    id: instance.id, settings: instance.settings, manifest: instance.service?.manifest ?? manifest, factory)
  providerContext.settings.merge(instance.service?.settings ?? [:]) { _, ofService in ofService }
  return providerContext
}

/// The context of an instance of a plugin that has only one service, with its settings checked and defaults filled in.
func checkedContext(
  id: String, settings: [String: JSONValue], manifest: Manifest, _ factory: ContextFactory
) throws(ProviderStartError) -> ProviderContext {
  var providerContext = try factory(manifest)
  providerContext.id = id
  providerContext.settings = try SettingsCheck.check(settings, against: manifest.settings, of: id)
  return providerContext
}

/// A provider that runs in the daemon's own process. A plugin has one `http` function for all its calls, which finds the meter of the
/// current call in a task-local variable.
struct InProcessService: PlaceService, PhotoService {
  @TaskLocal static var currentMeter: (any RequestMeter)?

  let provider: any PlaceService
  var meter: (any RequestMeter)?

  var manifest: Manifest { provider.manifest }

  func metered(by meter: any RequestMeter) -> any PlaceService { InProcessService(provider: provider, meter: meter) }

  func autocomplete(_ request: AutocompleteRequest) async throws(ProviderError) -> Page<Suggestion> {
    try await call { (provider) throws(ProviderError) in try await provider.autocomplete(request) }
  }

  func search(_ request: SearchRequest) async throws(ProviderError) -> Page<Place> {
    try await call { (provider) throws(ProviderError) in try await provider.search(request) }
  }

  func details(_ request: DetailsRequest) async throws(ProviderError) -> Place {
    try await call { (provider) throws(ProviderError) in try await provider.details(request) }
  }

  func reverse(_ request: ReverseRequest) async throws(ProviderError) -> Page<Place> {
    try await call { (provider) throws(ProviderError) in try await provider.reverse(request) }
  }

  func geocode(_ request: SearchRequest) async throws(ProviderError) -> Page<Place> {
    try await call { (provider) throws(ProviderError) in try await provider.geocode(request) }
  }

  func photo(_ request: PhotoRequest) async throws(ProviderError) -> PhotoImage {
    try await call { (provider) throws(ProviderError) in try await provider.photoIfOffered(request) }
  }

  func probe() async throws(ProviderError) -> String? { try await provider.probe() }

  private func call<Answer: Sendable>(
    _ body: (any PlaceService) async throws(ProviderError) -> Answer
  ) async throws(ProviderError) -> Answer {
    guard let meter else { return try await body(provider) }
    let result = await InProcessService.$currentMeter.withValue(meter) { () async -> Result<Answer, ProviderError> in
      do throws(ProviderError) { return .success(try await body(provider)) } catch { return .failure(error) }
    }
    return try result.get()
  }
}
