/// What the model looks at when it compares two rows. Each is 0 where it does not apply or nothing is known, so that what is
/// missing speaks neither for nor against.
enum Feature: Int, Sendable, CaseIterable {
  /// Always 1: how likely two candidates are the same before anything is compared.
  case prior

  // Names.
  case sameName, sameCore, sameHead, acronym
  case overlap, highOverlap, containment, edits, highEdits, jaroWinkler, skeleton, highSkeleton
  case sharedWeight, lesserRest, greaterRest
  case numberConflict, numberInOne, modifierConflict, modifierInOne, partInOne, insertedWords
  case otherScript, otherScriptSkeleton, characters

  // Distance, in doublings of what is usual for the extent.
  case located, distance, farther, farthest, sameNameDistance, otherScriptDistance

  // Addresses.
  case sameHouse, houseConflict, nearHouse, sameStreet, streetConflict, unitConflict
  case samePostcode, postcodeConflict, sameLocality, localityConflict, regionConflict, countryConflict
  case sharedContext, contextConflict

  // Phone and web.
  case samePhone, phoneConflict, sameDomain, samePage, pageConflict, domainConflict

  // What it is.
  case sameCategory, sameGroup, groupConflict, extentConflict

  // Together.
  case likeNameSameAddress, unlikeNameSameAddress, likeNameSamePhone, unlikeNameSamePhone, sameNameHouseConflict, sameNamePhoneConflict
  case additionSameAddress, sameGroupSameAddress, samePhonePageConflict

  /// The name in explanations and in the weights' table.
  var name: String { "\(self)" }
}

/// The features of one pair.
struct FeatureVector: Sendable {
  private var values = InlineArray<64, Double>(repeating: 0)

  subscript(feature: Feature) -> Double {
    get { values[feature.rawValue] }
    set { values[feature.rawValue] = newValue }
  }

  /// The sum of the products with one weight a feature.
  func dot(_ weights: [Double]) -> Double {
    // Read through a span: a subscript of the array in place would copy all of it each time.
    let values = self.values.span
    var sum = 0.0
    for index in weights.indices { sum += values[index] * weights[index] }
    return sum
  }

  /// Sets a feature that is there or not.
  mutating func set(_ feature: Feature, _ condition: Bool) { if condition { self[feature] = 1 } }
}
