// Made by Training/train.py; the figures are those of five folds, each judged by weights fitted to the other four.

/// The weights of the features in log odds, by the kind of pair.
enum Weights {
  // locu         2878 pairs,   350 the same: F1 0.9693 (precision 0.991, recall 0.949); same: precision 1.000, recall 0.946
  // locu-        8274 pairs,  1026 the same: F1 0.9704 (precision 0.984, recall 0.957); same: precision 1.000, recall 0.923
  // overture-    2543 pairs,  1535 the same: F1 0.9096 (precision 0.901, recall 0.918); same: precision 0.955, recall 0.773
  static let points = table([
    .prior: -5.1633,
    .sameName: 2.1804,
    .sameCore: 0.1575,
    .sameHead: 0.7630,
    .overlap: 0.2414,
    .highOverlap: 0.0147,
    .containment: 2.9239,
    .highEdits: 1.1509,
    .jaroWinkler: 1.6933,
    .skeleton: 0.0376,
    .sharedWeight: 0.8505,
    .lesserRest: -1.4542,
    .greaterRest: -0.0292,
    .numberConflict: -0.4689,
    .numberInOne: -0.1508,
    .siblingConflict: -0.1281,
    .partInOne: -2.1500,
    .otherScript: 0.1524,
    .otherScriptSkeleton: 0.1712,
    .characters: 0.1749,
    .located: 2.0274,
    .distance: -0.5847,
    .sameNameDistance: -0.7172,
    .sameHouse: 0.8299,
    .houseConflict: -0.8606,
    .nearHouse: 0.3576,
    .sameStreet: 0.2521,
    .streetConflict: -1.1690,
    .unitConflict: -0.3911,
    .samePostcode: 0.0633,
    .postcodeConflict: -0.3057,
    .sameLocality: 0.0431,
    .localityConflict: -0.2920,
    .regionConflict: -1.2871,
    .samePhone: 1.0184,
    .phoneConflict: -0.4492,
    .pageConflict: -1.6865,
    .domainConflict: -0.6084,
    .sameCategory: 0.4100,
    .sameGroup: 0.1372,
    .groupConflict: -0.5903,
    .unlikeNameSameAddress: 0.6291,
    .likeNameSamePhone: 0.2845,
    .unlikeNameSamePhone: 0.7339,
    .sameNameHouseConflict: -1.3454,
    .sameNamePhoneConflict: 0.4822,
  ])

  // towns       58422 pairs, 11575 the same: F1 0.9310 (precision 0.952, recall 0.911); same: precision 0.977, recall 0.852
  // towns-       3793 pairs,   746 the same: F1 0.8161 (precision 0.803, recall 0.830); same: precision 0.825, recall 0.714
  static let areas = table([
    .prior: -6.0788,
    .sameName: 0.4725,
    .sameCore: 1.7621,
    .sameHead: 2.0932,
    .highOverlap: 0.8392,
    .containment: 1.0481,
    .edits: 2.2810,
    .highEdits: 1.6133,
    .jaroWinkler: 1.3308,
    .skeleton: 2.5227,
    .lesserRest: -0.7456,
    .numberConflict: -0.2604,
    .numberInOne: -0.0740,
    .siblingConflict: -0.5046,
    .siblingInOne: -0.2946,
    .otherScript: 0.5686,
    .otherScriptSkeleton: 2.4540,
    .characters: 0.3711,
    .located: 3.9898,
    .distance: -2.2255,
    .farthest: -1.1511,
    .sameNameDistance: 0.5537,
    .otherScriptDistance: -0.1212,
    .regionConflict: -2.3733,
    .countryConflict: -0.5630,
    .sameCategory: 0.0318,
  ])

  private static func table(_ weights: [Feature: Double]) -> [Double] { Feature.allCases.map { weights[$0] ?? 0 } }
}
