/// The attributes of a place that filters and scores need, packed into two words, so that a scan of the places reads no records.
///
/// Layout, lower bits first: latitude and longitude (32 bits each, `FixedPoint`); importance, country, region, types (16 bits each).
struct PlaceColumns: Equatable {
  var point = FixedPoint.none
  /// The importance as 0…65,535. No place has a greater importance than the place of the rank before it.
  var importance: UInt16 = 0
  /// The number of the country in the table `area`; 0 for none.
  var country: UInt16 = 0
  /// The number of the region in the table `area`; 0 for none.
  var region: UInt16 = 0
  /// The number of its list of types in the table `types`; 0 for none.
  var types: UInt16 = 0

  /// The number of words that the attributes of a place fill.
  static let wordCount = 2

  /// The importance as 0…1.
  var relativeImportance: Double { Double(importance) / 65_535 }

  init() {}

  init(_ firstWord: UInt64, _ secondWord: UInt64) {
    point = FixedPoint(latitude: Int32(truncatingIfNeeded: firstWord), longitude: Int32(truncatingIfNeeded: firstWord >> 32))
    importance = UInt16(truncatingIfNeeded: secondWord)
    country = UInt16(truncatingIfNeeded: secondWord >> 16)
    region = UInt16(truncatingIfNeeded: secondWord >> 32)
    types = UInt16(truncatingIfNeeded: secondWord >> 48)
  }

  var firstWord: UInt64 { UInt64(UInt32(bitPattern: point.latitude)) | UInt64(UInt32(bitPattern: point.longitude)) << 32 }

  var secondWord: UInt64 { UInt64(importance) | UInt64(country) << 16 | UInt64(region) << 32 | UInt64(types) << 48 }
}
