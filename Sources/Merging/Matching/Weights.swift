// Made by Training/train.py; the figures are those of five folds, each judged by weights fitted to the other four.

/// The weights of the features in log odds, by the kind of pair.
enum Weights {
  // locu         2889 pairs,   360 the same: F1 0.9746 (precision 0.991, recall 0.958); same: precision 1.000, recall 0.950
  // locu-       11556 pairs,  1440 the same: F1 0.9653 (precision 0.986, recall 0.946); same: precision 1.000, recall 0.895
  // overture-    2545 pairs,  1536 the same: F1 0.9095 (precision 0.900, recall 0.919); same: precision 0.981, recall 0.695
  static let points = table([
    .prior: -4.8900,
    .sameName: 2.0010,
    .sameCore: 0.0243,
    .sameHead: 0.8571,
    .overlap: 0.3420,
    .highOverlap: 0.3797,
    .containment: 3.3999,
    .highEdits: 0.7982,
    .jaroWinkler: 1.1023,
    .highSkeleton: 0.0764,
    .sharedWeight: 0.8456,
    .lesserRest: -1.0728,
    .greaterRest: -0.2318,
    .numberConflict: -2.5000,
    .numberInOne: -0.2482,
    .siblingConflict: -1.5000,
    .partInOne: -2.1506,
    .otherScript: 0.2122,
    .otherScriptSkeleton: 0.1530,
    .characters: 0.2089,
    .located: 2.0227,
    .distance: -0.5733,
    .sameNameDistance: -0.7326,
    .sameHouse: 0.7297,
    .houseConflict: -0.8754,
    .nearHouse: 0.3545,
    .sameStreet: 0.2025,
    .streetConflict: -1.2040,
    .unitConflict: -0.3747,
    .samePostcode: 0.0448,
    .postcodeConflict: -0.3402,
    .localityConflict: -0.2955,
    .regionConflict: -1.2393,
    .countryConflict: -2.0000,
    .samePhone: 1.0328,
    .phoneConflict: -0.4400,
    .pageConflict: -1.6982,
    .domainConflict: -0.5989,
    .sameCategory: 0.4454,
    .sameGroup: 0.1365,
    .groupConflict: -0.5853,
    .extentConflict: -0.7000,
    .unlikeNameSameAddress: 0.7099,
    .likeNameSamePhone: 0.2236,
    .unlikeNameSamePhone: 0.8093,
    .sameNameHouseConflict: -1.4688,
    .sameNamePhoneConflict: 0.5562,
  ])

  // towns       45940 pairs,  8909 the same: F1 0.9298 (precision 0.945, recall 0.916); same: precision 0.977, recall 0.847
  // towns-       2973 pairs,   562 the same: F1 0.8463 (precision 0.805, recall 0.891); same: precision 0.825, recall 0.847
  static let areas = table([
    .prior: -4.5204,
    .sameCore: 1.8210,
    .highOverlap: 0.4041,
    .containment: 1.3549,
    .edits: 2.1184,
    .highEdits: 0.8999,
    .jaroWinkler: 0.4637,
    .skeleton: 1.8979,
    .highSkeleton: 4.2025,
    .lesserRest: -0.9598,
    .numberConflict: -2.5000,
    .siblingConflict: -1.6588,
    .siblingInOne: -0.7574,
    .located: 2.4740,
    .distance: -1.3550,
    .farthest: -1.2253,
    .sameNameDistance: 0.4316,
    .regionConflict: -1.1567,
    .countryConflict: -2.0000,
    .extentConflict: -0.7000,
  ])

  // foreign     12072 pairs,  5827 the same: F1 0.9706 (precision 0.987, recall 0.955); same: precision 0.998, recall 0.863
  // native      15634 pairs,  5791 the same: F1 0.9551 (precision 0.959, recall 0.951); same: precision 0.986, recall 0.905
  // towns       12482 pairs,  2666 the same: F1 0.9167 (precision 0.930, recall 0.904); same: precision 0.979, recall 0.800
  // towns-        820 pairs,   184 the same: F1 0.8078 (precision 0.731, recall 0.902); same: precision 0.791, recall 0.739
  static let areasAcrossScripts = table([
    .prior: -6.6553,
    .sameName: 0.0268,
    .sameCore: 0.9318,
    .acronym: 0.0026,
    .overlap: 0.5390,
    .highOverlap: 0.6938,
    .containment: -0.9271,
    .edits: 2.7725,
    .highEdits: 0.4782,
    .jaroWinkler: 1.3318,
    .skeleton: 2.4657,
    .highSkeleton: 7.9851,
    .sharedWeight: 0.8231,
    .greaterRest: -0.1682,
    .numberConflict: -2.5000,
    .siblingConflict: -2.0055,
    .siblingInOne: -0.5693,
    .otherScript: 0.0007,
    .otherScriptSkeleton: 2.4405,
    .characters: 0.4556,
    .located: 5.2664,
    .distance: -0.9326,
    .sameNameDistance: -0.2681,
    .otherScriptDistance: -0.6645,
    .regionConflict: -0.9621,
    .countryConflict: -2.0000,
    .sameCategory: 0.1522,
    .extentConflict: -0.7000,
  ])

  private static func table(_ weights: [Feature: Double]) -> [Double] { Feature.allCases.map { weights[$0] ?? 0 } }
}
