import Glibc
import Text

/// Two rows compared.
struct PairComparison: Sendable {
  /// Which table of weights judges the pair.
  enum Model: String, Sendable, CaseIterable {
    /// Businesses, sights, addresses: what has a street or a telephone.
    case points
    /// Towns, regions, countries: what has neighbours.
    case areas
    /// The same, with names in different scripts.
    case areasAcrossScripts
  }

  private(set) var model: Model
  private(set) var features = FeatureVector()
  /// How alike the names are all in all, 0…1.
  private(set) var nameSimilarity = 0.0

  init(_ first: Int, _ second: Int, in rows: NormalizedRecords) {
    let a = rows.records[first]
    let b = rows.records[second]
    model = PairComparison.model(a, b)
    features[.prior] = 1
    compareNames(a, b, rows)
    compareAddresses(a, b, rows.words)
    comparePhones(a, b)
    compareDistance(a, b)
    compareWebsites(a, b)
    compareCategories(a, b)
    combine()
  }

  private static func model(_ a: NormalizedRecord, _ b: NormalizedRecord) -> Model {
    if a.isArea && b.isArea { return .areas }
    if a.isArea || b.isArea { return a.looksLikeBusiness || b.looksLikeBusiness ? .points : .areas }
    return a.looksLikeBusiness || b.looksLikeBusiness ? .points : .areas
  }

  private mutating func compareNames(_ a: NormalizedRecord, _ b: NormalizedRecord, _ rows: NormalizedRecords) {
    let tailsDiffer = rows.tailsDiffer(a, b)
    let (nameA, nameB) = rows.closestNames(a, b, wholeOnly: tailsDiffer)
    let house = a.houseDigits == 0 || b.houseDigits == 0 || a.houseDigits == b.houseDigits ? max(a.houseDigits, b.houseDigits) : 0
    let names = NameComparison(
      rows.names[nameA], rows.names[nameB], places: [a.locality.words, b.locality.words], house: house, in: rows.words)
    features.set(.sameName, names.same)
    features.set(.sameCore, names.sameCore && !names.same)
    features.set(.sameHead, names.sameHead && !names.same)
    features.set(.acronym, names.acronym)
    features[.overlap] = names.overlap
    features[.highOverlap] = max(0, names.overlap - 0.7)
    features[.containment] = names.containment
    features[.edits] = names.edits
    features[.highEdits] = max(0, names.edits - 0.7)
    features[.jaroWinkler] = names.jaroWinkler
    features[.skeleton] = names.skeleton
    features[.highSkeleton] = max(0, names.skeleton - 0.7)
    features[.sharedWeight] = log(1 + names.shared)
    features[.lesserRest] = min(2, names.lesserRest)
    features[.greaterRest] = min(3, names.greaterRest)
    features.set(.numberConflict, names.numberConflict)
    features.set(.numberInOne, names.numberInOne)
    features.set(.modifierConflict, names.modifierConflict || tailsDiffer)
    features.set(.modifierInOne, names.modifierInOne)
    features.set(.partInOne, names.partInOne)
    features[.insertedWords] = min(2, names.inserted)
    features.set(.otherScript, names.otherScript && !names.same)
    if names.otherScript, !names.same { features[.otherScriptSkeleton] = names.skeleton }
    features.set(.characters, names.characters && !names.same)
    if model == .areas, names.otherScript { model = .areasAcrossScripts }
    nameSimilarity = names.same || names.sameHead ? 1 : max(names.overlap, names.edits * names.edits)
  }

  private mutating func compareDistance(_ a: NormalizedRecord, _ b: NormalizedRecord) {
    guard let here = a.location, let there = b.location else { return }
    // Where names can tell less, smaller differences of place must tell more.
    let scale = DistanceScale.usual(a, b, model) / (model == .areasAcrossScripts ? 4 : 1)
    var doublings = log2(1 + here.distance(to: there) / scale)
    // Who answers the same telephone under the same name or number of a house was put in a wrong place by one of the two.
    if features[.samePhone] == 1, features[.sameHouse] == 1 || nameSimilarity > 0.8 { doublings = min(doublings, 2) }
    features[.located] = 1
    features[.distance] = doublings
    features[.farther] = max(0, doublings - 2)
    features[.farthest] = max(0, doublings - 4)
    if features[.sameName] > 0 { features[.sameNameDistance] = doublings }
    if features[.otherScript] > 0 { features[.otherScriptDistance] = doublings }
  }

