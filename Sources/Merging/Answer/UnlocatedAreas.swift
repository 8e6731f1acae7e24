import PlacesKit

/// Joins towns and regions without a location to the places that they most likely mean.
///
/// A service may suggest a town only with a text such as `Essen, Germany`. If the answer has several towns with this label, the classifier
/// may join the row to none of them, and it would stand beside them as one more row of the same label. Instead it is joined to the most
/// important one, as people would understand the label. The places must agree in a whole name, in the kind of area and in the country, and
/// their other known parts must not contradict each other. A place has at most one row of a service, so several rows of one label are
/// joined to different places, in the service's order.
struct UnlocatedAreas {
  private let records: NormalizedRecords
  /// The importance of each record, if its provider states one.
  private let importances: [Double?]

  /// Two records that were joined, the first one without a location.
  struct Pair: Sendable {
    var unlocated: Int
    var located: Int
  }

  init(_ records: NormalizedRecords, importances: [Double?]) {
    self.records = records
    self.importances = importances
  }

  /// Joins groups of records, and returns a pair for each two groups that were joined. Groups stay in the order of their first records.
  /// - Parameter groups: the indices of the records of each place.
  func join(_ groups: inout [[Int]]) -> [Pair] {
    var pairs: [Pair] = []
    for index in groups.indices where groups[index].allSatisfy({ isUnlocatedArea($0) }) {
      var best: (group: Int, pair: Pair, importance: Double)?
      for other in groups.indices where other != index {
        guard let pair = pair(groups[index], groups[other]) else { continue }
        let importance = groups[other].compactMap { importances[$0] }.max() ?? 0
        if importance > best?.importance ?? -1 { best = (other, pair, importance) }
      }
      guard let best else { continue }
      groups[best.group] = (groups[best.group] + groups[index]).sorted()
      groups[index] = []
      pairs.append(best.pair)
    }
    if !pairs.isEmpty {
      groups.removeAll(where: \.isEmpty)
      groups.sort { $0[0] < $1[0] }
    }
    return pairs
  }

  private func isUnlocatedArea(_ record: Int) -> Bool {
    records[record].location == nil && records[record].isArea && records[record].country != 0
  }

  /// The first unlocated record and the first located record of the place that have a common name; nil if the records may not be joined.
  private func pair(_ unlocated: [Int], _ place: [Int]) -> Pair? {
    guard place.contains(where: { records[$0].location != nil }) else { return nil }
    var namesakePair: Pair?
    for first in unlocated {
      for second in place {
        guard mayBeOne(records[first], records[second]), records.identity(first, second) != .different else { return nil }
        if records[second].location != nil, haveCommonName(records[first], records[second]) {
          namesakePair = namesakePair ?? Pair(unlocated: first, located: second)
        }
      }
    }
    guard let namesakePair, unlocated.allSatisfy({ first in hasParts(first, place) }) else { return nil }
    return namesakePair
  }

  /// Whether records of two sources may be one area, as far as their kinds, countries and regions are known.
  private func mayBeOne(_ unlocated: NormalizedRecord, _ other: NormalizedRecord) -> Bool {
    unlocated.source != other.source && other.isArea && isSettlement(unlocated) == isSettlement(other)
      && (other.country == 0 || other.country == unlocated.country) && !records.words.areDifferentAreas(unlocated.region, other.region)
  }

  /// Whether an area is a town or village and not a region. A service may call a village a town.
  private func isSettlement(_ record: NormalizedRecord) -> Bool { record.category.extent != .region }

  private func haveCommonName(_ a: NormalizedRecord, _ b: NormalizedRecord) -> Bool {
    a.names.contains { first in
      !records.names[first].isHead
        && b.names.contains { !records.names[$0].isHead && records.names[$0].joinedKey == records.names[first].joinedKey }
    }
  }

  /// Whether each word of an unlocated record's locality is in the locality or the secondary text of a record of the place.
  private func hasParts(_ unlocated: Int, _ place: [Int]) -> Bool {
    records[unlocated].locality.words.allSatisfy { word in
      place.contains { other in
        [records[other].locality, records[other].context].contains { span in
          span.words.contains { records.words[$0].key == records.words[word].key }
        }
      }
    }
  }
}
