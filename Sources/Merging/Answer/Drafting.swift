import PlacesKit

/// From batches to ranked drafts.
struct Drafting<Row: MergeableRow>: Sendable {
  private let batches: [ProviderBatch<Row>]
  let context: MergeContext
  /// In the order of providers' ids and ranks, whoever answered first.
  private var places: [Blending.Entry] = []
  private var queries: [Blending.Entry] = []

  init(_ batches: [ProviderBatch<Row>], context: MergeContext) {
    self.batches = batches.withRows().sorted { $0.provider < $1.provider }
    self.context = context
    for (index, batch) in self.batches.enumerated() {
      let mix = Blending.Class(provider: batch.provider, terms: batch.terms)
      let preference = context.prefer.firstIndex(of: batch.provider) ?? context.prefer.count
      for (rank, row) in batch.rows.enumerated() {
        let entry = Blending.Entry(
          batch: index, rank: rank, provider: batch.provider, weight: batch.weight, detailsMicros: batch.detailsMicros, mix: mix,
          keepsOrder: batch.terms.keepsOrder, preference: preference, languageDistance: languageDistance(row.language))
        if row.isQuery { queries.append(entry) } else { places.append(entry) }
      }
    }
  }

  /// All rows, best first, those of one place side by side.
  func drafts() -> [Draft] {
    var drafts = standAlone ? separateDrafts() : comparedDrafts()
    if batches.count > 1 { drafts.moveBehindFitting() }
    if !context.boosts.isEmpty { drafts.raiseChosen() }
    drafts.sort { a, b in
      if a.distance != b.distance { return a.distance < b.distance }
      if a.score != b.score { return a.score > b.score }
      if a.group != b.group { return a.group < b.group }
      return Blending.Entry.leads(a.entries[0], b.entries[0])
    }
    KeptOrder.restore(&drafts)
    return drafts
  }

  private func comparedDrafts() -> [Draft] {
    let fit = TextFit(query: context.query)
    return placeDrafts(fit) + queryDrafts(fit, firstGroup: places.count)
  }

  /// True if there is nothing to compare: one provider answered, its ids say that all its places are different, and the request wants no
  /// explanation. Then the provider's order decides.
  private var standAlone: Bool {
    guard batches.count == 1, queries.count <= 1, !context.explain, context.boosts.isEmpty else { return false }
    var seen: Set<UInt64> = []
    seen.reserveCapacity(places.count)
    return places.allSatisfy { entry in
      guard let id = row(of: entry).nativeID, let own = Identifier(namespace: entry.provider, id: id[...]) else { return false }
      return seen.insert(own.value).inserted
    }
  }

  private func separateDrafts() -> [Draft] {
    (places + queries).enumerated().flatMap { group, entry in drafts([[entry]], group: group, match: .other) }
  }

  private func placeDrafts(_ fit: TextFit) -> [Draft] {
    let rows = NormalRecords(places.lazy.map { record(of: $0) })
    let edges = rows.edges()
    let clusters = Clusters(rows, edges: edges, joinFrom: Judge.sameFrom)
    var drafts: [Draft] = []
    let groups = clusters.groups
    let entries = groups.map { members in
      members.map { member in
        var entry = places[member]
        entry.match = fit.match([member], in: rows)
        return entry
      }
    }
    let matches = entries.map { $0.lazy.map(\.match).min() ?? .other }
    let belief = ProvidersBelief(of: zip(entries, matches).map { (rows: $0, match: $1) })
    for ((members, entries), match) in zip(zip(groups, entries), matches) {
      let entries = entries.sorted(by: Blending.Entry.leads)
      drafts += self.drafts(
        Blending.records(entries), group: members[0], match: match, believed: match == .other ? belief.match(entries) : match)
    }
    if context.explain { Reasons(rows, edges: edges, clusters: clusters, entries: places) { name(of: $0) }.explain(&drafts) }
    return drafts
  }

  /// Queries are the same if their folded texts are, and the signs in these. They are one record whatever terms say of places: a completion
  /// is the user's own text and not a service's content.
  private func queryDrafts(_ fit: TextFit, firstGroup: Int) -> [Draft] {
    let texts = queries.map { row(of: $0).title }
    let rows = NormalRecords(zip(queries, texts).map { MatchRecord(source: $0.provider, id: nil, name: $1) })
    var groups: [QueryKey: [Int]] = [:]
    for (index, text) in texts.enumerated() {
      let letters = rows.names[rows.records[index].names.lowerBound].joinedKey
      groups[QueryKey(letters: letters, text: text), default: []].append(index)
    }
    return groups.values.sorted { $0[0] < $1[0] }.flatMap { members in
      let record = members.map { queries[$0] }.sorted(by: Blending.Entry.leads)
      var records = drafts([record], group: firstGroup + members[0], match: fit.match(members, in: rows))
      if context.explain { for index in records.indices { records[index].merges = sameTexts(records[index].entries) } }
      return records
    }
  }

