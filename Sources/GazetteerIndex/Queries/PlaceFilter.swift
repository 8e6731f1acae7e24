import Glibc
import PlacesKit
import SQLite

/// What a request allows: countries, an area of the map, types.
struct PlaceFilter {
  private var countries: [UInt16]?
  private var area: Area?
  private var bounds: [Rectangle] = []
  /// By number of the type set.
  private var types: [Bool]?
  private let admitsPoints: Bool
  /// Lists that each hold all places which are admitted, where these are few.
  let shortlists: [Shortlist]

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
    admitsPoints = collection?.contains(PointPlace.types) ?? (types.isEmpty || types.contains { PointPlace.types.contains($0) })
    area = restriction
    bounds = restriction?.bounds.split ?? []
    shortlists =
      (self.countries.map { [Shortlist(.locatedIn, Set($0).map { $0...$0 })] } ?? [])
      + (restriction == nil ? [] : [Shortlist(.cell, bounds.flatMap { MapCells.numbers(in: $0) })])
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

  /// The same for a point that is no place of the index, and the country in which it lies.
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

/// How much nearness to a bias adds: at its centre half as much again, of which half is left as far away as people go in a day, and for that
/// ways within its radius count a quarter; and three times that where somebody could walk or ride from its centre, the less the larger the area
/// is that he means.
///
/// The shop around the corner so comes before a far town that only begins like it, a village in the country before its far namesakes, and
/// neither before a city that all the world knows: what is far is never lowered.
struct Proximity {
  private static let mostOnTheSpot = 3.0
  /// The most by which it lifts a place.
  let most: Double
  /// The same outside the neighbourhood.
  let mostBeyond: Double
  /// The places among which are all that nearness lifts by more than that.
  let neighbourhood: Shortlist
  private static let inTheCountry = 0.5
  private static let inside = 0.25
  /// How much more nearness lifts what was called by its whole name, and the most that this makes of what is hardly known.
  private static let (called, knownNearby) = (2.6, 0.7)
  /// The part of what counts on the spot that a place lacks which nobody knows, and the importance from which one lacks nothing.
  private static let (unknown, town) = (0.1, 0.4)
  private static let onTheSpot = mostOnTheSpot - 1 - inTheCountry
  /// Metres beyond a bias where its neighbourhood ends, in rides.
  private static let rides = 3.0
  /// Metres that people go in a day, and in half an hour; and the radius of an area in which somebody means what is around him.
  private static let (day, ride, vicinity) = (100_000.0, 10_000.0, 20_000.0)
  private let center: FixedPoint
  private let radius: Double
  private let reach: Double
  private let spot: Double
  private let metresEast: Double

  private static let metresPerUnit = Coordinate.earthRadius * .pi / 180 / FixedPoint.scale

  init(_ bias: Area) {
    center = FixedPoint(bias.center)
    radius = bias.radius
    reach = max(Proximity.day, bias.radius)
    spot = Proximity.onTheSpot * Proximity.vicinity / max(Proximity.vicinity, bias.radius)
    most = 1 + Proximity.inTheCountry + spot
    mostBeyond = 1 + Proximity.inTheCountry + spot / (1 + Proximity.rides * Proximity.rides)
    let around = Area.circle(center: bias.center, radius: bias.radius + Proximity.rides * Proximity.ride)
    neighbourhood = Shortlist(.cell, around.bounds.split.flatMap { MapCells.numbers(in: $0) }, atMost: Shortlist.mostNearby)
    metresEast = Proximity.metresPerUnit * cos(bias.center.latitude * .pi / 180)
  }

  /// What was written of a place's name.
  enum Written {
    case beginning, words, name
  }

  /// What a place counts: its importance, lifted by a factor of nearness. Who writes the whole name of what is nearby means that before what
  /// only begins so elsewhere, however small it is (a shop named Coop before Cooper City), though never before what all the world knows. And on
  /// the spot what is hardly known counts as much as a town of some 100,000 people elsewhere: of `cafe` those around the
  /// corner, the nearer the better, come before a Cafelândia. Rises with both.
  static func lifted(_ importance: Double, by nearness: Double, _ written: Written) -> Double {
    guard nearness > 1 else { return importance }
    let standing = 1 - unknown + unknown * min(1, importance / town)
    let lifted = max(importance * nearness, (nearness - 1) / (mostOnTheSpot - 1) * here(written) * standing)
    return written == .name ? max(lifted, min(importance * (1 + (nearness - 1) * called), knownNearby)) : lifted
  }

  /// What counts on the spot. Together with the weights of matches, what is found in two ways counts by the heavier.
  private static func here(_ written: Written) -> Double {
    switch written {
    case .beginning: 0.72
    case .words: 0.95
    case .name: 0.75
    }
  }

  /// Whether a place lies in the neighbourhood.
  func isNear(_ point: FixedPoint) -> Bool {
    point != .none && distance(to: point) <= radius + Proximity.rides * Proximity.ride
  }

  func factor(_ point: FixedPoint) -> Double {
    guard point != .none else { return 1 }
    let distance = distance(to: point)
    let beyond = max(0, distance - radius) + min(distance, radius) * Proximity.inside
    let (far, near) = (beyond / reach, distance / Proximity.ride)
    return 1 + Proximity.inTheCountry / (1 + far * far) + spot / (1 + near * near)
  }

  /// In metres from the centre.
  private func distance(to point: FixedPoint) -> Double {
    // A plane is exact enough where nearness counts, and a tenth of the cost of a sphere.
    let north = Double(Int64(point.latitude) - Int64(center.latitude)) * Proximity.metresPerUnit
    var turn = abs(Int64(point.longitude) - Int64(center.longitude))
    if turn > 1_800_000_000 { turn = 3_600_000_000 - turn }
    let east = Double(turn) * metresEast
    return (north * north + east * east).squareRoot()
  }
}
