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
      for (rank, row) in batch.rows.enumerated() {
        let entry = Blending.Entry(
          batch: index, rank: rank, provider: batch.provider, weight: batch.weight, mix: mix, keepsOrder: batch.terms.keepsOrder,
          languageDistance: languageDistance(row.language))
        if row.isQuery { queries.append(entry) } else { places.append(entry) }
      }
    }
  }

  /// All rows, best first, those of one place side by side.
  func drafts() -> [Draft] {
    var drafts = standAlone ? separateDrafts() : comparedDrafts()
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

  /// Whether no two rows can be joined and nothing is told of how they match, so that there is nothing to compare: one provider answered, which
  /// says by ids that all its places are different. Its place in the list decides then, and what the user chose before.
  private var standAlone: Bool {
    guard batches.count == 1, queries.count <= 1, !context.explain else { return false }
    var seen: Set<UInt64> = []
    seen.reserveCapacity(places.count)
    return places.allSatisfy { entry in
      guard let id = row(of: entry).nativeID, let own = Identifier(namespace: entry.provider, id: id[...]) else { return false }
      return seen.insert(own.value).inserted
    }
  }

  private func separateDrafts() -> [Draft] {
    (places + queries).enumerated().flatMap { group, entry in drafts([entry], group: group, match: .other) }
  }

  private func placeDrafts(_ fit: TextFit) -> [Draft] {
    let rows = NormalRecords(places.lazy.map { record(of: $0) })
    let edges = rows.edges()
    let clusters = Clusters(rows, edges: edges, joinFrom: Judge.sameFrom)
    var drafts: [Draft] = []
    let groups = clusters.groups
    let matches = groups.map { fit.match($0, in: rows) }
    let belief = ProvidersBelief(of: zip(groups, matches).map { (rows: $0.map { places[$0] }, match: $1) })
    for (members, match) in zip(groups, matches) {
      let entries = members.map { places[$0] }
      drafts += self.drafts(entries, group: members[0], match: match, believed: match == .other ? belief.match(entries) : match)
    }
    if context.explain { Reasons(rows, edges: edges, clusters: clusters, entries: places) { name(of: $0) }.explain(&drafts) }
    return drafts
  }

  /// Queries are the same where their folded texts are, and the signs in these.
  private func queryDrafts(_ fit: TextFit, firstGroup: Int) -> [Draft] {
    let texts = queries.map { row(of: $0).title }
    let rows = NormalRecords(zip(queries, texts).map { MatchRecord(source: $0.provider, id: nil, name: $1) })
    var groups: [QueryKey: [Int]] = [:]
    for (index, text) in texts.enumerated() {
      let letters = rows.names[rows.records[index].names.lowerBound].joinedKey
      groups[QueryKey(letters: letters, text: text), default: []].append(index)
    }
    return groups.values.sorted { $0[0] < $1[0] }.flatMap { members in
      var records = drafts(members.map { queries[$0] }, group: firstGroup + members[0], match: fit.match(members, in: rows))
      if context.explain { for index in records.indices { records[index].merges = sameTexts(records[index].entries) } }
      return records
    }
  }

  /// Why queries are one row.
  private func sameTexts(_ entries: [Blending.Entry]) -> [MergeReason] {
    entries.dropFirst().map { MergeReason(first: name(of: entries[0]), second: name(of: $0), probability: 1, reasons: [.sameText]) }
  }

  /// The records of one place. All of them stand where the whole of it belongs.
  /// - Parameter believed: how their providers seem to think that the text fits, where it is not seen in the rows.
  private func drafts(_ entries: [Blending.Entry], group: Int, match: TextMatch, believed: TextMatch = .other) -> [Draft] {
    let entries = entries.sorted(by: Blending.Entry.leads)
    let ranking = Ranking(context: context, judges: batches.count > 1)
    let facts = facts(entries)
    let parts = ranking.parts(of: entries, facts: facts, match: match, believed: believed)
    let score = parts.reduce(0) { $0 + $1.value }
    let distance = ranking.distance(of: facts.location)
    return Blending.records(entries).map {
      Draft(entries: $0, group: group, match: match, parts: parts, score: score, distance: distance)
    }
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
