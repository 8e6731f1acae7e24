// Made by Training/train.py; the figures are those of five folds, each judged by weights fitted to the other four.

/// The weights of the features in log odds, by the kind of pair.
enum ClassifierWeights {
  // city0       11208 pairs,  1017 the same: F1 0.9340 (precision 0.915, recall 0.954); same: precision 0.964, recall 0.868
  // city1       11170 pairs,  1048 the same: F1 0.9221 (precision 0.913, recall 0.931); same: precision 0.967, recall 0.845
  // city2       11147 pairs,  1030 the same: F1 0.9146 (precision 0.909, recall 0.920); same: precision 0.954, recall 0.809
  // city3       11101 pairs,  1017 the same: F1 0.9228 (precision 0.906, recall 0.940); same: precision 0.959, recall 0.815
  // city4       11336 pairs,  1040 the same: F1 0.9106 (precision 0.900, recall 0.921); same: precision 0.948, recall 0.820
  // locu         9040 pairs,   360 the same: F1 0.9744 (precision 1.000, recall 0.950); same: precision 1.000, recall 0.933
  // locu-       36160 pairs,  1440 the same: F1 0.9577 (precision 1.000, recall 0.919); same: precision 1.000, recall 0.874
  // overture-    2545 pairs,  1536 the same: F1 0.9221 (precision 0.919, recall 0.925); same: precision 0.970, recall 0.793
  static let points = table([
    .prior: -3.2970,
    .sameName: 2.4153,
    .sameCore: 0.7481,
    .sameHead: 1.0421,
    .middleOverlap: -1.6262,
    .highOverlap: 0.9830,
    .containment: 3.8451,
    .highEdits: 1.6275,
    .sharedWeight: 0.4564,
    .lesserRest: -1.1402,
    .numberConflict: -3.7682,
    .numberInOne: -0.3745,
    .modifierConflict: -3.2000,
    .partInOne: -2.5645,
    .insertedWords: -1.0000,
    .facilityConflict: -1.4113,
    .facilityInOne: -0.4490,
    .insideOther: -2.6172,
    .tailOfOther: -2.7350,
    .otherScript: 0.6388,
    .otherScriptSkeleton: 0.5046,
    .characters: 0.0629,
    .located: 0.5018,
    .secondDoubling: -1.2103,
    .thirdDoubling: -0.7378,
    .fourthDoubling: -2.2836,
    .sameNameDistance: -0.6928,
    .otherScriptDistance: -0.1997,
    .sameHouse: 0.8013,
    .houseConflict: -0.7472,
    .nearHouse: 0.3865,
    .sameStreet: 0.3463,
    .streetConflict: -1.3127,
    .unitConflict: -0.1587,
    .samePostcode: 0.1121,
    .postcodeConflict: -0.1700,
    .localityConflict: -0.5872,
    .regionConflict: -1.4201,
    .countryConflict: -2.0000,
    .samePhone: 1.0264,
    .phoneConflict: -0.4556,
    .pageConflict: -1.3125,
    .domainConflict: -0.7444,
    .sameCategory: 0.3486,
    .sameGroup: 0.2507,
    .groupConflict: -0.7995,
    .partCategoryInOne: -0.7222,
    .extentConflict: -0.7000,
    .unlikeNameSameAddress: -0.9911,
    .likeNameSamePhone: 0.1272,
    .unlikeNameSamePhone: 1.0924,
    .sameNameHouseConflict: -1.4096,
    .sameNamePhoneConflict: 0.4246,
    .sameHouseNoPoint: 1.3326,
    .houseConflictNoPoint: -0.2142,
    .streetConflictNoPoint: 0.0244,
    .likeNameSameAddressNoPoint: 0.0234,
    .additionSameAddress: -0.7319,
    .sameGroupSameAddress: -1.2658,
    .samePhonePageConflict: -1.2763,
    .behindRival: -2.7774,
    .aheadOfRivals: 1.3599,
  ])

  // towns       45940 pairs,  8909 the same: F1 0.9323 (precision 0.946, recall 0.919); same: precision 0.971, recall 0.881
  // towns-       2973 pairs,   562 the same: F1 0.8480 (precision 0.807, recall 0.893); same: precision 0.819, recall 0.863
  static let areas = table([
    .prior: -4.4067,
    .sameName: 0.7921,
    .sameCore: 1.5706,
    .middleOverlap: -0.5990,
    .highOverlap: 0.2873,
    .containment: 1.8762,
    .edits: 2.2842,
    .highEdits: 0.9900,
    .skeleton: 1.9450,
    .highSkeleton: 4.0740,
    .lesserRest: -0.9804,
    .numberConflict: -2.5000,
    .numberInOne: -0.0037,
    .modifierConflict: -3.2000,
    .modifierInOne: -0.8913,
    .insertedWords: -1.0000,
    .facilityConflict: -0.1900,
    .insideOther: -6.0000,
    .tailOfOther: -6.0000,
    .located: 4.5403,
    .firstDoubling: -4.0849,
    .secondDoubling: -0.9753,
    .thirdDoubling: -0.3103,
    .fourthDoubling: -0.5995,
    .beyondFourDoublings: -2.5003,
    .sameNameDistance: -0.0071,
    .regionConflict: -1.2379,
    .countryConflict: -2.0000,
    .extentConflict: -0.7000,
  ])

  // foreign     12072 pairs,  5827 the same: F1 0.9719 (precision 0.988, recall 0.956); same: precision 0.996, recall 0.903
  // native      15634 pairs,  5791 the same: F1 0.9553 (precision 0.957, recall 0.954); same: precision 0.981, recall 0.921
  // towns       12482 pairs,  2666 the same: F1 0.9197 (precision 0.929, recall 0.910); same: precision 0.973, recall 0.842
  // towns-        820 pairs,   184 the same: F1 0.8079 (precision 0.739, recall 0.891); same: precision 0.786, recall 0.777
  static let areasAcrossScripts = table([
    .prior: -6.8604,
    .sameName: 0.7705,
    .sameCore: 0.8340,
    .acronym: 0.0033,
    .overlap: 0.2845,
    .middleOverlap: 0.2843,
    .highOverlap: 0.3852,
    .containment: -0.7606,
    .edits: 2.8146,
    .highEdits: 0.2960,
    .jaroWinkler: 1.4086,
    .skeleton: 2.9042,
    .highSkeleton: 7.6378,
    .sharedWeight: 0.7340,
    .greaterRest: -0.1569,
    .numberConflict: -2.5000,
    .modifierConflict: -3.2000,
    .modifierInOne: -0.5199,
    .insertedWords: -1.0000,
    .insideOther: -6.0000,
    .tailOfOther: -6.0000,
    .otherScriptSkeleton: 2.1332,
    .characters: 0.4183,
    .located: 4.8690,
    .secondDoubling: -0.3089,
    .thirdDoubling: -1.6401,
    .fourthDoubling: -0.3445,
    .beyondFourDoublings: -0.0078,
    .sameNameDistance: -0.8982,
    .otherScriptDistance: -0.9684,
    .regionConflict: -1.0334,
    .countryConflict: -2.0000,
    .sameCategory: 0.1533,
    .extentConflict: -0.7000,
  ])

  private static func table(_ weights: [Feature: Double]) -> [FeatureWeight] {
    weights.sorted { $0.key.rawValue < $1.key.rawValue }.map { FeatureWeight(feature: $0.key, value: $0.value) }
  }
}
