import PlacesKit
import PlacesTesting
import Testing

@testable import GazetteerIndex

@Suite("GeoJSON feature collections")
struct FeatureCollectionSourceTests {
  /// Returns its bytes a few at a time.
  private final class Dripping: ByteSource {
    let name = "drip"
    private var bytes: ArraySlice<UInt8>
    private let step: Int
    init(_ text: String, step: Int) {
      bytes = ArraySlice(Array(text.utf8))
      self.step = step
    }
    var position: (done: Int, total: Int?) { (0, nil) }
    func read() -> [UInt8] {
      defer { bytes = bytes.dropFirst(step) }
      return Array(bytes.prefix(step))
    }
  }

  private func records(_ text: String, _ step: Int) throws -> [String] {
    var stream = RecordStream(FeatureCollectionSource(Dripping(text, step: step)))
    var found: [String] = []
    while case .bytes(let bytes) = try stream.next() { found.append("\(stream.line) \(String(decoding: bytes, as: UTF8.self))") }
    return found
  }

  @Test("The features of a collection are records with their line numbers, whatever the chunks of the input", arguments: [1, 2, 7, 1000])
  func features(step: Int) throws {
    let lines =
      "{\"type\":\"FeatureCollection\",\n\"crs\":{\"features\":[0]},\n\"features\" : [\n{\"a\":\"]}\\\"{\"},\n{\"b\":[{}]}\n],\n\"x\":[{}]}\n"
    #expect(try records(lines, step) == ["4 {\"a\":\"]}\\\"{\"}", "5 {\"b\":[{}]}"])
    #expect(try records("{\"features\":[{\"a\":1},{\"b\":2}],\"type\":\"FeatureCollection\"}", step) == ["1 {\"a\":1}", "1 {\"b\":2}"])
    #expect(try records("{\"features\":[]}", step) == [])
    // A truncated collection must not replace a complete one, and the first of two collections must not replace both.
    for text in ["{\"features\":[{\"a\":1},{\"b\":", "{\"features\":[{\"a\":1},", "{\"features\":[{\"a\":1}]}\n{\"features\":[]}"] {
      #expect(throws: GazetteerError.self) { try records(text, step) }
    }
  }

  @Test(
    "Invalid JSON in a collection is reported with its line, whatever the chunks of the input",
    arguments: [
      ("{\"features\":[\n{\"a\":1},\n{\"a\":[[1,\n2BROKEN\n},\n{\"a\":2}\n]}\n", "line 4: not JSON: unexpected character"),
      ("{\n\"features\":[\n{\"a\":\"x},\n{\"a\":2}\n]}\n", "line 3: not JSON: unescaped control character in a string"),
      ("{\"features\":[\n{\"a\":1}BROKEN,\n{\"a\":2}]}", "line 2: neither a feature nor the end of the features"),
      ("{\"features\":[\n{\"a\":1}},\n{\"a\":2}]}", "line 2: neither a feature nor the end of the features"),
      ("{\"features\":[\n{\"a\":{\"b\":1,\n\"c\":2},\n{\"a\":2}\n],\"x\":1}\n", "line 4: not JSON: unexpected character"),
      ("{\"features\":[\n{\"a\":[1,2}},\n{\"a\":2}]}", "line 2: not JSON: unexpected character"),
      ("{\"features\":[{\"a\":1},\n{\"b\":\n[1,", "ends in the middle of the feature that begins on line 2"),
      ("{\"features\":[\n{\"a\":1},\n{\"b\":tr", "ends in the middle of the feature that begins on line 3"),
      ("{\"features\":[\n{\"a\":1},\n", "ends in the middle of its features, on line 3"),
    ])
  func faults(text: String, reason: String) throws {
    for step in [1, 2, 7, 1000] {
      #expect(throws: GazetteerError.source(path: "drip", reason: "\(reason); the index was not changed")) { try records(text, step) }
    }
  }

  @Test(
    "An input that is not a collection is unchanged",
    arguments: [
      "{\"type\":\"Feature\"}\n{\"features\":[1]}\n", "\u{1E}{\"a\":1}\n\u{1E}{\"b\":2}\n", "", "no JSON\n[1]\n", "{\"features\":\"[\"}",
      "{\"a",
    ])
  func others(text: String) throws {
    for step in [1, 3, 1000] {
      var plain = RecordStream(MemorySource(Array(text.utf8), name: "plain"))
      var expected: [String] = []
      while case .bytes(let bytes) = try plain.next() { expected.append("\(plain.line) \(String(decoding: bytes, as: UTF8.self))") }
      #expect(try records(text, step) == expected)
    }
  }

  @Test("A collection is imported like its features")
  func imported() throws {
    let text = #"""
      {
        "type": "FeatureCollection",
        "features": [
          {
            "type": "Feature", "id": "n1",
            "geometry": { "type": "Point", "coordinates": [9.52, 47.14] },
            "properties": { "name": "Café [1]", "amenity": "cafe" }
          },
          { "type": "Feature", "geometry": null, "properties": { "name": "x" } }
        ]
      }
      """#
    let folder = try TemporaryFolder()
    let report = try GazetteerBuilder(path: folder.file("g.db")).importFeatures(MemorySource(Array(text.utf8), name: "test"), name: "map")
    #expect(report.taken == 1)
    #expect(report.badRecords.map(\.line) == [9])
  }

  @Test("OpenStreetMap's own formats are recognised by name and contents, and refused with the command to run instead")
  func openStreetMap() throws {
    for path in ["a/li.osm.pbf", "li.PBF", "li.osm", "li.osm.bz2"] { #expect(OpenStreetMapFile.isNamed(path)) }
    for path in ["li.geojson", "li.osm.geojsonseq.gz", "osm/cities500.txt", "osm", "-"] { #expect(!OpenStreetMapFile.isNamed(path)) }
    let folder = try TemporaryFolder()
    for text in ["\0\0\0\u{0E}\u{0A}\u{09}OSMHeader", "<?xml version='1.0'?>\n<osm>", "<osm version='0.6'>"] {
      let error = try #require(throws: GazetteerError.self) { try openSource(folder.write(text, to: "map")) }
      #expect(error.message.contains("osmium export"))
    }
  }
}
