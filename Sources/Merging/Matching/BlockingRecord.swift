import PlacesKit

/// The fields of a row that blocking (`CandidatePairs`) compares. They are cheap to read, and enough to reject most pairs.
struct BlockingRecord: Sendable {
  /// The index of the row.
  var row: Int
  /// The source's number among all sources.
  var source: Int
  /// Degrees; NaN if unknown.
  var latitude: Double
  var longitude: Double
  /// Two rows are compared only if the distance between them, in metres, is at most the reach of one of them.
  var reach: Double
  /// 1 divided by the typical distance in metres between two services' points of this place.
  var inverseTypicalDistance: Double
  /// Metres in a degree of longitude at this latitude.
  var metresPerLongitude: Double
  /// A set of the pairs of neighbouring letters in all names: each pair sets the bit of its hash, 0…63.
  var letterPairs: UInt64
  /// The number of bits that are set in `letterPairs`, at least 1.
  var letterPairCount: Int
  /// The key of the main name.
  var name: UInt64
  /// 0 if it is unknown.
  var phone: UInt64
  /// The first house number; 0 if it is unknown.
  var house: Int
  /// 0 if it is unknown.
  var postcode: UInt64
  /// `letterPairs` and `letterPairCount` for the street line; the count may be 0.
  var addressPairs: UInt64
  var addressPairCount: Int
  /// A set of the words of the town's name: each word sets the bit of its hash, 0…63.
  var locality: UInt64
  /// 0 for a region that is unknown or only known by its code.
  var region: UInt64
  var country: UInt64
  var extent: Category.Extent?
  var level: Category.Level?
  /// True if all names are in Latin letters.
  var isLatin = true

  /// Metres in a degree of latitude.
  static let metresPerLatitude = 111_195.0

  /// - Parameter readsAddress: whether the address is read, which is needed if any row has no point.
  init(_ row: Int, source: Int, in records: NormalizedRecords, readsAddress: Bool = false) {
    let record = records[row]
    self.row = row
    self.source = source
    latitude = record.location?.latitude ?? .nan
    longitude = record.location?.longitude ?? .nan
    reach = DistanceScale.reach(of: record)
    inverseTypicalDistance = 1 / DistanceScale.typicalDistance(record)
    metresPerLongitude = BlockingRecord.metresPerLatitude * max(0.01, cosine(ofDegrees: record.location?.latitude ?? 0))
    letterPairs = 0
    for name in record.names {
      letterPairs |= records.names[name].letterPairs
      if records.names[name].text.script != .latin { isLatin = false }
    }
    letterPairCount = max(1, letterPairs.nonzeroBitCount)
    name = record.names.isEmpty ? 0 : records.names[record.names.lowerBound].joinedKey
    phone = record.phone ?? 0
    house = record.house.first
    postcode = record.postcode
    // The distance between two points is more reliable than an address, so the street, town and region are compared only for rows without a
    // point.
    (addressPairs, addressPairCount, locality) = (0, 0, 0)
    if readsAddress {
      addressPairs = records.words.letterPairs(of: records.words.joined(record.address.words))
      addressPairCount = addressPairs.nonzeroBitCount
      for word in record.locality.words where records.words[word].kind != .filler {
        locality |= WordBuffer.bit(of: records.words[word].key)
      }
    }
    region = record.region.count > 3 ? records.words.key(of: record.region) : 0
    extent = record.category.extent
    level = record.category.level
    country = record.country
  }

  var isLocated: Bool { !latitude.isNaN }

  /// A cheap estimate of how likely two rows mean the same place; nil if they need not be compared further. The constants are rough,
  /// because the score only selects the pairs on which `PairClassifier` decides.
  func blockingScore(_ other: BlockingRecord) -> Double? {
    var blockingScore = 0.0
    if isLocated, other.isLocated {
      guard let doublings = doublings(to: other) else { return nil }
      blockingScore -= 0.12 * doublings
    }
    let samePhone = phone != 0 && phone == other.phone
    var sharedLetters = Double((letterPairs & other.letterPairs).nonzeroBitCount) / Double(min(letterPairCount, other.letterPairCount))
    if !isLatin || !other.isLatin { sharedLetters = max(sharedLetters, 0.5) }
    guard sharedLetters >= (isLocated && other.isLocated ? 0.25 : 0.6) || samePhone else { return nil }
    blockingScore += sharedLetters
    if name == other.name { blockingScore += 0.5 }
    // Without this, a city with several names might be compared only with the region that has its main name.
    if let here = level, let there = other.level, here != there { blockingScore -= 0.5 }
    if samePhone { blockingScore += 1 }
    if house != 0, other.house != 0 { blockingScore += house == other.house ? 0.4 : -0.4 }
    if postcode != 0, other.postcode != 0 { blockingScore += postcode == other.postcode ? 0.2 : -0.2 }
    if !isLocated || !other.isLocated { blockingScore += addressAgreement(with: other) }
    return blockingScore
  }

  /// The agreement of the addresses apart from house number and postcode, -2…1. It decides between namesakes if one of them has no point.
  private func addressAgreement(with other: BlockingRecord) -> Double {
    var agreement = 0.0
    if addressPairCount > 0, other.addressPairCount > 0 {
      agreement +=
        0.6 * Double((addressPairs & other.addressPairs).nonzeroBitCount) / Double(min(addressPairCount, other.addressPairCount)) - 0.3
    }
    if locality != 0, other.locality != 0 { agreement += locality & other.locality != 0 ? 0.2 : -0.4 }
    if region != 0, other.region != 0 { agreement += region == other.region ? 0.2 : -0.2 }
    if let here = extent, let there = other.extent { agreement += 0.2 - 0.2 * Double(abs(Int(here.rawValue) - Int(there.rawValue))) }
    if country != 0, other.country != 0 { agreement += country == other.country ? 0.1 : -0.5 }
    return agreement
  }

  /// Approximately half the binary logarithm of 1 + (distance ÷ typical distance)²: 0 for the same point and, for great distances, 1 more
  /// for each doubling. Nil if the distance is greater than the reach of both rows.
  private func doublings(to other: BlockingRecord) -> Double? {
    let reach = max(self.reach, other.reach)
    let north = (latitude - other.latitude) * BlockingRecord.metresPerLatitude
    guard abs(north) <= reach else { return nil }
    let degrees = abs(longitude - other.longitude)
    let east = min(degrees, 360 - degrees) * min(metresPerLongitude, other.metresPerLongitude)
    let square = north * north + east * east
    guard square <= reach * reach else { return nil }
    let inverse = min(inverseTypicalDistance, other.inverseTypicalDistance)
    let ratio = 1 + square * inverse * inverse
    // The bits of a double, read as an integer, approximate its binary logarithm: they are linear between powers of two.
    return (Double(ratio.bitPattern) * 0x1p-52 - 1_023) / 2
  }
}
