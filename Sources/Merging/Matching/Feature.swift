/// The features of the pair classifier. A feature that does not apply, or whose fields are missing, is 0 and has no effect.
enum Feature: Int, Sendable, CaseIterable {
  /// Always 1; its weight is the intercept.
  case prior

  // Names; see the members of `NameComparison`.
  case sameName, sameCore, sameHead, headOverlap
  case middleOverlap, highOverlap, containment, middleContainment, highContainment, fullContainment
  case edits, highEdits, lettersAndWords, jaroWinkler, skeleton, highSkeleton
  case sharedWeight, sharedNames, lesserRest, greaterRest
  case numberConflict, numberInOne, modifierConflict, modifierInOne, partInOne, partContainment, partConflict, insertedWords
  case facilityConflict, facilityInOne, facilityRest, insideOther, tailOfOther, endOfOther, firstWordInOne
  case otherScript, otherScriptSkeleton, characters

  // Distance, in doublings of the typical distance (`DistanceScale`).
  case located, firstDoubling, secondDoubling, thirdDoubling, fourthDoubling, beyondFourDoublings
  case sameNameDistance, otherScriptDistance, villageConflict

  // One name with different qualifiers, as Neustadt (Dosse) and Neustadt (Hessen).
  case qualifierConflict

  // Addresses.
  case sameHouse, houseConflict, nearHouse, sameStreet, streetConflict, unitConflict
  case samePostcode, postcodeConflict, sameLocality, localityConflict, regionConflict, countryConflict

  // Phone and web.
  case samePhone, phoneConflict, sameDomain, pageConflict, domainConflict

  // Categories.
  case sameCategory, sameGroup, groupConflict, partCategoryInOne, extentConflict
  // A word that only one name has, and the other row's category: Joe's Pizza and Joe's, a restaurant or a bank.
  case restFitsCategory, restUnlikeCategory

  // Interactions.
  case likeNameSameAddress, unlikeNameSameAddress, likeNameSamePhone, unlikeNameSamePhone, sameNameHouseConflict, sameNamePhoneConflict
  // Addresses of rows without a point.
  case sameHouseNoPoint, houseConflictNoPoint, streetConflictNoPoint, likeNameSameAddressNoPoint
  case localityConflictNoPoint, regionConflictNoPoint, countryConflictNoPoint
  case additionSameAddress, sameGroupSameAddress, samePhonePageConflict

  // The lead over rivals, the other rows of an answer.
  case behindRival, behindAtDistance, aheadOfRivals, aheadAtDistance, aheadWithSameName

  /// The name in explanations and in the weights' table.
  var name: String { "\(self)" }
}

/// The features of one pair.
struct FeatureVector: Sendable {
  /// One for each case of `Feature`.
  private var values = InlineArray<94, Double>(repeating: 0)

  subscript(feature: Feature) -> Double {
    get { values[feature.rawValue] }
    set { values[feature.rawValue] = newValue }
  }

  /// The sum of the features multiplied by their weights.
  func dot(_ weights: [FeatureWeight]) -> Double {
    // The values are read through a span, because a subscript of the array would copy all of it each time.
    let values = self.values.span
    var sum = 0.0
    for weight in weights { sum += values[weight.feature.rawValue] * weight.value }
    return sum
  }

  /// Sets a binary feature.
  mutating func set(_ feature: Feature, _ condition: Bool) { if condition { self[feature] = 1 } }
}

/// The weight of a feature, in log odds.
struct FeatureWeight: Sendable {
  var feature: Feature
  var value: Double
}