  private mutating func compareAddresses(_ a: NormalizedRecord, _ b: NormalizedRecord, _ words: WordBuffer) {
    if a.houseNumber != 0, b.houseNumber != 0 {
      let same = a.houseNumber == b.houseNumber || (a.houseDigits != 0 && a.houseDigits == b.houseDigits)
      features.set(.sameHouse, same)
      features.set(.nearHouse, !same && abs(a.houseDigits - b.houseDigits) <= 10)
      features.set(.houseConflict, !same)
    }
    if let street = words.streetSimilarity(a.address, b.address) {
      features.set(.sameStreet, street >= 0.6)
      features.set(.streetConflict, street < 0.25)
    }
    features.set(.unitConflict, a.unit != 0 && b.unit != 0 && a.unit != b.unit)
    if a.postcode != 0, b.postcode != 0 {
      features.set(.samePostcode, a.postcode == b.postcode)
      features.set(.postcodeConflict, a.postcode != b.postcode)
    }
    if let locality = words.containment(a.locality, b.locality) {
      features.set(.sameLocality, locality >= 0.8)
      features.set(.localityConflict, locality < 0.4)
    }
    features.set(.regionConflict, a.region != 0 && b.region != 0 && a.region != b.region && features[.sameLocality] == 0)
    features.set(.countryConflict, a.country != 0 && b.country != 0 && a.country != b.country)
    if let context = words.sharedContext(a, b) {
      features[.sharedContext] = context
      features.set(.contextConflict, context == 0)
    }
  }

  private mutating func comparePhones(_ a: NormalizedRecord, _ b: NormalizedRecord) {
    guard let here = a.phone, let there = b.phone else { return }
    if Phone.same(here, there) {
      features[.samePhone] = Phone.isShared(here) ? 0.5 : 1
    } else {
      features[.phoneConflict] = Phone.isShared(here) || Phone.isShared(there) ? 0.3 : 1
    }
  }

  private mutating func compareWebsites(_ a: NormalizedRecord, _ b: NormalizedRecord) {
    guard let here = a.website, let there = b.website else { return }
    if let page = here.page, page == there.page { features[.samePage] = 1 }
    guard !here.isShared, !there.isShared else { return }
    if here.domain == there.domain {
      features[.sameDomain] = 1
      features.set(.pageConflict, here.page != nil && there.page != nil && !here.isRelated(to: there))
    } else {
      features[.domainConflict] = 1
    }
  }

  private mutating func compareCategories(_ a: NormalizedRecord, _ b: NormalizedRecord) {
    if a.category.specific != 0, a.category.specific == b.category.specific {
      features[.sameCategory] = 1
    } else if a.category.groups != 0, b.category.groups != 0 {
      features.set(.sameGroup, a.category.groups & b.category.groups != 0)
      features.set(.groupConflict, a.category.groups & b.category.groups == 0)
    }
    if let here = a.category.extent, let there = b.category.extent, here != there {
      features[.extentConflict] = Double(abs(Int(here.rawValue) - Int(there.rawValue)))
    }
  }

  private mutating func combine() {
    let like = max(0, nameSimilarity - 0.4) / 0.6
    let sameAddress = min(features[.sameHouse], max(features[.sameStreet], 0.5 * features[.samePostcode])) * (1 - features[.streetConflict])
    features[.likeNameSameAddress] = like * sameAddress
    features[.unlikeNameSameAddress] = (1 - like) * sameAddress
    features[.likeNameSamePhone] = like * features[.samePhone]
    features[.unlikeNameSamePhone] = (1 - like) * features[.samePhone]
    features[.sameNameHouseConflict] = features[.sameName] * features[.houseConflict]
    features[.sameNamePhoneConflict] = features[.sameName] * features[.phoneConflict]
    // Departments of a house have its address, and its name with a word more.
    features[.additionSameAddress] = features[.greaterRest] * features[.likeNameSameAddress]
    features[.sameGroupSameAddress] = features[.sameGroup] * features[.likeNameSameAddress]
    features[.samePhonePageConflict] = features[.samePhone] * features[.pageConflict]
  }
}
