import PlacesKit
import PlacesTesting
import SQLite
import Testing

@testable import GazetteerIndex

/// Lists of many places, walked by the few that a filter admits.
@Suite struct ShortlistTests {
  /// Names in few letters, so that many begin alike; a large country, one of 300 places, one of 20, and 40 places about the antimeridian.
  private static let places: [BruteForce.Place] = {
    var random = SeededRandom(seed: 5)
    return (1...2400).map { number in
      let letters = (0..<Int.random(in: 4...9, using: &random)).map { _ in "abel".randomElement(using: &random) ?? "a" }
      let longitude = number % 60 == 0 ? Double.random(in: 179...181, using: &random) : Double.random(in: -5...5, using: &random)
      return BruteForce.Place(
        id: String(number + 1000), name: "a" + String(letters), otherNames: [],
        location: Coordinate(latitude: .random(in: -5...5, using: &random), longitude: longitude > 180 ? longitude - 360 : longitude)
          ?? .zero,
        country: number % 120 == 1 ? "QO" : number % 8 == 2 ? "QN" : "QM", population: Int.random(in: 1...2_000_000, using: &random),
        kind: BruteForce.Place.kinds[number % BruteForce.Place.kinds.count])
    }
  }()

  private static let index: SmallIndex? = try? SmallIndex(lines: places.map(\.line))

  private static func rectangle(_ south: Double, _ west: Double, _ north: Double, _ east: Double) -> Area {
    .rectangle(
      Rectangle(low: Coordinate(latitude: south, longitude: west) ?? .zero, high: Coordinate(latitude: north, longitude: east) ?? .zero))
  }

  private static let areas: [Area?] = [
    nil, rectangle(1.3, 1.2, 2.3, 2.2), rectangle(-3, -4, -3, -4), rectangle(-5, 179, 5, -179), rectangle(-5, -180, 5, -179.9),
    rectangle(-5, 179.9, 5, 180), rectangle(-90, -180, 90, 180), rectangle(2, 1, 1, 2),
    .circle(center: Coordinate(latitude: 0, longitude: 180) ?? .zero, radius: 50_000), .circle(center: .zero, radius: 30_000),
  ]

  private static let kinds: [(types: [PlaceType], collection: TypeCollection?)] = [
    ([], nil), (["locality"], nil), ([], .cities), (["museum", "natural_feature"], nil), ([], .geocode), (["bakery"], nil),
    ([], .establishment),
  ]

  @Test("A filtered prefix search over many places equals a scan", arguments: areas)
  func equalsScan(area: Area?) throws {
    let index = try #require(ShortlistTests.index)
    let scan = BruteForce(ShortlistTests.places)
    for query in ["a", "aa", "ab", "abe", "all"] {
      for (number, countries) in [[], ["QO"], ["QN"], ["QN", "QO"], ["QM"], ["QX"]].enumerated() {
        var request = AutocompleteRequest(query: query, limit: 12)
        (request.types, request.collection) = ShortlistTests.kinds[(number + query.utf8.count) % ShortlistTests.kinds.count]
        request.countries = countries
        request.restriction = area
        #expect(try index.reader.autocomplete(request).rows.compactMap(\.id) == scan.ids(request), "\(request)")
      }
    }
  }

  @Test("A biased prefix search over many places equals a scan", arguments: 0..<12)
  func near(seed: Int) throws {
    let index = try #require(ShortlistTests.index)
    let scan = BruteForce(ShortlistTests.places)
    var random = SeededRandom(seed: UInt64(seed))
    for query in ["a", "aa", "ab", "abe"] {
      let longitude: Double =
        seed % 4 == 0 ? [179.95, 180, -179.9].randomElement(using: &random) ?? 180 : .random(in: -5.5...5.5, using: &random)
      let center = try #require(Coordinate(latitude: .random(in: -5.5...5.5, using: &random), longitude: longitude))
      var request = AutocompleteRequest(query: query, limit: 12)
      request.types = [[], ["locality"], ["museum", "lake"]].randomElement(using: &random) ?? []
      request.bias = .circle(center: center, radius: [0, 200, 9_000, 50_000].randomElement(using: &random) ?? 0)
      request.countries = [[], ["QN"]].randomElement(using: &random) ?? []
      #expect(try index.reader.autocomplete(request).rows.compactMap(\.id) == scan.ids(request), "\(request)")
    }
  }

  @Test("Skipping blocks of a list finds the same ranks as iteration")
  func passingOver() throws {
    let reader = try #require(ShortlistTests.index).reader
    var random = SeededRandom(seed: 9)
    for prefix in ["a", "aa", "ab"] {
      let all = try reader.borrow { (file) throws(SQLiteError) in
        try file.places(.name, startingWith: prefix).map { (list) throws(SQLiteError) in try PostingCursor.merged([list]) } ?? []
      }
      #expect(all.count > PostingList.inlineCount)
      for _ in 0..<40 {
        var wanted = (0..<30).map { _ in UInt32.random(in: 1...2600, using: &random) }
        wanted.sort()
        let (found, expected) = try reader.borrow { (file) throws(SQLiteError) in
          guard var list = try file.places(.name, startingWith: prefix) else { return ([UInt32?](), [UInt32?]()) }
          #expect(list.count == all.count)
          var found: [UInt32?] = []
          var expected: [UInt32?] = []
          var rest = all[...]
          for rank in wanted {
            found.append(try list.next(notBelow: rank))
            rest = rest.drop { $0 < rank }
            expected.append(rest.popFirst())
          }
          return (found, expected)
        }
        #expect(found == expected)
      }
    }
  }
}

@Suite struct MapCellsTests {
  @Test("The cells of a rectangle contain every place in it", arguments: 0..<8)
  func cover(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    func latitude() -> Double { [-90, -89.5, 0, 90, .random(in: -90...90, using: &random)].randomElement(using: &random) ?? 0 }
    func longitude() -> Double {
      [-180, -179.9, 0, 179.9, 180, .random(in: -180...180, using: &random)].randomElement(using: &random) ?? 0
    }
    var inside = 0
    for _ in 0..<2000 {
      let (south, north, west, east) = (latitude(), latitude(), longitude(), longitude())
      guard let low = Coordinate(latitude: min(south, north), longitude: west),
        let high = Coordinate(latitude: max(south, north), longitude: east),
        let point = Coordinate(latitude: latitude(), longitude: longitude())
      else { continue }
      let rectangle = Rectangle(low: low, high: high)
      guard rectangle.contains(point) else { continue }
      inside += 1
      let number = MapCells.number(of: FixedPoint(point))
      #expect(rectangle.split.contains { MapCells.numbers(in: $0).contains { $0.contains(number) } }, "\(rectangle) \(point)")
    }
    #expect(inside > 100)
  }

  @Test("A square degree has at most four cells")
  func few() throws {
    let (low, high) = try #require(both(1.5, 2.5, 2.5, 3.5))
    #expect(MapCells.numbers(in: Rectangle(low: low, high: high)).map(\.count) == [2, 2])
  }

  private func both(_ south: Double, _ west: Double, _ north: Double, _ east: Double) -> (Coordinate, Coordinate)? {
    guard let low = Coordinate(latitude: south, longitude: west), let high = Coordinate(latitude: north, longitude: east) else {
      return nil
    }
    return (low, high)
  }
}