  /// Why queries are one row.
  private func sameTexts(_ entries: [Blending.Entry]) -> [MergeReason] {
    entries.dropFirst().map { MergeReason(first: name(of: entries[0]), second: name(of: $0), probability: 1, reasons: [.sameText]) }
  }

  /// The rows of one place, given as its records, the leading one first: one row if the request folds, else one for each record, all with the
  /// score of the whole place.
  /// - Parameter believed: how well the providers seem to think that the text fits, if the rows do not show it.
  private func drafts(_ records: [[Blending.Entry]], group: Int, match: TextMatch, believed: TextMatch = .other) -> [Draft] {
    let entries = Array(records.joined())
    let ranking = Ranking(context: context, judges: batches.count > 1)
    let facts = facts(entries)
    let parts = ranking.parts(of: entries, facts: facts, match: match, believed: believed)
    let score = parts.reduce(0) { $0 + $1.value }
    let distance = ranking.distance(of: facts.location)
    let whole = Draft(
      entries: records[0], alternatives: Array(records.dropFirst()), group: group, match: match, fit: match == .other ? believed : match,
      isQuery: facts.isQuery, boost: facts.boost, parts: parts, score: score, distance: distance)
    return context.folds ? [whole] : whole.unfolded
  }

  private func facts(_ entries: [Blending.Entry]) -> Ranking.Facts {
    var facts = Ranking.Facts(isQuery: entries.first.map { batches[$0.batch].rows[$0.rank].isQuery } ?? false)
    for entry in entries {
      // A row is large: what is needed is read in place.
      let (batch, rank) = (entry.batch, entry.rank)
      facts.location = facts.location ?? batches[batch].rows[rank].location
      facts.importance = max(facts.importance, batches[batch].rows[rank].importance ?? 0)
      if !context.types.isEmpty, batches[batch].rows[rank].types.contains(where: context.types.contains) { facts.fitsType = true }
      if !context.boosts.isEmpty, let id = id(of: entry) { facts.boost = max(facts.boost, context.boosts[id] ?? 0) }
    }
    return facts
  }

  /// The fused row of entries, the leading one first.
  func fuse(_ entries: [Blending.Entry]) -> (Row, [FieldSource]) {
    let parts = entries.map { entry in
      FusedPart(row: row(of: entry), provider: entry.provider, fetchedAt: batches[entry.batch].fetchedAt)
    }
    return Row.fuse(parts[0], Array(parts.dropFirst()))
  }

  func row(of entry: Blending.Entry) -> Row { batches[entry.batch].rows[entry.rank] }

  func id(of entry: Blending.Entry) -> String? { batches[entry.batch].rows[entry.rank].nativeID.map { entry.provider + ":" + $0 } }

  /// The credits of the entries' providers and rows, each once.
  func attributions(of entries: [Blending.Entry]) -> [MergedAttribution] {
    var credits: [MergedAttribution] = []
    for entry in entries {
      for list in [batches[entry.batch].attributions, row(of: entry).attributions] {
        for attribution in list {
          let credit = MergedAttribution(provider: entry.provider, attribution: attribution)
          if !credits.contains(credit) { credits.append(credit) }
        }
      }
    }
    return credits
  }

  private func name(of entry: Blending.Entry) -> String { id(of: entry) ?? entry.byRank }

  private func languageDistance(_ language: String?) -> Int {
    guard let asked = context.language, let language else { return 1 }
    func primary(_ tag: String) -> Substring.UTF8View { tag[...].utf8.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") } }
    return primary(asked).elementsEqual(primary(language)) ? 0 : 2
  }

  private func record(of entry: Blending.Entry) -> MatchRecord {
    let (batch, rank) = (entry.batch, entry.rank)
    var record = MatchRecord(
      source: entry.provider, id: batches[batch].rows[rank].nativeID, name: batches[batch].rows[rank].title,
      evidence: batches[batch].rows[rank].evidence)
    record.phone = batches[batch].rows[rank].phone
    record.website = batches[batch].rows[rank].website
    record.types = batches[batch].rows[rank].types
    record.location = batches[batch].rows[rank].location
    if record.address == nil { record.context = batches[batch].rows[rank].subtitle }
    return record
  }
}
