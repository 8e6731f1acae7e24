import Glibc
import Text

/// The comparison of two rows: the features of the pair.
struct PairComparison: Sendable {
  /// The table of weights for the pair.
  enum Model: String, Sendable, CaseIterable {
    /// Businesses, sights and addresses.
    case points
    /// Towns, regions and countries.
    case areas
    /// Towns, regions and countries whose compared names are in different scripts.
    case areasAcrossScripts
  }

  private(set) var model: Model
  private(set) var features = FeatureVector()
  /// The overall similarity of the names, 0…1.
  private(set) var nameSimilarity = 0.0

  /// - Parameter names: the names to compare; by default those of the rows that have the most in common.
  init(_ first: Int, _ second: Int, in records: NormalizedRecords, lead: Double = 0, names: (Int, Int)? = nil) {
    let a = records[first]
    let b = records[second]
    model = PairComparison.model(a, b)
    features[.prior] = 1
    compareNames(a, b, records, names)
    compareAddresses(a, b, records)
    comparePhones(a, b)
    compareDistance(a, b)
    compareWebsites(a, b)
    compareCategories(a, b)
    combine(areAddresses: a.category.extent == .address && b.category.extent == .address)
    // Rivals are weak evidence for towns, which are far apart.
    if model == .points { compareRivals(lead) }
  }

  /// Sets the features of the lead. Two of them also grow with the distance, by up to three doublings. If the rows are far apart, a pair
  /// that is ahead owes its lead to the names and fields, and a pair that is behind probably has a nearer rival.
  private mutating func compareRivals(_ lead: Double) {
    let doublings = features[.firstDoubling] + features[.secondDoubling] + features[.thirdDoubling]
    guard lead > 0 else {
      features[.behindRival] = -lead
      features[.behindAtDistance] = -lead * doublings
      return
    }
    features[.aheadOfRivals] = lead
    features[.aheadWithSameName] = lead * features[.sameName]
    features[.aheadAtDistance] = lead * doublings
  }

  private static func model(_ a: NormalizedRecord, _ b: NormalizedRecord) -> Model {
    if a.isArea && b.isArea { return .areas }
    if a.isArea || b.isArea { return a.looksLikeBusiness || b.looksLikeBusiness ? .points : .areas }
    return a.looksLikeBusiness || b.looksLikeBusiness ? .points : .areas
  }

