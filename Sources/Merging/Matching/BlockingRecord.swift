import PlacesKit

/// The fields of a row that blocking compares: cheap to read and enough to reject most pairs.
struct BlockingRecord: Sendable {
  var row: Int
  /// The source's number among all sources.
  var source: Int
  /// Degrees; NaN if unknown.
  var latitude: Double
  var longitude: Double
  /// The maximum distance of a partner in metres, and the reciprocal of the usual distance.
  var reach: Double
  var perScale: Double
  /// Metres in a degree of longitude at this latitude.
  var metresPerLongitude: Double
  /// Pairs of letters of all names, and how many they are.
  var letters: UInt64
  var letterCount: Int
  var name: UInt64
  var phone: UInt64
  var house: Int
  var postcode: UInt64
  var isLatin = true

  static let metresPerLatitude = 111_195.0

  init(_ row: Int, source: Int, in rows: NormalizedRecords) {
    let record = rows.records[row]
    self.row = row
    self.source = source
    latitude = record.location?.latitude ?? .nan
    longitude = record.location?.longitude ?? .nan
    reach = DistanceScale.reach(of: record)
    perScale = 1 / DistanceScale.usual(record)
    metresPerLongitude = BlockingRecord.metresPerLatitude * max(0.01, cosine(ofDegrees: record.location?.latitude ?? 0))
    letters = 0
    for name in record.names {
      letters |= rows.names[name].pairs
      if rows.names[name].text.script != .latin { isLatin = false }
    }
    letterCount = max(1, letters.nonzeroBitCount)
    name = record.names.isEmpty ? 0 : rows.names[record.names.lowerBound].joinedKey
    phone = record.phone ?? 0
    house = record.house.first
    postcode = record.postcode
  }

  var isLocated: Bool { !latitude.isNaN }

  /// A cheap estimate of how likely a pair is the same place; nil for a pair that is not compared.
  func blockingScore(_ other: BlockingRecord) -> Double? {
    var blockingScore = 0.0
    if isLocated, other.isLocated {
      guard let doublings = doublings(to: other) else { return nil }
      blockingScore -= 0.12 * doublings
    }
    let samePhone = phone != 0 && phone == other.phone
    var share = Double((letters & other.letters).nonzeroBitCount) / Double(min(letterCount, other.letterCount))
    if !isLatin || !other.isLatin { share = max(share, 0.5) }
    guard share >= (isLocated && other.isLocated ? 0.25 : 0.6) || samePhone else { return nil }
    blockingScore += share
    if name == other.name { blockingScore += 0.5 }
    if samePhone { blockingScore += 1 }
    if house != 0, other.house != 0 { blockingScore += house == other.house ? 0.4 : -0.4 }
    if postcode != 0, other.postcode != 0 { blockingScore += postcode == other.postcode ? 0.2 : -0.2 }
    return blockingScore
  }

  /// The approximate binary logarithm of the distance in usual distances; nil beyond both rows' reach.
  private func doublings(to other: BlockingRecord) -> Double? {
    let reach = max(self.reach, other.reach)
    let north = (latitude - other.latitude) * BlockingRecord.metresPerLatitude
    guard abs(north) <= reach else { return nil }
    let degrees = abs(longitude - other.longitude)
    let east = min(degrees, 360 - degrees) * min(metresPerLongitude, other.metresPerLongitude)
    let square = north * north + east * east
    guard square <= reach * reach else { return nil }
    let scale = min(perScale, other.perScale)
    let ratio = 1 + square * scale * scale
    // The bits of a double, read as an integer, approximate its binary logarithm: they are linear between powers of two.
    return (Double(ratio.bitPattern) * 0x1p-52 - 1_023) / 2
  }
}
