import PlacesKit

/// A suggestion service of a web search engine. The settings of each instance name the service's address and the format of its answers. The
/// rows are queries, not places.
public struct Suggest: Provider {
  public static let manifest = SuggestFormat.opensearch.manifest(named: nil)

  public let manifest: Manifest
  private let context: ProviderContext
  private let template: SuggestTemplate
  private let format: SuggestFormat

  /// Throws `badRequest` if a setting is not valid.
  public init(context: ProviderContext) async throws(ProviderError) {
    self.context = context
    guard let format = SuggestFormat(rawValue: context.settings["format"]?.string ?? SuggestFormat.opensearch.rawValue) else {
      throw ProviderError(.badRequest, "format must be one of \(SuggestFormat.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    self.format = format
    template = try SuggestTemplate(context.settings["url"]?.string ?? "", format: format)
    // The daemon checked the settings with a manifest for all formats, which cannot require a contact, so it is checked here.
    if SuggestFormat.isWikimedia(host: template.host), context.settings["contact"]?.string?.isEmpty != false {
      throw ProviderError(.badRequest, "Wikimedia's User-Agent policy requires `contact`: an address at which you can be reached")
    }
    let limit = context.settings["limit"]?.integer
    if let limit, !SuggestFormat.limits.contains(limit) {
      throw ProviderError(.badRequest, "limit must be from \(SuggestFormat.limits.lowerBound) to \(SuggestFormat.limits.upperBound)")
    }
    manifest = format.manifest(named: context.settings["name"]?.string, limit: limit)
  }

  public func autocomplete(_ request: AutocompleteRequest) async throws(ProviderError) -> Page<Suggestion> {
    let response = try await context.http(template.request(for: request))
    return try format.page(from: response, for: request, service: manifest.name)
  }
}

@c(places_plugin_version) public func version() -> Int32 { contractVersion() }
@c(places_plugin) public func plugin() -> UnsafeMutableRawPointer { PluginEntry(Suggest.self).retained() }