  private mutating func compareNames(
    _ a: NormalizedRecord, _ b: NormalizedRecord, _ records: NormalizedRecords, _ givenNames: (Int, Int)?
  ) {
    let conflict = givenNames == nil ? records.qualifierConflict(a, b) : .none
    features.set(.qualifierConflict, conflict == .certain)
    let (nameA, nameB) = givenNames ?? records.closestNames(a, b, wholeOnly: conflict != .none)
    let houseNumber = a.house.isEmpty || b.house.isEmpty || a.house.first == b.house.first ? max(a.house.first, b.house.first) : 0
    let names = NameComparison(
      records.names[nameA], records.names[nameB], towns: [a.locality.words, b.locality.words], houseNumber: houseNumber, in: records.words)
    features.set(.sameName, names.same)
    features.set(.sameCore, names.sameCore && !names.same)
    features.set(.sameHead, names.sameHead && !names.same)
    features[.headOverlap] = names.headOverlap
    // The classifier is linear in its features. A feature such as `max(0, x - 0.4)` lets the weight of x change at 0.4.
    features[.middleOverlap] = max(0, names.overlap - 0.4)
    features[.highOverlap] = max(0, names.overlap - 0.7)
    features[.containment] = names.containment
    features[.highContainment] = max(0, names.containment - 0.6)
    // Towns are distinguished well enough without these features.
    if model == .points {
      features[.middleContainment] = max(0, names.containment - 0.3)
      features[.fullContainment] = max(0, names.containment - 0.8) * 5
      features[.sharedNames] = log(1 + Double(names.sharedNames))
      features.set(.firstWordInOne, names.firstWordInOne)
      compareRests(names.restGroups.first, with: b.category.groups)
      compareRests(names.restGroups.second, with: a.category.groups)
    }
    features[.edits] = names.edits
    features[.lettersAndWords] = names.edits * names.containment
    features[.highEdits] = max(0, names.edits - 0.7)
    features[.jaroWinkler] = names.jaroWinkler
    features[.skeleton] = names.skeleton
    features[.highSkeleton] = max(0, names.skeleton - 0.7)
    features[.sharedWeight] = log(1 + names.sharedWeight)
    features[.lesserRest] = min(2, names.lesserRest)
    features[.greaterRest] = min(3, names.greaterRest)
    features.set(.numberConflict, names.numberConflict)
    features.set(.numberInOne, names.numberInOne)
    features.set(.modifierConflict, names.modifierConflict || conflict == .likely)
    features.set(.modifierInOne, names.modifierInOne)
    // The name of a place whose category is a part need not contain the word for the part: an ATM is rarely named ATM.
    features.set(.partInOne, names.partInOne && (a.category.parts == 0 || a.category.parts != b.category.parts))
    // The name of a part is often the name of the whole and a word for the part.
    features[.partContainment] = features[.partInOne] * names.containment
    features.set(.partConflict, names.partConflict)
    features[.insertedWords] = min(2, names.insertedWeight)
    features[.facilityConflict] = names.facilityConflict
    features.set(.facilityInOne, names.facilityInOne)
    features[.facilityRest] = features[.facilityInOne] * features[.greaterRest]
    features.set(.insideOther, names.insideOther)
    features.set(.tailOfOther, names.tailOfOther)
    features.set(.endOfOther, names.endOfOther)
    features.set(.otherScript, names.otherScript && !names.same)
    if names.otherScript, !names.same { features[.otherScriptSkeleton] = names.skeleton }
    features.set(.characters, names.characters && !names.same)
    if model == .areas, names.otherScript { model = .areasAcrossScripts }
    nameSimilarity = names.same || names.sameHead ? 1 : max(names.overlap, names.edits * names.edits)
  }

  /// Compares the kinds of places that the words of only one name mean with the category of the other row: Pizza in Joe's Pizza, if the
  /// other row is named Joe's.
  private mutating func compareRests(_ kinds: UInt32, with groups: UInt32) {
    guard kinds != 0, groups != 0 else { return }
    features[kinds & groups != 0 ? .restFitsCategory : .restUnlikeCategory] = 1
  }

  private mutating func compareDistance(_ a: NormalizedRecord, _ b: NormalizedRecord) {
    guard let here = a.location, let there = b.location else { return }
    // Names in two scripts are weaker evidence, so smaller distances must be distinguished.
    let scale = DistanceScale.typicalDistance(a, b, model) / (model == .areasAcrossScripts ? 4 : 1)
    var doublings = log2(1 + here.distance(to: there) / scale)
    // With the same telephone and the same name or house number, one of the two locations is wrong.
    if features[.samePhone] == 1, features[.sameHouse] == 1 || nameSimilarity > 0.8 { doublings = min(doublings, 2) }
    features[.located] = 1
    features.set(.villageConflict, areVillages(a, b) && here.distance(to: there) > PairComparison.maxVillageDistance)
    for (index, feature) in PairComparison.doublingFeatures.enumerated() { features[feature] = min(1, max(0, doublings - Double(index))) }
    features[.beyondFourDoublings] = max(0, doublings - 4)
    if features[.sameName] > 0 { features[.sameNameDistance] = doublings }
    if features[.otherScript] > 0 { features[.otherScriptDistance] = doublings }
  }

  /// Two villages of one name that are farther apart than this, in metres, are two places.
  private static let maxVillageDistance = 10_000.0

  /// The importance in the gazetteer of a town of about 35,000 people, which may be known under one name for some kilometres around.
  private static let townImportance = 0.6

  /// Whether one row is a village, and the other one is or may be a village.
  private func areVillages(_ a: NormalizedRecord, _ b: NormalizedRecord) -> Bool {
    let (first, second) = (isVillage(a), isVillage(b))
    return first != false && second != false && (first == true || second == true)
  }

