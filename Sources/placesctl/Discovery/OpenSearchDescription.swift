import PlacesKit
import XML

/// The parts of an OpenSearch 1.1 description document that concern suggestions (github.com/dewitt/opensearch, Draft 6).
struct OpenSearchDescription: Equatable {
  /// The service's name; nil if the document has none.
  var name: String?
  /// The URL template of the service's suggestions in JSON, or else in XML; nil if the service has no suggestions.
  var template: String?

  /// Throws `XMLError` for a text that is not an XML document; nil for a document of another kind.
  init?(parsing bytes: [UInt8]) throws(XMLError) {
    var limits = XMLLimits()
    limits.bytes = 1 << 20
    let root = try XMLElement(parsing: bytes, limits: limits)
    guard root.localName == "OpenSearchDescription" else { return nil }
    let text = root.children.first { $0.localName == "ShortName" }?.text ?? ""
    let shortName = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    name = shortName.isEmpty ? nil : shortName
    let urls = root.children.filter { $0.localName == "Url" && $0.attributes["method"]?.lowercased() != "post" }
    for type in ["application/x-suggestions+json", "application/x-suggestions+xml"] {
      template = urls.lazy.filter { $0.attributes["type"]?.lowercased() == type }.compactMap(\.template).first {
        $0.contains("{searchTerms}")
      }
      if template != nil { return }
    }
  }
}

extension XMLElement {
  /// The name without a namespace prefix.
  fileprivate var localName: Substring { name.split(separator: ":").last ?? "" }

  /// The template with the parameters that browsers add to it (`<Param name="q" value="{searchTerms}"/>`).
  fileprivate var template: String? {
    guard var template = attributes["template"]?.trimmingSpaces, !template.isEmpty else { return nil }
    for parameter in children where parameter.localName == "Param" {
      guard let name = parameter.attributes["name"], let value = parameter.attributes["value"] else { continue }
      template += "\(template.contains("?") ? "&" : "?")\(name)=\(value)"
    }
    return template
  }
}

extension String {
  fileprivate var trimmingSpaces: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
