/// An id of a place in a namespace, such as a service or Wikidata.
struct Identifier: Sendable, Hashable, Comparable {
  var namespace: UInt64
  var value: UInt64

  static func < (a: Identifier, b: Identifier) -> Bool { a.value != b.value ? a.value < b.value : a.namespace < b.namespace }

  /// Reads `namespace:id` in the spellings that services use: `osm:node/1`, `openstreetmap:venue:way/1`, `osm:N1`, `wikidata:Q64`.
  init?(_ text: String) {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let name = text[..<colon].lowercased()
    self.init(namespace: name, id: text[text.utf8.index(after: colon)...])
  }

  init?(namespace name: String, id: Substring) { self.init(known: Identifier.namespace(name), id: id) }

  /// - Parameter known: the namespace, as returned by `namespace`.
  init?(known: String, id: Substring) {
    guard !id.isEmpty else { return nil }
    switch known {
    case "osm":
      let (letter, number) = Identifier.openStreetMap(id)
      (namespace, value) = (Identifier.kindKeys[Int(letter)], Word.key(of: number))
    case "geonames", "wof":
      // Pelias puts a layer before the number: `geonames:venue:5`.
      (namespace, value) = (Word.key(of: known), Word.key(of: id.utf8.split(separator: UInt8(ascii: ":")).last.map(Substring.init) ?? id))
    case "wikidata": (namespace, value) = (Word.key(of: known), Word.key(of: id.uppercased()))
    default: (namespace, value) = (Word.key(of: known), Word.key(of: id))
    }
  }

  /// Represents a telephone as an id, so that rows with the same telephone are found like rows with the same id.
  init(phone: UInt64) {
    namespace = 0
    value = phone
  }

  /// The canonical name of a namespace for which services use several names.
  static func namespace(_ name: String) -> String { namespaces[name] ?? name }

  private static let namespaces = [
    "openstreetmap": "osm", "fsq": "foursquare", "4sq": "foursquare", "gn": "geonames", "geoname": "geonames", "wd": "wikidata",
    "google_places": "google", "whosonfirst": "wof",
  ]

  /// The kind of an OpenStreetMap object, as a lower-case letter or `?` if it is missing, and its number. Reads `node/1`, `N1`, `n1`,
  /// `node:1`, `venue:way/1` and `way1`. Each kind is a separate namespace, because objects of different kinds may be one place: a town is
  /// a node, and its boundary is a relation.
  private static func openStreetMap(_ id: Substring) -> (letter: UInt8, value: Substring) {
    let bytes = id.utf8
    func end(of part: Substring.UTF8View, where isOther: (UInt8) -> Bool) -> String.Index {
      part.lastIndex(where: isOther).map { part.index(after: $0) } ?? part.startIndex
    }
    let number = end(of: bytes) { !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0) }
    guard let letter = bytes[..<number].lastIndex(where: isLetter) else { return (UInt8(ascii: "?"), id[number...]) }
    let kind = bytes[end(of: bytes[...letter]) { !isLetter($0) }] | 0x20
    return (kind, id[number...])
  }

  /// The key of each kind's namespace, by its letter.
  private static let kindKeys = (0...UInt8.max).map { Word.key(of: "osm \(Unicode.Scalar($0))") }

  private static func isLetter(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 }
}