  /// Whether a row is a village; nil if that is not known. Most services state only that a row is a settlement (`locality`). The
  /// gazetteer's importance then shows the size.
  private func isVillage(_ record: NormalizedRecord) -> Bool? {
    switch record.category.extent {
    case .village: true
    case .city: record.importance.map { $0 < PairComparison.townImportance }
    case nil: nil
    default: false
    }
  }

  private static let doublingFeatures: [Feature] = [.firstDoubling, .secondDoubling, .thirdDoubling, .fourthDoubling]

  private mutating func compareAddresses(_ a: NormalizedRecord, _ b: NormalizedRecord, _ records: NormalizedRecords) {
    let words = records.words
    if !a.house.isEmpty, !b.house.isEmpty {
      let same = a.house.isSame(b.house)
      features.set(.sameHouse, same)
      features.set(.nearHouse, !same && a.house.difference(to: b.house) <= 10)
      features.set(.houseConflict, !same)
    }
    if let street = words.streetSimilarity(a.address, b.address) {
      features.set(.sameStreet, street >= 0.6)
      features.set(.streetConflict, street < 0.25)
    }
    features.set(.unitConflict, a.house.unit != 0 && b.house.unit != 0 && a.house.unit != b.house.unit)
    if a.postcode != 0, b.postcode != 0 {
      features.set(.samePostcode, a.postcode == b.postcode)
      features.set(.postcodeConflict, a.postcode != b.postcode)
    }
    if let locality = words.containment(a.locality, b.locality) {
      // Names of a town in two scripts share no words, and those in two languages need not.
      let same = locality >= 0.8 || locality < 0.4 && records.areOneTown(a.locality, b.locality)
      features.set(.sameLocality, same)
      features.set(.localityConflict, !same && locality < 0.4 && a.locality.script == b.locality.script)
    }
    features.set(.regionConflict, words.areDifferentAreas(a.region, b.region) && features[.sameLocality] == 0)
    features.set(.countryConflict, a.country != 0 && b.country != 0 && a.country != b.country)
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
    if a.category.groups != 0, b.category.groups != 0 {
      features.set(.partCategoryInOne, (a.category.parts == 0) != (b.category.parts == 0))
    }
    if let here = a.category.extent, let there = b.category.extent, here != there {
      features[.extentConflict] = Double(abs(Int(here.rawValue) - Int(there.rawValue)))
    }
  }

  /// Sets the features that depend on several others.
  private mutating func combine(areAddresses: Bool) {
    // 0 for names with a similarity up to 0.4, 1 for equal names.
    let likeness = max(0, nameSimilarity - 0.4) / 0.6
    let sameAddress = min(features[.sameHouse], max(features[.sameStreet], 0.5 * features[.samePostcode])) * (1 - features[.streetConflict])
    features[.likeNameSameAddress] = likeness * sameAddress
    features[.unlikeNameSameAddress] = (1 - likeness) * sameAddress
    if features[.located] == 0 {
      features[.sameHouseNoPoint] = features[.sameHouse]
      features[.houseConflictNoPoint] = features[.houseConflict]
      features[.streetConflictNoPoint] = features[.streetConflict]
      features[.likeNameSameAddressNoPoint] = features[.likeNameSameAddress]
      // The town counts twice for addresses, because every village may have a Hauptstraße 5.
      features[.localityConflictNoPoint] = features[.localityConflict] * (areAddresses ? 2 : 1)
      features[.regionConflictNoPoint] = features[.regionConflict]
      features[.countryConflictNoPoint] = features[.countryConflict]
    }
    features[.likeNameSamePhone] = likeness * features[.samePhone]
    features[.unlikeNameSamePhone] = (1 - likeness) * features[.samePhone]
    features[.sameNameHouseConflict] = features[.sameName] * features[.houseConflict]
    features[.sameNamePhoneConflict] = features[.sameName] * features[.phoneConflict]
    // A department has the address of the whole, and the name of the whole with an additional word.
    features[.additionSameAddress] = features[.greaterRest] * features[.likeNameSameAddress]
    features[.sameGroupSameAddress] = features[.sameGroup] * features[.likeNameSameAddress]
    features[.samePhonePageConflict] = features[.samePhone] * features[.pageConflict]
  }
}
