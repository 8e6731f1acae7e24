/// Which pairs of rows are worth comparing: rows of different sources that lie near each other for what they are and have some letters
/// in common, or share an id or a telephone, or, where one has no coordinates, have much the same name.
struct Candidates: Sendable {
  private(set) var pairs: [(Int, Int)] = []
  private let rows: NormalRecords
  private var probes: [Probe] = []

  /// What is looked at first, for every two rows nearby.
  private struct Probe {
    var row: Int
    var source: UInt64
    var latitude: Double
    var longitude: Double
    /// Metres.
    var reach: Double
    /// Degrees of longitude per metre at this latitude.
    var longitudePerMetre: Double
    /// Pairs of letters of all names.
    var letters: UInt64
    var phone: UInt64
    var isLatin: Bool
  }

  private static let degreesPerMetre = 1 / 111_195.0

  init(_ rows: NormalRecords) {
    self.rows = rows
    for row in rows.records.indices { probes.append(Candidates.probe(row, rows)) }
    sweep()
    pairUnlocated()
    pairIdentified()
  }

  private static func probe(_ row: Int, _ rows: NormalRecords) -> Probe {
    let record = rows.records[row]
    var letters: UInt64 = 0
    var isLatin = true
    for name in record.names {
      letters |= rows.names[name].pairs
      isLatin = isLatin && rows.names[name].text.script == .latin
    }
    let latitude = record.location?.latitude ?? .nan
    return Probe(
      row: row, source: record.source, latitude: latitude, longitude: record.location?.longitude ?? .nan, reach: Scale.reach(of: record),
      longitudePerMetre: degreesPerMetre / max(0.01, Coordinates.cosine(ofDegrees: latitude)), letters: letters, phone: record.phone ?? 0,
      isLatin: isLatin)
  }

  /// Rows with coordinates, from south to north, each against those not farther north than its reach.
  private mutating func sweep() {
    let located = probes.filter { !$0.latitude.isNaN }.sorted { ($0.latitude, $0.row) < ($1.latitude, $1.row) }
    let farthest = (located.map(\.reach).max() ?? 0) * Candidates.degreesPerMetre
    for (position, here) in located.enumerated() {
      var next = position + 1
      while next < located.count, located[next].latitude - here.latitude <= farthest {
        let there = located[next]
        next += 1
        if here.source != there.source, Candidates.isNear(here, there), Candidates.mayMatch(here, there) { add(here.row, there.row) }
      }
    }
  }

  private static func isNear(_ a: Probe, _ b: Probe) -> Bool {
    let reach = max(a.reach, b.reach)
    guard abs(a.latitude - b.latitude) <= reach * degreesPerMetre else { return false }
    let east = abs(a.longitude - b.longitude)
    return min(east, 360 - east) <= reach * max(a.longitudePerMetre, b.longitudePerMetre)
  }

  private static func mayMatch(_ a: Probe, _ b: Probe) -> Bool {
    if !a.isLatin || !b.isLatin { return true }
    if a.phone != 0, a.phone == b.phone { return true }
    let common = (a.letters & b.letters).nonzeroBitCount
    return common * 4 >= min(a.letters.nonzeroBitCount, b.letters.nonzeroBitCount)
  }

  /// Rows without coordinates, against all that share a telling word or the telephone.
  private mutating func pairUnlocated() {
    guard probes.contains(where: { $0.latitude.isNaN }) else { return }
    var rowsByKey: [UInt64: [Int]] = [:]
    for row in probes.indices { for key in keys(of: row) { rowsByKey[key, default: []].append(row) } }
    for here in probes where here.latitude.isNaN {
      var seen: Set<Int> = []
      for key in keys(of: here.row) {
        for row in rowsByKey[key] ?? [] where probes[row].source != here.source && seen.insert(row).inserted {
          // Of two rows without coordinates the earlier one finds the pair.
          guard !probes[row].latitude.isNaN || here.row < row, Candidates.isAlike(here, probes[row]) else { continue }
          add(min(here.row, row), max(here.row, row))
        }
      }
    }
  }

  private static func isAlike(_ a: Probe, _ b: Probe) -> Bool {
    if !a.isLatin || !b.isLatin || (a.phone != 0 && a.phone == b.phone) { return true }
    return (a.letters & b.letters).nonzeroBitCount * 5 >= min(a.letters.nonzeroBitCount, b.letters.nonzeroBitCount) * 3
  }

  private func keys(of row: Int) -> [UInt64] {
    var keys: [UInt64] = []
    for name in rows.records[row].names {
      keys.append(rows.names[name].joinedKey)
      for word in rows.names[name].text.words where rows.words[word].weight >= 0.5 { keys.append(rows.words[word].key) }
    }
    if let phone = rows.records[row].phone { keys.append(phone) }
    return keys
  }

  /// Rows that share an id, wherever they lie.
  private mutating func pairIdentified() {
    var rowsByIdentifier: [Identifier: [Int]] = [:]
    for row in rows.records.indices {
      for index in rows.records[row].identifiers { rowsByIdentifier[rows.identifiers[index], default: []].append(row) }
    }
    for rowsOfOne in rowsByIdentifier.values where rowsOfOne.count > 1 {
      for (position, a) in rowsOfOne.enumerated() {
        for b in rowsOfOne[(position + 1)...] where rows.records[a].source != rows.records[b].source { add(a, b) }
      }
    }
  }

  private mutating func add(_ a: Int, _ b: Int) { pairs.append((min(a, b), max(a, b))) }
}
