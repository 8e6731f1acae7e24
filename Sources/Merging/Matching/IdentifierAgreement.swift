/// The result of comparing the ids of two rows.
enum IdentifierAgreement: Sendable {
  /// The rows share an id, and no namespace has different ids for them.
  case same
  /// Some namespace has different ids for them.
  case different
  /// They have no namespace in common.
  case unknown
}

extension NormalizedRecords {
  /// Compares the ids of two rows.
  func identity(_ a: Int, _ b: Int) -> IdentifierAgreement {
    var areShared = false
    let (first, second) = (all[a].identifiers, all[b].identifiers)
    // In most pairs, each row has only the id of its own source.
    if first.count == 1, second.count == 1, identifiers[first.lowerBound].namespace != identifiers[second.lowerBound].namespace {
      return .unknown
    }
    for i in first {
      var hasNamespace = false
      var isShared = false
      for j in second where identifiers[j].namespace == identifiers[i].namespace {
        hasNamespace = true
        if identifiers[j].value == identifiers[i].value { isShared = true }
      }
      if hasNamespace, !isShared, !sharesNamespace(identifiers[i].namespace, a, b) {
        // Different ids do not prove that two rows are two places if both are segments of a street, each of which has its own id, or parts
        // of one place, such as the two directions of a stop.
        return all[a].isStreet && all[b].isStreet || arePartsOfOnePlace(a, b) ? .unknown : .different
      }
      areShared = areShared || isShared
    }
    return areShared ? .same : .unknown
  }

  /// Whether the two rows have any id of a namespace in common; each may have several.
  private func sharesNamespace(_ namespace: UInt64, _ a: Int, _ b: Int) -> Bool {
    all[a].identifiers.contains { i in
      identifiers[i].namespace == namespace && all[b].identifiers.contains { identifiers[$0] == identifiers[i] }
    }
  }
}
