import Glibc
import PlacesKit
import SQLite

/// The filters of a request: countries, an area, types.
struct PlaceFilter {
  private var countries: [UInt16]?
  private var area: Area?
  private var bounds: [Rectangle] = []
  /// Whether a set of types is admitted, by the number of the set; nil if all are.
  private var types: [Bool]?
  private let admitsPoints: Bool
  /// Lists that each hold all admitted places, if these are few.
  let postings: [FilterPostings]

  /// Whether places of all types pass.
  var admitsAllTypes: Bool { types == nil }

  init(
    countries: [String], restriction: Area?, types: [PlaceType] = [], collection: TypeCollection? = nil, in file: IndexFile
  ) throws(SQLiteError) {
    if !countries.isEmpty {
      var numbers: [UInt16] = []
      for code in countries { if let number = try file.areas.number(code.uppercased()) { numbers.append(number) } }
      self.countries = numbers
    }
    admitsPoints = collection?.contains(PointPlace.codeTypes) ?? (types.isEmpty || types.contains { PointPlace.codeTypes.contains($0) })
    area = restriction
    bounds = restriction?.bounds.split ?? []
    postings =
      (self.countries.map { [FilterPostings(.locatedIn, Set($0).map { $0...$0 })] } ?? [])
      + (restriction == nil ? [] : [FilterPostings(.cell, bounds.flatMap { MapCells.numbers(in: $0) })])
    if !types.isEmpty || collection != nil {
      self.types = try file.types.all().map { set in
        collection.map { $0.contains(set) } ?? set.contains { types.contains($0) }
      }
    }
  }

  func admits(_ columns: PlaceColumns) -> Bool {
    if let countries, !countries.contains(columns.country) { return false }
    if let types, Int(columns.types) >= types.count || !types[Int(columns.types)] { return false }
    guard area != nil else { return true }
    guard columns.point != .none, let point = columns.point.coordinate else { return false }
    return holds(point)
  }

  /// True if the filter admits a point in this country, such as a coordinate of the query, which is not a place of the index.
  func admits(_ point: Coordinate, country: UInt16) -> Bool {
    admitsPoints && (countries?.contains(country) ?? true) && holds(point)
  }

  private func holds(_ point: Coordinate) -> Bool {
    guard let area else { return true }
    guard bounds.contains(where: { $0.contains(point) }) else { return false }
    if case .circle = area { return area.contains(point) }
    return true
  }
}
