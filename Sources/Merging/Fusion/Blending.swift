import PlacesKit

/// The class of a row by its provider's terms. Rows may be blended only if their classes are equal.
enum BlendingClass: Hashable, Comparable, Sendable {
  /// The terms allow the row to be blended with any other row of this class.
  case free
  /// The terms allow the row to be blended only with rows of the services in the named family.
  case family(String)
  /// The terms forbid blending with rows of another provider than the named one.
  case alone(String)

  init(provider: String, terms: Terms) {
    switch terms.mixing {
    case .free: self = .free
    case .family(let name): self = .family(name)
    case .never: self = .alone(provider)
    }
  }
}

/// Decides by the terms which rows of one place become one blend. Rows of free services are blended with each other, rows of a family of
/// services with each other, and each service that forbids blending has a separate blend.
enum Blending {
  /// Partitions the rows of one place into blends, in the order of their first rows. A blend has rows of at most one service whose order
  /// must be kept, because the orders of two services may contradict each other.
  static func blends(of sourceRows: [SourceRow]) -> [[SourceRow]] {
    guard sourceRows.count > 1 else { return [sourceRows] }
    var blends: [(blendingClass: BlendingClass, orderedProvider: String?, sourceRows: [SourceRow])] = []
    for sourceRow in sourceRows {
      let orderedProvider = sourceRow.keepsOrder ? sourceRow.provider : nil
      let index = blends.firstIndex {
        $0.blendingClass == sourceRow.blendingClass
          && (orderedProvider == nil || $0.orderedProvider == nil || $0.orderedProvider == orderedProvider)
      }
      if let index {
        blends[index].sourceRows.append(sourceRow)
        blends[index].orderedProvider = blends[index].orderedProvider ?? orderedProvider
      } else {
        blends.append((sourceRow.blendingClass, orderedProvider, [sourceRow]))
      }
    }
    return blends.map(\.sourceRows)
  }
}

extension Merger {
  /// Whether the terms of two providers let their rows become one blend.
  public static func mayBlend(_ a: (provider: String, terms: Terms), _ b: (provider: String, terms: Terms)) -> Bool {
    BlendingClass(provider: a.provider, terms: a.terms) == BlendingClass(provider: b.provider, terms: b.terms)
  }
}
