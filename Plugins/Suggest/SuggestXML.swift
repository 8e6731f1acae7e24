import Glibc
import PlacesKit
import XML

/// The XML shapes: Google's toolbar and Yahoo's gossip.
enum SuggestXML {
  /// `<CompleteSuggestion><suggestion data="…"/><num_queries int="…"/>`, or `<s k="…"/>`.
  static func completions(in text: String, service: String) throws(ProviderError) -> [Completion] {
    let root: XMLElement
    do {
      // The text is UTF-8 by now, whatever the document says of itself.
      root = try XMLElement(parsing: Array(text.utf8), encoding: "UTF-8")
    } catch {
      throw ProviderError(.decode, "\(service)'s answer cannot be read as XML: \(error.message) (line \(error.line))")
    }
    let suggestions = root.children(named: "CompleteSuggestion").compactMap { element -> Completion? in
      guard let data = element.children(named: "suggestion").first?.attributes["data"] else { return nil }
      let hits = element.children(named: "num_queries").first?.attributes["int"].flatMap { Double($0) }
      return Completion(data, importance: hits.flatMap(importance))
    }
    guard suggestions.isEmpty else { return suggestions }
    let gossip = root.children(named: "s").compactMap { $0.attributes["k"].flatMap { Completion($0) } }
    guard gossip.isEmpty, !["toplevel", "m", "suggestions"].contains(root.name), !root.children.isEmpty else { return gossip }
    throw ProviderError(.decode, "\(service)'s answer is XML of another kind")
  }

  /// The number of hits on a logarithmic scale that ends at 10¹⁰.
  private static func importance(hits: Double) -> Double? {
    hits.isFinite && hits >= 0 ? min(1, log10(1 + hits) / 10) : nil
  }
}
