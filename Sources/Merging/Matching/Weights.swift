// Made by Training/train.py; the figures are those of five folds, each judged by weights fitted to the other four.

/// The weights of the features in log odds, by the kind of pair.
enum Weights {
  // locu         2878 pairs,   350 the same: F1 0.9738 (precision 0.991, recall 0.957); same: precision 1.000, recall 0.949
  // locu-        8274 pairs,  1026 the same: F1 0.9723 (precision 0.986, recall 0.959); same: precision 1.000, recall 0.904
  // overture-    2543 pairs,  1535 the same: F1 0.9110 (precision 0.902, recall 0.921); same: precision 0.980, recall 0.698
  static let points = table([
    .prior: -4.7715,
    .sameName: 1.9722,
    .sameHead: 0.8058,
    .overlap: 0.2655,
    .highOverlap: 0.3176,
    .containment: 3.3097,
    .highEdits: 0.7017,
    .jaroWinkler: 1.1504,
    .highSkeleton: 0.0965,
    .sharedWeight: 0.8342,
    .lesserRest: -1.2762,
    .greaterRest: -0.2372,
    .numberConflict: -2.5000,
    .numberInOne: -0.1013,
    .siblingConflict: -1.5000,
    .partInOne: -2.1922,
    .otherScript: 0.2040,
    .otherScriptSkeleton: 0.1700,
    .characters: 0.1993,
    .located: 2.1019,
    .distance: -0.6411,
    .sameNameDistance: -0.7145,
    .sameHouse: 0.7328,
    .houseConflict: -0.8872,
    .nearHouse: 0.3530,
    .sameStreet: 0.2300,
    .streetConflict: -1.1752,
    .unitConflict: -0.3623,
    .samePostcode: 0.0533,
    .postcodeConflict: -0.3229,
    .sameLocality: 0.0429,
    .localityConflict: -0.2559,
    .regionConflict: -1.2377,
    .countryConflict: -2.0000,
    .samePhone: 1.0349,
    .phoneConflict: -0.4390,
    .pageConflict: -1.6915,
    .domainConflict: -0.6082,
    .sameCategory: 0.4328,
    .sameGroup: 0.1239,
    .groupConflict: -0.6136,
    .extentConflict: -0.7000,
    .unlikeNameSameAddress: 0.6876,
    .likeNameSamePhone: 0.2224,
    .unlikeNameSamePhone: 0.8125,
    .sameNameHouseConflict: -1.4480,
    .sameNamePhoneConflict: 0.5647,
  ])

  // towns       45940 pairs,  8909 the same: F1 0.9298 (precision 0.945, recall 0.915); same: precision 0.977, recall 0.847
  // towns-       2973 pairs,   562 the same: F1 0.8456 (precision 0.804, recall 0.891); same: precision 0.825, recall 0.847
  static let areas = table([
    .prior: -4.5387,
    .sameCore: 1.8387,
    .highOverlap: 0.4204,
    .containment: 1.3322,
    .edits: 2.1265,
    .highEdits: 0.9043,
    .jaroWinkler: 0.4589,
    .skeleton: 1.9031,
    .highSkeleton: 4.2236,
    .lesserRest: -0.9668,
    .numberConflict: -2.5000,
    .siblingConflict: -1.5000,
    .siblingInOne: -0.7573,
    .located: 2.4919,
    .distance: -1.3559,
    .farthest: -1.2129,
    .sameNameDistance: 0.4317,
    .regionConflict: -1.1644,
    .countryConflict: -2.0000,
    .extentConflict: -0.7000,
  ])

  // foreign     12072 pairs,  5827 the same: F1 0.9681 (precision 0.986, recall 0.951); same: precision 0.997, recall 0.865
  // native      15634 pairs,  5791 the same: F1 0.9493 (precision 0.955, recall 0.944); same: precision 0.984, recall 0.887
  // towns       12482 pairs,  2666 the same: F1 0.9134 (precision 0.925, recall 0.902); same: precision 0.981, recall 0.790
  // towns-        820 pairs,   184 the same: F1 0.7980 (precision 0.745, recall 0.859); same: precision 0.799, recall 0.712
  static let areasAcrossScripts = table([
    .prior: -6.8277,
    .sameName: 0.2367,
    .sameCore: 0.8216,
    .overlap: 0.4165,
    .highOverlap: 0.8381,
    .containment: -0.4459,
    .edits: 2.5373,
    .highEdits: 0.5074,
    .jaroWinkler: 1.9033,
    .skeleton: 2.6681,
    .highSkeleton: 7.3533,
    .sharedWeight: 0.1502,
    .greaterRest: -0.1272,
    .numberConflict: -2.5000,
    .siblingConflict: -1.5000,
    .siblingInOne: -0.1144,
    .otherScriptSkeleton: 2.4312,
    .characters: 0.4897,
    .located: 5.2240,
    .distance: -0.9535,
    .sameNameDistance: -0.3030,
    .otherScriptDistance: -0.6505,
    .regionConflict: -0.9892,
    .countryConflict: -2.0000,
    .sameCategory: 0.1307,
    .extentConflict: -0.7000,
  ])

  private static func table(_ weights: [Feature: Double]) -> [Double] { Feature.allCases.map { weights[$0] ?? 0 } }
}
