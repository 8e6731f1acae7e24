/// The result of comparing the ids of two rows.
enum IdentifierAgreement: Sendable {
  /// The rows share an id, and no namespace has different ids for them.
  case same
  /// Some namespace has different ids for them.
  case different
  case unknown
}

extension NormalizedRecords {
  func identity(_ a: Int, _ b: Int) -> IdentifierAgreement {
    var shared = false
    let (first, second) = (all[a].identifiers, all[b].identifiers)
    // The common case: each row has only the id of its own source.
    if first.count == 1, second.count == 1, identifiers[first.lowerBound].namespace != identifiers[second.lowerBound].namespace {
      return .unknown
    }
    for i in first {
      var known = false
      var found = false
      for j in second where identifiers[j].namespace == identifiers[i].namespace {
        known = true
        if identifiers[j].value == identifiers[i].value { found = true }
      }
      if known, !found, !sharesNamespace(identifiers[i].namespace, a, b) {
        // Maps divide a street into segments, each with an id, and have a stop once for each direction.
        return all[a].isStreet && all[b].isStreet || areParts(a, b) ? .unknown : .different
      }
      shared = shared || found
    }
    return shared ? .same : .unknown
  }

  /// Whether the two rows have any id of a namespace in common; each may have several.
  private func sharesNamespace(_ namespace: UInt64, _ a: Int, _ b: Int) -> Bool {
    all[a].identifiers.contains { i in
      identifiers[i].namespace == namespace && all[b].identifiers.contains { identifiers[$0] == identifiers[i] }
    }
  }
}
