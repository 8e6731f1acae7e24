import Glibc

/// Typical distances between two services' locations of one place, by the extent of the place.
enum DistanceScale {
  /// The typical distance in metres if two rows mean one place.
  static func typicalDistance(_ a: NormalizedRecord, _ b: NormalizedRecord, _ model: PairComparison.Model) -> Double {
    if a.category.isStation, b.category.isStation { return stationDistance }
    return typicalDistance(extent(a, b, model))
  }

  /// The typical distance in metres between two services' locations of one station.
  private static let stationDistance = 150.0

  /// The typical distance in metres to another service's location of the same place.
  static func typicalDistance(_ record: NormalizedRecord) -> Double {
    typicalDistance(record.category.extent ?? (record.looksLikeBusiness ? .business : .city))
  }

  private static func typicalDistance(_ extent: Category.Extent) -> Double {
    switch extent {
    case .address: 40
    case .business: 60
    case .village: 700
    case .city: 1_500
    case .region: 15_000
    }
  }

  /// The maximum distance in metres at which two rows are compared.
  static func reach(of record: NormalizedRecord) -> Double {
    switch record.category.extent {
    case .address: 500
    case .business: 3_000
    case .village: 12_000
    case .city: 60_000
    case .region: 600_000
    case nil: record.looksLikeBusiness ? 3_000 : 60_000
    }
  }

  /// The extent that determines the distance scale of a pair.
  private static func extent(_ a: NormalizedRecord, _ b: NormalizedRecord, _ model: PairComparison.Model) -> Category.Extent {
    switch model {
    case .points: min(a.category.extent ?? .business, b.category.extent ?? .business, .business)
    case .areas, .areasAcrossScripts: areaExtent(a.category.extent ?? .city, b.category.extent ?? .city)
    }
  }
}

extension DistanceScale {
  /// The extent of a pair of areas. A city and a region of one name are the same place only if the city is the whole region, as Berlin is.
  /// Their points are then near each other, so their distance is measured on the scale of villages. The state of Salzburg and its capital
  /// are two places.
  private static func areaExtent(_ a: Category.Extent, _ b: Category.Extent) -> Category.Extent {
    (a == .region) == (b == .region) ? max(a, b, .village) : .village
  }
}

/// The cosine of an angle in degrees.
func cosine(ofDegrees degrees: Double) -> Double { cos(degrees * .pi / 180) }
