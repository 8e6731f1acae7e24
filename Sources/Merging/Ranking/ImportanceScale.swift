/// Converts the importances that providers state to one scale.
///
/// Each provider has a scale of its own, such as populations or the links to articles of Wikipedia. The scales are compared by the places
/// whose importance several providers state. For each of these places, a provider's importance is subtracted from the greatest one that is
/// stated. The mean of these differences is added to all importances of the provider. Otherwise the places of a provider with low values
/// would come after the places that only other providers know. A place that only the provider with low values knows is raised by less if
/// there are few places to compare: the others may not return it because it is not important.
struct ImportanceScale: Sendable {
  /// The amount that is added to the importances of each provider, by the index of the provider's batch.
  private var raises: [Double]
  /// The number of places from which the raise of each provider was computed.
  private var counts: [Double]

  /// The greatest importance that a provider states for its rows of one place.
  struct StatedImportance: Sendable {
    /// The number of the place.
    var place: Int
    /// The index of the provider's batch.
    var batch: Int
    /// 0…1
    var importance: Double
  }

  /// - Parameters:
  ///   - stated: one element for each place and each provider that states its importance. The elements of one place are side by side.
  init(of stated: [StatedImportance], batchCount: Int) {
    raises = Array(repeating: 0, count: batchCount)
    counts = raises
    var remaining = stated[...]
    while let first = remaining.first {
      let importancesOfPlace = remaining.prefix { $0.place == first.place }
      remaining = remaining.dropFirst(importancesOfPlace.count)
      guard importancesOfPlace.count > 1 else { continue }
      let greatest = importancesOfPlace.reduce(0) { max($0, $1.importance) }
      for element in importancesOfPlace {
        raises[element.batch] += greatest - element.importance
        counts[element.batch] += 1
      }
    }
    for batch in raises.indices where counts[batch] > 0 { raises[batch] /= counts[batch] }
  }

  /// The mean of a place's importances on the common scale, 0…1, so that no provider overrides the others; 0 if none states one.
  func importance(of place: ArraySlice<StatedImportance>) -> Double {
    guard let first = place.first else { return 0 }
    if place.count == 1 { return min(1, first.importance + raises[first.batch] * counts[first.batch] / (counts[first.batch] + 1)) }
    return min(1, place.reduce(0) { $0 + $1.importance + raises[$1.batch] } / Double(place.count))
  }
}
