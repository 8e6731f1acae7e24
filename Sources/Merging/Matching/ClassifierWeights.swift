// Made by Training/train.py; the figures are those of five folds, each judged by weights fitted to the other four.

/// The weights of the features in log odds, by the kind of pair.
enum ClassifierWeights {
  // city0       11208 pairs,  1017 the same: F1 0.9340 (precision 0.916, recall 0.953); same: precision 0.965, recall 0.860
  // city1       11170 pairs,  1048 the same: F1 0.9248 (precision 0.917, recall 0.933); same: precision 0.965, recall 0.845
  // city2       11147 pairs,  1030 the same: F1 0.9168 (precision 0.908, recall 0.925); same: precision 0.953, recall 0.808
  // city3       11101 pairs,  1017 the same: F1 0.9217 (precision 0.906, recall 0.938); same: precision 0.960, recall 0.816
  // city4       11336 pairs,  1040 the same: F1 0.9104 (precision 0.903, recall 0.918); same: precision 0.949, recall 0.810
  // locu         9040 pairs,   360 the same: F1 0.9744 (precision 1.000, recall 0.950); same: precision 1.000, recall 0.933
  // locu-       36160 pairs,  1440 the same: F1 0.9580 (precision 1.000, recall 0.919); same: precision 1.000, recall 0.876
  // overture-    2545 pairs,  1536 the same: F1 0.9200 (precision 0.919, recall 0.921); same: precision 0.971, recall 0.797
  static let points = table([
    .prior: -3.7483,
    .sameName: 2.4654,
    .sameCore: 0.6893,
    .sameHead: 0.9982,
    .middleOverlap: -1.6229,
    .highOverlap: 1.1110,
    .containment: 4.0614,
    .highEdits: 1.4168,
    .sharedWeight: 0.7106,
    .lesserRest: -1.0275,
    .numberConflict: -3.7333,
    .numberInOne: -0.2953,
    .modifierConflict: -3.2000,
    .partInOne: -2.5338,
    .insertedWords: -1.0000,
    .facilityConflict: -1.1410,
    .facilityInOne: -0.3902,
    .insideOther: -2.6395,
    .tailOfOther: -2.7449,
    .otherScript: 0.6963,
    .otherScriptSkeleton: 0.5263,
    .characters: 0.0961,
    .located: 0.5197,
    .secondDoubling: -1.2008,
    .thirdDoubling: -0.7282,
    .fourthDoubling: -2.2769,
    .sameNameDistance: -0.6908,
    .otherScriptDistance: -0.2010,
    .sameHouse: 0.7761,
    .houseConflict: -0.7453,
    .nearHouse: 0.3683,
    .sameStreet: 0.3375,
    .streetConflict: -1.2968,
    .unitConflict: -0.2045,
    .samePostcode: 0.1243,
    .postcodeConflict: -0.1511,
    .localityConflict: -0.5711,
    .regionConflict: -1.4959,
    .countryConflict: -2.0000,
    .samePhone: 1.0508,
    .phoneConflict: -0.4745,
    .sameDomain: 0.0012,
    .pageConflict: -1.3234,
    .domainConflict: -0.7310,
    .sameCategory: 0.3724,
    .sameGroup: 0.2579,
    .groupConflict: -0.7805,
    .partCategoryInOne: -0.7048,
    .extentConflict: -0.7000,
    .unlikeNameSameAddress: -1.0438,
    .likeNameSamePhone: 0.0982,
    .unlikeNameSamePhone: 0.9856,
    .sameNameHouseConflict: -1.4115,
    .sameNamePhoneConflict: 0.4695,
    .sameHouseNoPoint: 1.3813,
    .houseConflictNoPoint: -0.2342,
    .streetConflictNoPoint: 0.0055,
    .likeNameSameAddressNoPoint: -0.0157,
    .additionSameAddress: -0.7808,
    .sameGroupSameAddress: -1.2794,
    .samePhonePageConflict: -1.2573,
    .behindRival: -2.7538,
    .aheadOfRivals: 1.3509,
  ])

  // towns       45940 pairs,  8909 the same: F1 0.9323 (precision 0.946, recall 0.919); same: precision 0.971, recall 0.881
  // towns-       2973 pairs,   562 the same: F1 0.8478 (precision 0.804, recall 0.897); same: precision 0.819, recall 0.863
  static let areas = table([
    .prior: -4.5248,
    .sameName: 0.7255,
    .sameCore: 1.4649,
    .middleOverlap: -0.2376,
    .highOverlap: 0.3769,
    .containment: 1.9696,
    .edits: 2.2038,
    .highEdits: 0.8611,
    .skeleton: 1.9340,
    .highSkeleton: 3.9977,
    .lesserRest: -0.8686,
    .numberConflict: -2.5000,
    .numberInOne: -0.0027,
    .modifierConflict: -3.2000,
    .modifierInOne: -0.9126,
    .insertedWords: -1.0000,
    .facilityConflict: -0.1947,
    .insideOther: -6.0000,
    .tailOfOther: -6.0000,
    .located: 4.5220,
    .firstDoubling: -4.0589,
    .secondDoubling: -0.9868,
    .thirdDoubling: -0.2948,
    .fourthDoubling: -0.6166,
    .beyondFourDoublings: -2.5006,
    .sameNameDistance: -0.0072,
    .regionConflict: -1.2336,
    .countryConflict: -2.0000,
    .extentConflict: -0.7000,
  ])

  // foreign     12072 pairs,  5827 the same: F1 0.9720 (precision 0.989, recall 0.956); same: precision 0.996, recall 0.903
  // native      15634 pairs,  5791 the same: F1 0.9552 (precision 0.956, recall 0.954); same: precision 0.981, recall 0.921
  // towns       12482 pairs,  2666 the same: F1 0.9204 (precision 0.928, recall 0.913); same: precision 0.973, recall 0.842
  // towns-        820 pairs,   184 the same: F1 0.8139 (precision 0.749, recall 0.891); same: precision 0.790, recall 0.777
  static let areasAcrossScripts = table([
    .prior: -6.9604,
    .sameName: 0.6984,
    .sameCore: 0.8086,
    .acronym: 0.0033,
    .overlap: 0.0514,
    .middleOverlap: 0.5581,
    .highOverlap: 0.3849,
    .containment: -0.5430,
    .edits: 2.8008,
    .highEdits: 0.2114,
    .jaroWinkler: 1.4129,
    .skeleton: 2.8529,
    .highSkeleton: 7.7085,
    .sharedWeight: 0.7889,
    .greaterRest: -0.0835,
    .numberConflict: -2.5000,
    .modifierConflict: -3.2000,
    .modifierInOne: -0.5630,
    .insertedWords: -1.0000,
    .insideOther: -6.0000,
    .tailOfOther: -6.0000,
    .otherScriptSkeleton: 2.1513,
    .characters: 0.3320,
    .located: 4.8297,
    .firstDoubling: -0.0007,
    .secondDoubling: -0.3853,
    .thirdDoubling: -1.6742,
    .fourthDoubling: -0.4011,
    .beyondFourDoublings: -0.0675,
    .sameNameDistance: -0.8328,
    .otherScriptDistance: -0.9126,
    .regionConflict: -1.0389,
    .countryConflict: -2.0000,
    .sameCategory: 0.1490,
    .extentConflict: -0.7000,
  ])

  private static func table(_ weights: [Feature: Double]) -> [FeatureWeight] {
    weights.sorted { $0.key.rawValue < $1.key.rawValue }.map { FeatureWeight(feature: $0.key, value: $0.value) }
  }
}
