// Made by Training/train.py; the figures are those of five folds, each judged by weights fitted to the other four.

/// The weights of the features in log odds, by the kind of pair.
enum Weights {
  // locu         2878 pairs,   350 the same: F1 0.9693 (precision 0.991, recall 0.949); same: precision 1.000, recall 0.946
  // locu-        8274 pairs,  1026 the same: F1 0.9723 (precision 0.986, recall 0.959); same: precision 1.000, recall 0.927
  // overture-    2543 pairs,  1535 the same: F1 0.9112 (precision 0.903, recall 0.919); same: precision 0.956, recall 0.771
  static let points = table([
    .prior: -4.9784,
    .sameName: 1.9711,
    .sameHead: 0.8159,
    .overlap: 0.2638,
    .highOverlap: 0.3732,
    .containment: 3.3108,
    .highEdits: 0.7605,
    .jaroWinkler: 1.2406,
    .sharedWeight: 0.8438,
    .lesserRest: -1.2783,
    .greaterRest: -0.2249,
    .numberConflict: -2.5000,
    .numberInOne: -0.1078,
    .siblingConflict: -1.5000,
    .partInOne: -2.1716,
    .otherScript: 0.1958,
    .otherScriptSkeleton: 0.1883,
    .characters: 0.1862,
    .located: 2.1156,
    .distance: -0.5905,
    .sameNameDistance: -0.7169,
    .sameHouse: 0.7431,
    .houseConflict: -0.9164,
    .nearHouse: 0.3897,
    .sameStreet: 0.2731,
    .streetConflict: -1.1389,
    .unitConflict: -0.3715,
    .samePostcode: 0.0624,
    .postcodeConflict: -0.2942,
    .sameLocality: 0.0657,
    .localityConflict: -0.2650,
    .regionConflict: -1.2256,
    .countryConflict: -2.0000,
    .samePhone: 1.0686,
    .phoneConflict: -0.4085,
    .pageConflict: -1.6327,
    .domainConflict: -0.5983,
    .sameCategory: 0.4274,
    .sameGroup: 0.1325,
    .groupConflict: -0.5764,
    .extentConflict: -0.7000,
    .unlikeNameSameAddress: 0.7165,
    .likeNameSamePhone: 0.2554,
    .unlikeNameSamePhone: 0.8133,
    .sameNameHouseConflict: -1.4264,
    .sameNamePhoneConflict: 0.5564,
  ])

  // towns       58422 pairs, 11575 the same: F1 0.9153 (precision 0.938, recall 0.894); same: precision 0.971, recall 0.827
  // towns-       3793 pairs,   746 the same: F1 0.8170 (precision 0.787, recall 0.850); same: precision 0.812, recall 0.777
  static let areas = table([
    .prior: -6.2531,
    .sameName: 1.4830,
    .sameCore: 1.9287,
    .sameHead: 2.3273,
    .highOverlap: 0.7430,
    .containment: 1.2758,
    .edits: 2.1684,
    .highEdits: 1.8498,
    .jaroWinkler: 1.7574,
    .skeleton: 2.6940,
    .lesserRest: -0.6703,
    .numberConflict: -2.5000,
    .numberInOne: -0.0739,
    .siblingConflict: -1.5000,
    .siblingInOne: -0.2323,
    .otherScript: 0.5973,
    .otherScriptSkeleton: 2.5598,
    .characters: 0.1944,
    .located: 2.8005,
    .distance: -1.3072,
    .farthest: -0.3610,
    .sameNameDistance: -0.0139,
    .otherScriptDistance: -0.1860,
    .regionConflict: -1.7805,
    .countryConflict: -2.0000,
    .extentConflict: -0.7000,
  ])

  private static func table(_ weights: [Feature: Double]) -> [Double] { Feature.allCases.map { weights[$0] ?? 0 } }
}
