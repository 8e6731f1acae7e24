import PlacesKit

/// Which rows of one place may become one record. Terms decide: free services blend with each other, a family blends within the family, and
/// a service that forbids blending stays alone.
enum Blending {
  /// Rows blend only if their classes are equal.
  enum Class: Hashable, Comparable, Sendable {
    case free
    case family(String)
    case alone(String)

    init(provider: String, terms: Terms) {
      switch terms.mixing {
      case .free: self = .free
      case .family(let name): self = .family(name)
      case .never: self = .alone(provider)
      }
    }
  }

  /// Parts the rows of one place into records, each in the order of its first row. A record has the rows of at most one service whose order
  /// must be kept: with two of them, no list might satisfy both.
  static func records(_ entries: [Entry]) -> [[Entry]] {
    guard entries.count > 1 else { return [entries] }
    var records: [(mix: Class, keeper: String?, entries: [Entry])] = []
    for entry in entries {
      let keeper = entry.keepsOrder ? entry.provider : nil
      let index = records.firstIndex { $0.mix == entry.mix && (keeper == nil || $0.keeper == nil || $0.keeper == keeper) }
      if let index {
        records[index].entries.append(entry)
        records[index].keeper = records[index].keeper ?? keeper
      } else {
        records.append((entry.mix, keeper, [entry]))
      }
    }
    return records.map(\.entries)
  }

  /// A row of a batch, without the row itself.
  struct Entry: Sendable {
    var batch: Int
    /// From 0.
    var rank: Int
    var provider: String
    var weight: Double
    /// The price of its provider's details call, in millionths of the currency's unit.
    var detailsMicros: Int
    var mix: Class
    var keepsOrder: Bool
    /// The provider's index in `MergeContext.prefer`; the count of that list for a provider that it does not name.
    var preference: Int
    /// How this row alone fits what was typed; `other` until the rows are compared.
    var match = TextMatch.other
    /// 0 for the requested language, 1 for an unknown one, 2 for another.
    var languageDistance: Int
  }
}

extension Merger {
  /// Whether the terms of two providers let their rows become one record.
  public static func mayBlend(_ a: (provider: String, terms: Terms), _ b: (provider: String, terms: Terms)) -> Bool {
    Blending.Class(provider: a.provider, terms: a.terms) == Blending.Class(provider: b.provider, terms: b.terms)
  }
}
