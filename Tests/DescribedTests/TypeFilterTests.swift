import Foundation
import Geocoders
import PlacesKit
import Testing

@testable import ServiceDescriptions

/// What a service's own answer types a row as, the same type as a filter finds: the words that are sent for a type include every word that means
/// the type or one within it.
@Suite("The type of a row as a filter, by description") struct TypeFilterTests {
  /// Services whose words are codes that include all codes below them, with the length of a code without its zeros.
  private static func includes(_ service: String, _ sent: String, _ word: String) -> Bool {
    guard service == "amap" else { return sent == word }
    // Two digits each: category, group, type (lbs.amap.com, table of POI codes).
    var own = sent
    while own.hasSuffix("00") { own.removeLast(2) }
    return word.hasPrefix(own)
  }

  @Test("Each word of a row is among those that are sent for its types", arguments: ServiceCase.shipped)
  func words(service: String) throws {
    let description = try ServiceCase.description(service)
    let types = description.types
    // Other services are not limited to types, or have the types of OpenStreetMap's tags.
    guard description.describedCalls.values.contains(where: { $0.request.uses(.types) && $0.fields[.types] != nil }) else { return }
    for word in Set(types.words.values.joined()) {
      #expect(!types.types(of: word).isEmpty)
      for type in types.types(of: word).flatMap({ [$0] + $0.ancestors }) {
        let sent = types.words(for: [type], nil)
        // Without a word the service is not limited, and the daemon drops rows of other types.
        #expect(sent.isEmpty || sent.contains { Self.includes(service, $0, word) }, "\(service): \(word) as \(type.rawValue): \(sent)")
      }
    }
  }

  @Test("Overpass is asked for every tag that rows of a type have")
  func overpass() throws {
    let types = try ServiceCase.description("overpass").types
    let keys = ["amenity", "shop", "tourism", "leisure", "railway", "aeroway", "healthcare", "highway"]
    for (type, words) in types.words {
      let filter = try #require(words.first)
      #expect(words.count == 1, "the query names one filter")
      for tag in OpenStreetMapTypes.tags(for: type) where keys.contains(tag.key) {
        #expect(try Self.matches(filter, tag), "\(type.rawValue): \(filter) lacks \(tag.key)=\(tag.value)")
      }
    }
  }

  /// Evaluates `"key"="value"`, `"key"~"value"` and `~"key"~"value"` of the Overpass query language.
  private static func matches(_ filter: String, _ tag: OpenStreetMapTypes.Tag) throws -> Bool {
    let texts = filter.split(separator: "\"").map(String.init).filter { !["=", "~"].contains($0) }
    let (key, value) = (try #require(texts.first), try #require(texts.last))
    func contains(_ text: String, _ pattern: String) throws -> Bool {
      text.range(of: pattern, options: .regularExpression) != nil
    }
    let hasKey = filter.hasPrefix("~") ? try contains(tag.key, key) : tag.key == key
    return try hasKey && (filter.contains("\"=\"") ? tag.value == value : contains(tag.value, value))
  }
}
