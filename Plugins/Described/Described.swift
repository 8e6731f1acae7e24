import PlacesKit
import ServiceDescriptions

/// Calls a service with a JSON or XML API that a TOML file describes (places-service(5)).
///
/// The daemon reads and checks the file, which also determines to which hosts requests may be sent and how the key is added. The daemon
/// passes the text of the file to the plugin in the setting `description`.
public struct Described: Provider {
  /// The manifest before the description is known. For a configured service, the daemon uses the manifest that it made from the file.
  public static let manifest = Manifest(
    plugin: "described", name: "A described service", version: "1.0.0", summary: "Any service that a file in services describes.",
    search: Capability(parameters: [:], fields: [.placeID, .name]),
    settings: [
      Setting("description", .string, "The text of the file; the daemon fills it in.", required: true),
      Setting("service", .string, "The name of the file; the daemon fills it in."),
    ], terms: .nothing,
    attributions: [])

  public let manifest: Manifest
  private let service: DescribedService

  /// Throws `badRequest` if the setting `description` is not a valid description.
  public init(context: ProviderContext) async throws(ProviderError) {
    let text = Array((context.settings["description"]?.string ?? "").utf8)
    let outcome = ServiceDescription.read(text, service: context.settings["service"]?.string ?? context.id, file: "description")
    guard let description = outcome.description else {
      throw ProviderError(
        .badRequest, "the description of the service is not valid: \(outcome.problems.first.map { "\($0)" } ?? "it is empty")")
    }
    manifest = description.manifest
    service = DescribedService(description, settings: context.settings, send: context.http)
  }

  public func autocomplete(_ request: AutocompleteRequest) async throws(ProviderError) -> Page<Suggestion> {
    try await service.autocomplete(request)
  }

  public func search(_ request: SearchRequest) async throws(ProviderError) -> Page<Place> { try await service.search(request) }

  public func details(_ request: DetailsRequest) async throws(ProviderError) -> Place { try await service.details(request) }

  public func reverse(_ request: ReverseRequest) async throws(ProviderError) -> Page<Place> { try await service.reverse(request) }
}

@c(places_plugin_version) public func version() -> Int32 { contractVersion() }
@c(places_plugin) public func plugin() -> UnsafeMutableRawPointer { PluginEntry(Described.self).retained() }
