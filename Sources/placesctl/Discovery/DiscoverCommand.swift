import PlacesAPI
import PlacesKit
import XML

/// `placesctl providers discover`: prints the configuration of a provider for a site that describes its search.
enum DiscoverCommand {
  static let command = Command(
    path: ["providers", "discover"], arguments: [Argument("URL", .one, "A page of the site, or its OpenSearch description document.")],
    summary: "Print a configuration for the suggestions of a site that describes its search (OpenSearch).",
    notes: ["The page is read with curl(1). No daemon is needed, and nothing is changed: write the output to a file in providers.d."],
    exits: [.results, .noResults, .failed], run: run)

  static func run(_ invocation: Invocation, _ context: CommandContext) async throws(Failure) -> ExitCode {
    let address = invocation.arguments.first ?? ""
    guard ServiceURL(address) != nil else {
      throw invocation.usage("URL must be an http or https address, such as https://en.wikipedia.org, not \(printable(address))")
    }
    let page = try context.webPage(address)
    var (found, source) = (try description(page), page.address)
    if found == nil {
      guard let link = SearchLink.address(in: String(decoding: page.body, as: UTF8.self)),
        let target = SearchLink.absolute(link, on: page.address), ServiceURL(target) != nil
      else {
        context.console.note("\(printable(page.address)) is not the description of a search, and has no link to one")
        return .noResults
      }
      (found, source) = (try description(try context.webPage(target)), target)
    }
    guard let found, let template = found.template else {
      context.console.note("\(printable(source)) describes a search without suggestions")
      return .noResults
    }
    guard let url = ServiceURL(SearchLink.absolute(template, on: source) ?? template) else {
      throw Failure(.failed, "the address of the suggestions in \(printable(source)) is not an http or https address")
    }
    context.console.lines(lines(found, template: SearchLink.absolute(template, on: source) ?? template, host: url.host, source: source))
    return .results
  }

  /// The OpenSearch description that a page contains; nil if the page is not a description.
  private static func description(_ page: WebPage) throws(Failure) -> OpenSearchDescription? {
    try? OpenSearchDescription(parsing: page.body)
  }

  private static func lines(_ description: OpenSearchDescription, template: String, host: String, source: String) -> [String] {
    let labels = host.split { !$0.isASCII || !($0.isLetter || $0.isNumber || $0 == "-") }.drop { $0 == "www" }
    let name = (labels.count > 1 ? labels.dropLast() : labels).joined(separator: "-")
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
