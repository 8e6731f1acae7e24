import PlacesAPI
import PlacesKit
import XML

/// `placesctl providers discover`: prints the configuration of a provider for a site that describes its search.
enum DiscoverCommand {
  static let command = Command(
    path: ["providers", "discover"], arguments: [Argument("URL", .one, "A page of the site, or its OpenSearch description document.")],
    summary: "Print a configuration for the suggestions of a site that describes its search (OpenSearch).",
    notes: ["The page is read with curl(1). No daemon is needed, and nothing is changed: write the output to a file in providers.d."],
    exitCodes: [.results, .noResults, .failed], run: run)

  static func run(_ invocation: Invocation, _ context: CommandContext) async throws(Failure) -> ExitCode {
    let address = invocation.arguments.first ?? ""
    guard ServiceURL(address) != nil else {
      throw invocation.usage("URL must be an http or https address, such as https://en.wikipedia.org, not \(printable(address))")
    }
    let page = try context.webPage(address)
    var (description, source) = (parsedDescription(page), page.address)
    if description == nil {
      guard let link = SearchLink.address(in: String(decoding: page.body, as: UTF8.self)),
        let target = SearchLink.absolute(link, on: page.address), ServiceURL(target) != nil
      else {
        context.console.note("\(printable(page.address)) is not the description of a search, and has no link to one")
        return .noResults
      }
      (description, source) = (parsedDescription(try context.webPage(target)), target)
    }
    guard let description, let template = description.template else {
      context.console.note("\(printable(source)) describes a search without suggestions")
      return .noResults
    }
    let absoluteTemplate = SearchLink.absolute(template, on: source) ?? template
    guard let url = ServiceURL(absoluteTemplate) else {
      throw Failure(.failed, "the address of the suggestions in \(printable(source)) is not an http or https address")
    }
    context.console.lines(lines(description, template: absoluteTemplate, host: url.host, source: source))
    return .results
  }

  /// The OpenSearch description that a page contains; nil if the page is not a description.
  private static func parsedDescription(_ page: WebPage) -> OpenSearchDescription? {
    try? OpenSearchDescription(parsing: page.body)
  }

  /// The lines of a configuration file that adds the service as a disabled provider.
  private static func lines(_ description: OpenSearchDescription, template: String, host: String, source: String) -> [String] {
    let hostLabels = host.split { !$0.isASCII || !($0.isLetter || $0.isNumber || $0 == "-") }.drop { $0 == "www" }
    let name = (hostLabels.count > 1 ? hostLabels.dropLast() : hostLabels).joined(separator: "-")
    let isWikimedia = host.hasSuffix(".wikipedia.org")
    return [
      "# Suggestions of \(printable(source)). What users type is sent there: read its terms of use before you enable it.",
      "[providers.suggest-\(name.lowercased())]", "plugin = \"suggest\"", "enabled = false",
    ] + (description.name.map { ["name = \(quoted($0))"] } ?? []) + ["url = \(quoted(template))"]
      + (isWikimedia
        ? ["format = \"wikipedia\"", "contact = \"\"  # an address at which you can be reached"] : ["format = \"opensearch\""])
  }

  /// A basic string of TOML.
  private static func quoted(_ text: String) -> String {
    "\"" + printable(text).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}
