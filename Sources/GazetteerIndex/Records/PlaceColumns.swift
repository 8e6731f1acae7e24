/// The attributes of a place that filters and scores need, in two words, so that a scan reads no records.
///
/// Layout, lower bits first: latitude and longitude (32 bits each, `FixedPoint`); importance, country, region, types (16 bits each).
struct PlaceColumns: Equatable {
  var point = FixedPoint.none
  /// The importance as 0…65,535. It falls or stays the same from each rank to the next.
  var importance: UInt16 = 0
  /// The number of the country in the table `area`; 0 for none.
  var country: UInt16 = 0
  /// The number of the region in the table `area`; 0 for none.
  var region: UInt16 = 0
  /// The number of its list of types in the table `types`; 0 for none.
  var types: UInt16 = 0

  /// The number of words of a place.
  static let words = 2

  /// The importance as 0…1.
  var relativeImportance: Double { Double(importance) / 65_535 }

  init() {}

  init(_ first: UInt64, _ second: UInt64) {
    point = FixedPoint(latitude: Int32(truncatingIfNeeded: first), longitude: Int32(truncatingIfNeeded: first >> 32))
    importance = UInt16(truncatingIfNeeded: second)
    country = UInt16(truncatingIfNeeded: second >> 16)
    region = UInt16(truncatingIfNeeded: second >> 32)
    types = UInt16(truncatingIfNeeded: second >> 48)
  }

  var first: UInt64 { UInt64(UInt32(bitPattern: point.latitude)) | UInt64(UInt32(bitPattern: point.longitude)) << 32 }

  var second: UInt64 { UInt64(importance) | UInt64(country) << 16 | UInt64(region) << 32 | UInt64(types) << 48 }
}
