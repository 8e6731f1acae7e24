import Glibc
import PlacesKit
import SQLite

/// Checks places against the filters of a request: countries, an area, types.
struct PlaceFilter {
  /// The numbers of the admitted countries; nil if all are admitted.
  private var countries: [UInt16]?
  /// The area in which places must lie; nil for any.
  private var area: Area?
  /// The rectangles around the area; none of them crosses the antimeridian.
  private var bounds: [Rectangle] = []
  /// Whether the list of types with each number is admitted (`TypeTable`); nil if all are.
  private var types: [Bool]?
  /// Whether points that are not places of the index, such as coordinates in the query, have an admitted type.
  private let admitsPoints: Bool
  /// The places in the admitted countries, and those around the admitted area. Each set contains all admitted places, and may contain
  /// others.
  let postings: [FilterPostings]

  /// Whether places of all types are admitted.
  var admitsAllTypes: Bool { types == nil }

  /// - Parameters:
  ///   - countries: the codes of the admitted countries; empty for all.
  ///   - restriction: the area in which places must lie; nil for any.
  ///   - types: a place must have one of these types; empty for any.
  ///   - collection: the admitted collection of types. If it is not nil, `types` is ignored.
  init(
    countries: [String] = [], restriction: Area? = nil, types: [PlaceType] = [], collection: TypeCollection? = nil, in file: IndexFile
  ) throws(SQLiteError) {
    if !countries.isEmpty {
      // A country without a number has no places.
      var numbers: [UInt16] = []
      for code in countries { if let number = try file.areas.number(code.uppercased()) { numbers.append(number) } }
      self.countries = numbers
    }
    admitsPoints = collection?.contains(PointPlace.codeTypes) ?? (types.isEmpty || types.contains { PointPlace.codeTypes.contains($0) })
    area = restriction
    bounds = restriction?.bounds.split ?? []
    var postings: [FilterPostings] = []
    if let numbers = self.countries { postings.append(FilterPostings(.locatedIn, Set(numbers).map { $0...$0 })) }
    if restriction != nil { postings.append(FilterPostings(.cell, bounds.flatMap { MapCells.numbers(in: $0) })) }
    self.postings = postings
    if !types.isEmpty || collection != nil {
      self.types = try file.types.all().map { list in
        collection.map { $0.contains(list) } ?? list.contains { types.contains($0) }
      }
    }
  }

  /// Whether the filter admits a place.
  func admits(_ columns: PlaceColumns) -> Bool {
    if let countries, !countries.contains(columns.country) { return false }
    if let types, Int(columns.types) >= types.count || !types[Int(columns.types)] { return false }
    guard area != nil else { return true }
    return columns.point.coordinate.map(areaContains) ?? false
  }

  /// Whether the filter admits a point that is not a place of the index, such as coordinates in the query.
  /// - Parameter country: the number of the country in which the point lies; 0 if it is unknown.
  func admits(_ point: Coordinate, country: UInt16) -> Bool {
    admitsPoints && (countries?.contains(country) ?? true) && areaContains(point)
  }

  /// Whether the area contains a point; true if there is no area.
  private func areaContains(_ point: Coordinate) -> Bool {
    guard let area else { return true }
    guard bounds.contains(where: { $0.contains(point) }) else { return false }
    // The bounds of a circle are larger than the circle.
    if case .circle = area { return area.contains(point) }
    return true
  }
}
