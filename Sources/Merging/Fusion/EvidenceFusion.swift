import PlacesKit

extension Evidence {
  /// The first part's evidence, completed by the others': all names and ids, and each missing field from the first that has it. The parts of
  /// an address stay together: they come from one row, the first with a house number, else the first with a street or town.
  static func fuse(_ all: [Evidence]) -> Evidence {
    guard var fused = all.first, all.count > 1 else { return all.first ?? Evidence() }
    fused.otherNames = union(all.map(\.otherNames))
    fused.equivalents = union(all.map(\.equivalents))
    for other in all.dropFirst() {
      fused.phone = fused.phone ?? other.phone
      fused.website = fused.website ?? other.website
    }
    let address =
      all.first { $0.houseNumber != nil } ?? all.first { $0.street != nil || $0.address != nil } ?? all.first { $0.locality != nil }
    if let address {
      (fused.address, fused.houseNumber, fused.street) = (address.address, address.houseNumber, address.street)
      (fused.postcode, fused.locality) = (address.postcode, address.locality)
    }
    for other in all {
      fused.postcode = fused.postcode ?? other.postcode
      fused.locality = fused.locality ?? other.locality
      fused.region = fused.region ?? other.region
      fused.country = fused.country ?? other.country
    }
    return fused
  }

  private static func union(_ lists: [[String]]) -> [String] {
    var seen: Set<String> = []
    return lists.joined().filter { seen.insert($0).inserted }
  }
}

/// The union of the lists, in order of first occurrence.
func union(_ lists: [[PlaceType]]) -> [PlaceType] {
  guard lists.count > 1 else { return lists.first ?? [] }
  // A linear search: lists of types have a few elements and never more than a hundred.
  return lists.joined().reduce(into: []) { union, type in if !union.contains(type) { union.append(type) } }
}
