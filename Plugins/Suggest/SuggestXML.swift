import Glibc
import PlacesKit
import XML

/// Reads the XML formats: Google's toolbar, Yahoo's gossip and related suggestions, and XML Search Suggestions (learn.microsoft.com, "XML
/// Search Suggestions Format Specification", 2008).
enum SuggestXML {
  /// The completions of an answer, which has one of these forms: `<CompleteSuggestion><suggestion data="…"/><num_queries int="…"/>`;
  /// `<s k="…"/>`; `<ResultSet><Result>…</Result></ResultSet>`; `<SearchSuggestion><Section><Item><Text>…</Text>`. Throws `decode` for any
  /// other XML.
  static func completions(in text: String, service: String) throws(ProviderError) -> [Completion] {
    let root: XMLElement
    do {
      // The text is already converted to UTF-8, regardless of the document's declaration.
      root = try XMLElement(parsing: Array(text.utf8), encoding: "UTF-8")
    } catch {
      throw ProviderError(.decode, "\(service)'s answer cannot be read as XML: \(error.message) (line \(error.line))")
    }
    switch root.name {
    case "ResultSet": return root.children(named: "Result").compactMap { Completion($0.text.trimmed) }
    case "SearchSuggestion": return root.children(named: "Section").flatMap { $0.children(named: "Item") }.compactMap(item)
    default: break
    }
    let suggestions = root.children(named: "CompleteSuggestion").compactMap { element -> Completion? in
      guard let data = element.children(named: "suggestion").first?.attributes["data"] else { return nil }
      let hits = element.children(named: "num_queries").first?.attributes["int"].flatMap { Double($0) }
      return Completion(data, importance: hits.flatMap(importance))
    }
    guard suggestions.isEmpty else { return suggestions }
    let gossip = root.children(named: "s").compactMap { $0.attributes["k"].flatMap { Completion($0) } }
    guard gossip.isEmpty, !["toplevel", "m", "suggestions"].contains(root.name), !root.children.isEmpty else { return gossip }
    throw ProviderError(.decode, "\(service)'s answer is XML of an unknown format (<\(root.name)>)")
  }

  /// The completion of an `<Item>` of XML Search Suggestions; nil if it has no text that can be a query.
  private static func item(_ element: XMLElement) -> Completion? {
    func text(_ name: String) -> String? { element.children(named: name).first?.text.trimmed }
    let image = element.children(named: "Image").first?.attributes["source"]
    return text("Text").flatMap { Completion($0, note: text("Description"), url: text("Url"), image: image) }
  }

  /// The logarithm of the number of hits, scaled so that 10¹⁰ hits or more are 1.
  private static func importance(hits: Double) -> Double? {
    hits.isFinite && hits >= 0 ? min(1, log10(1 + hits) / 10) : nil
  }
}
