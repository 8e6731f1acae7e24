import JSON
import PlacesKit

/// The id of an OpenStreetMap object. It is the same at every server and after every import, unlike a server's own numbers.
public struct OpenStreetMapID: Sendable, Hashable {
  public enum Kind: String, Sendable, Hashable { case node, way, relation }

  public var kind: Kind
  /// The object's number among the objects of its kind; positive.
  public var number: Int

  /// Accepts the kinds `N`, `node`, `W`, `way`, `R` and `relation`, in upper or lower case, and a positive number or a string of its
  /// digits. Nil for anything else.
  public init?(kind: String?, number: JSONValue?) {
    guard let kind = kind?.lowercased(), let number = number?.integer ?? number?.string.flatMap({ Int($0) }), number > 0 else { return nil }
    switch kind {
    case "n", "node": self.kind = .node
    case "w", "way": self.kind = .way
    case "r", "relation": self.kind = .relation
    default: return nil
    }
    self.number = number
  }

  /// Reads `node/1`, as `description` writes it.
  public init?(_ text: String) {
    guard let slash = text.utf8.firstIndex(of: UInt8(ascii: "/")), let kind = Kind(rawValue: String(text[..<slash])),
      let number = Int(text[text.utf8.index(after: slash)...]), number > 0
    else { return nil }
    self.kind = kind
    self.number = number
  }

  /// `node/1`
  public var description: String { "\(kind.rawValue)/\(number)" }
  /// `N1`, as Nominatim's `/lookup` expects it.
  public var short: String { "\(kind.rawValue.prefix(1).uppercased())\(number)" }
  /// `osm:node/1`, for `Evidence.equivalents`.
  public var equivalent: String { "osm:\(description)" }
}

extension OpenStreetMapID {
  /// The id of a provider's row: the id of its object or, if it has no object, an id made from its location.
  public static func row(_ object: OpenStreetMapID?, at location: Coordinate) -> String {
    object?.description ?? "\(pointPrefix)\(degrees(location.latitude)),\(degrees(location.longitude))"
  }

  private static let pointPrefix = "point/"

  /// The object to which a row's id refers.
  /// - Throws: `unsupported` for an id that `row(_:at:)` made from a location, and `notFound` for a text that is not the id of a row.
  public init(ofRow id: String) throws(ProviderError) {
    guard let object = OpenStreetMapID(id) else {
      throw id.hasPrefix(OpenStreetMapID.pointPrefix)
        ? ProviderError(.unsupported, "this place is not an OpenStreetMap object, so it cannot be looked up")
        : ProviderError(.notFound, "this is not the id of an OpenStreetMap object")
    }
    self = object
  }
}
