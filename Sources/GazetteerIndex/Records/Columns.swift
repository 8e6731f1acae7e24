/// What filters and scores need of a place, in sixteen bytes, so that a scan touches no record.
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

  static let size = 16
  /// Places in a block of the table.
  static let perBlock = 512

  func encode(into writer: inout ByteWriter) {
    for value in [UInt32(bitPattern: point.latitude), UInt32(bitPattern: point.longitude)] {
      writer.raw((0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) })
    }
    for value in [importance, country, region, types] {
      writer.byte(UInt8(truncatingIfNeeded: value))
      writer.byte(UInt8(truncatingIfNeeded: value >> 8))
    }
  }

  /// Reads the columns at a place of a block; nil beyond its end.
  static func read(_ bytes: UnsafeRawBufferPointer, at index: Int) -> PlaceColumns? {
    let offset = index * size
    guard index >= 0, offset + size <= bytes.count else { return nil }
    func word(_ at: Int) -> UInt16 { UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + at, as: UInt16.self)) }
    func long(_ at: Int) -> Int32 { Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + at, as: Int32.self)) }
    return PlaceColumns(
      point: FixedPoint(latitude: long(0), longitude: long(4)), importance: word(8), country: word(10), region: word(12),
      types: word(14))
  }
}
