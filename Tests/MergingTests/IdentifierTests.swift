import Merging
import PlacesKit
import Testing

@Suite("Ids decide before anything else")
struct IdentifierTests {
  @Test(
    "an OpenStreetMap id is the same however it is spelt",
    arguments: ["osm:node/1", "osm:N1", "osm:n1", "openstreetmap:venue:node/1", "osm:node:1", "osm:node1", "osm:NODE/1"])
  func openStreetMap(_ spelling: String) {
    #expect(joined(["osm:node/1"], [spelling]))
    #expect(!joined(["osm:way/1"], [spelling]))
    #expect(!joined(["osm:node/11"], [spelling]))
  }

  @Test("A GeoNames id may have a layer in front, and an id may end in colons")
  func geonames() {
    #expect(joined(["geonames:5"], ["gn:venue:5"]))
    #expect(joined(["geonames:5:"], ["gn:venue:5"]))
    #expect(!joined(["geonames:5:"], ["geonames:6:"]))
  }

  @Test("an OpenStreetMap id without a number, or with non-ASCII letters and digits, is read without a fault")
  func oddOpenStreetMap() {
    for id in ["osm:", "osm:node/", "osm:é", "osm:٣"] { #expect(!joined(["osm:node/1"], [id]), "\(id)") }
    #expect(!joined(["osm:"], ["osm:"]))
    #expect(joined(["osm:node/"], ["osm:n/"]))
    // Neither a letter nor a digit; the ASCII characters around it are used.
    for id in ["osm:nodé1", "osm:node٣1", "osm:é:node/1", "osm:node/é1"] { #expect(joined(["osm:node/1"], [id]), "\(id)") }
    #expect(!joined(["osm:node/31"], ["osm:node/٣1"]))
    #expect(!joined(["osm:node/1"], ["osm:é1"]))
  }

  @Test("ids of other namespaces are compared without regard to spelling")
  func spellings() {
    #expect(joined(["geonames:5"], ["geonames:venue:5"]))
    #expect(joined(["geonames:5"], ["gn:5"]))
    #expect(joined(["whosonfirst:locality:5"], ["wof:5"]))
    #expect(joined(["wikidata:Q64"], ["wd:q64"]))
    #expect(!joined(["geonames:5"], ["geonames:venue:6"], sameName: true))
    #expect(!joined(["foursquare:4b1a"], ["fsq:4B1A"], sameName: true))
  }

  @Test("two ids of one namespace are two places, even if another id is shared")
  func veto() {
    #expect(!joined(["wikidata:Q64"], ["wikidata:Q65"], sameName: true))
    #expect(!joined(["wikidata:Q64", "geonames:1"], ["wikidata:Q64", "geonames:2"], sameName: true))
  }

  @Test("a row may have several ids of a namespace, of which one is enough")
  func several() { #expect(joined(["osm:node/1", "osm:relation/2"], ["osm:relation/2"])) }

  @Test("a town's node and its boundary are one place, two nodes of one name are two")
  func boundary() {
    #expect(joined(["osm:node/1932181216"], ["osm:relation/1155956", "wikidata:Q1844"], sameName: true))
    #expect(joined(["osm:way/1"], ["osm:node/1"], sameName: true))
    #expect(!joined(["osm:node/1"], ["osm:node/2"], sameName: true))
  }

  @Test("a third row does not join rows that ids keep apart")
  func bridge() {
    let here = (52.5, 13.4)
    let answer = merge([
      batch("a", [place("1", "Museum", at: here) { $0.equivalents = ["wikidata:Q1"] }]), batch("b", [place("2", "Museum", at: here)]),
      batch("c", [place("3", "Museum", at: here) { $0.equivalents = ["wikidata:Q2"] }]),
    ])
    #expect(answer.count == 2)
  }

  /// Two rows that share only the properties of the test.
  private func joined(_ first: [String], _ second: [String], sameName: Bool = false) -> Bool {
    let a = place("1", "Eins", at: (52.5, 13.4)) { $0.equivalents = first }
    let b = place("2", sameName ? "Eins" : "Zwo", at: (sameName ? 52.5 : -10, 13.4)) { $0.equivalents = second }
    return merge([batch("a", [a]), batch("b", [b])]).count == 1
  }
}
