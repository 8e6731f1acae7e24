import PlacesKit

/// Which rows of one place may become one record. Terms decide: free services blend among themselves, a family's within the family, and a
/// service that forbids it with nothing but itself.
enum Blending {
  /// Rows blend exactly where their classes are equal.
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

  /// Parts the rows of one place into records. A record has the rows of at most one service whose order must be kept: with two of them no list
  /// might satisfy both.
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
    var mix: Class
    var keepsOrder: Bool
    /// 0 for the asked language, 1 for an unknown one, 2 for another.
    var languageDistance: Int

    /// The order in which a record's rows speak: the asked language, the heavier provider, the better rank.
    static func leads(_ a: Entry, _ b: Entry) -> Bool {
      (a.languageDistance, -a.weight, a.rank, a.provider) < (b.languageDistance, -b.weight, b.rank, b.provider)
    }
  }
}

extension Merger {
  /// Whether the terms of two providers let their rows become one record.
  public static func mayBlend(_ a: (provider: String, terms: Terms), _ b: (provider: String, terms: Terms)) -> Bool {
    Blending.Class(provider: a.provider, terms: a.terms) == Blending.Class(provider: b.provider, terms: b.terms)
  }
}
