/// What filters and scores need of a place, in two words, so that a scan touches no record.
struct PlaceColumns: Equatable {
  var point = FixedPoint.none
  /// 0…65,535 for importance 0…1; never rises with the rank.
  var importance: UInt16 = 0
  /// Number of the country's area; 0 for none.
  var country: UInt16 = 0
  /// Number of the region's area; 0 for none.
  var region: UInt16 = 0
  /// Number of its set of types.
  var types: UInt16 = 0

  /// Words of a place in the file.
  static let words = 2

  init() {}

  init(_ first: UInt64, _ second: UInt64) {
    point = FixedPoint(latitude: Int32(truncatingIfNeeded: first), longitude: Int32(truncatingIfNeeded: first >> 32))
    importance = UInt16(truncatingIfNeeded: second)
    country = UInt16(truncatingIfNeeded: second >> 16)
    region = UInt16(truncatingIfNeeded: second >> 32)
    types = UInt16(truncatingIfNeeded: second >> 48)
  }

  /// Latitude and longitude, lower bits first.
  var first: UInt64 { UInt64(UInt32(bitPattern: point.latitude)) | UInt64(UInt32(bitPattern: point.longitude)) << 32 }

  /// The numbers in their order, lower bits first.
  var second: UInt64 { UInt64(importance) | UInt64(country) << 16 | UInt64(region) << 32 | UInt64(types) << 48 }
}
