/// The rules by which one of two sources of a place leads, in the order in which they are tried.
public enum LeadingRule: String, Sendable, Hashable, Codable, CaseIterable {
  /// The request or, if it has no preference, the configuration prefers its provider.
  case prefer
  /// Its name matches the query better.
  case match
  /// It is in the requested language.
  case language
  /// Its provider has the greater weight.
  case weight
  /// A details call to its provider costs less.
  case details
  /// It is higher in its provider's own list.
  case rank
  /// Its provider's id comes first in the alphabet.
  case provider
}

extension SourceRow {
  /// Whether the first source leads the second one, and the rule that decides it.
  static func compare(_ a: SourceRow, _ b: SourceRow) -> (firstLeads: Bool, rule: LeadingRule) {
    if a.preferenceRank != b.preferenceRank { return (a.preferenceRank < b.preferenceRank, .prefer) }
    if a.match != b.match { return (a.match < b.match, .match) }
    if a.languageDistance != b.languageDistance { return (a.languageDistance < b.languageDistance, .language) }
    if a.weight != b.weight { return (a.weight > b.weight, .weight) }
    if a.detailsMicros != b.detailsMicros { return (a.detailsMicros < b.detailsMicros, .details) }
    if a.rank != b.rank { return (a.rank < b.rank, .rank) }
    return (a.provider < b.provider, .provider)
  }

  /// The order of the sources of one place.
  static func leads(_ a: SourceRow, _ b: SourceRow) -> Bool { compare(a, b).firstLeads }
}

extension [SourceRow] {
  /// The rule by which the first row leads the best row of another provider; nil if all are of one provider. The rows are in the order of
  /// `leads`.
  var leadingRule: LeadingRule? {
    guard let first, let next = self.first(where: { $0.provider != first.provider }) else { return nil }
    return SourceRow.compare(first, next).rule
  }
}
