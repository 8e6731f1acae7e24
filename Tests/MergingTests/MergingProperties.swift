import Merging
import PlacesKit
import Testing

@Suite("Properties of every merge")
struct MergingProperties {
  private let context = MergeContext(query: "ber", language: "en", limit: 50, explain: true)

  @Test("the order of arrival does not change the answer")
  func arrival() {
    for seed in 0..<UInt64(cases(80, proof: 5_000)) {
      let batches = randomBatches(seed: seed)
      let answer = Merger().suggestions(batches, context: context)
      var random = Seeded(seed + 1)
      for _ in 0..<3 { #expect(Merger().suggestions(batches.shuffled(using: &random), context: context) == answer, "seed \(seed)") }
    }
  }

  @Test("a streamed answer without a partial one equals that of the whole batch")
  func streaming() {
    for seed in 0..<UInt64(cases(80, proof: 5_000)) {
      var random = Seeded(seed)
      let batches = randomBatches(seed: seed)
      var partial = PartialMerge<Suggestion>(context: context)
      #expect(partial.final(batches.shuffled(using: &random)) == Merger().suggestions(batches, context: context), "seed \(seed)")
    }
  }

  @Test("rows that were shown keep their order, leading source, text and sources, and the others follow", arguments: [true, false])
  func stability(folds: Bool) {
    for seed in 0..<UInt64(cases(120, proof: 20_000)) {
      checkStability(seed: seed, folds: folds, randomBatches(seed: seed)) {
        Merger().suggestions($0, context: $1)
      } text: {
        [$0.text.text, $0.primary?.text, $0.secondary?.text, $0.language]
      }
    }
  }

  @Test("the places of a streamed search keep their order, leading source, name and sources too", arguments: [true, false])
  func placeStability(folds: Bool) {
    for seed in 0..<UInt64(cases(120, proof: 20_000)) {
      checkStability(seed: seed, folds: folds, randomPlaces(seed: seed)) {
        Merger().places($0, context: $1)
      } text: {
        [$0.name]
      }
    }
  }

  /// Streams the answers in a random order, and compares each list with the one before it.
  /// - Parameters:
  ///   - merge: merges all answers at once.
  ///   - text: the texts of a row that the user sees and that must not change.
  private func checkStability<Row: MergeableRow>(
    seed: UInt64, folds: Bool, _ batches: [ProviderBatch<Row>], merge: ([ProviderBatch<Row>], MergeContext) -> [MergedRow<Row>],
    text: (Row) -> [String?]
  ) {
    var random = Seeded(seed)
    let limit = Int.random(in: 1...15, using: &random)
    let context = MergeContext(query: "ber", limit: limit, folds: folds)
    var partial = PartialMerge<Row>(context: context)
    // Any order of arrival, several at a time, and any number of them before the first list is shown.
    let batches = batches.shuffled(using: &random)
    let arrivals = batches.indices.filter { _ in Bool.random(using: &random) }
    var lists = arrivals.map { partial.show(Array(batches[...$0])) }
    for list in lists { #expect(list.count <= limit - limit / 3, "seed \(seed): a third is free") }
    lists.append(partial.final(batches))
    #expect(lists.last.map { $0.count <= limit } == true, "seed \(seed)")
    for (before, now) in zip(lists, lists.dropFirst()) {
      #expect(now.count >= before.count, "seed \(seed)")
      for (old, new) in zip(before, now) {
        #expect(old.sources.first == new.sources.first && old.provider == new.provider && old.id == new.id, "seed \(seed)")
        #expect(text(old.value) == text(new.value), "seed \(seed)")
        #expect(Set(old.allSources).isSubset(of: new.allSources), "seed \(seed)")
      }
    }
    let whole = merge(batches, context)
    #expect(lists.last?.count ?? 0 >= whole.count || !arrivals.isEmpty, "seed \(seed)")
  }

  @Test("no provider's row is in two rows of a list, and no row is lost within the limit")
  func partition() {
    for seed in 0..<UInt64(cases(80, proof: 5_000)) {
      var random = Seeded(seed)
      let batches = randomBatches(seed: seed).shuffled(using: &random)
      var partial = PartialMerge<Suggestion>(context: MergeContext(query: "ber", limit: 1_000))
      var ids: [String] = []
      for count in 1...batches.count {
        ids = partial.show(Array(batches.prefix(count))).flatMap(\.allSources).compactMap(\.id)
        #expect(Set(ids).count == ids.count, "seed \(seed)")
      }
      ids = partial.final(batches).flatMap(\.allSources).compactMap(\.id)
      #expect(Set(ids).count == ids.count, "seed \(seed)")
      let given = Set(batches.flatMap { batch in batch.rows.compactMap { row in row.id.map { "\(batch.provider):\($0)" } } })
      #expect(Set(ids) == given, "seed \(seed)")
    }
  }

  @Test("a folded list has the rows of the flat one: each place once, at its first position, with its other blends as alternatives")
  func folding() {
    for seed in 0..<UInt64(cases(150, proof: 20_000)) {
      let batches = randomBatches(seed: seed).map { batch in
        var batch = batch
        batch.terms.keepsOrder = false
        return batch
      }
      let folded = Merger().suggestions(batches, context: MergeContext(query: "ber", limit: 1_000))
      let flat = Merger().suggestions(batches, context: MergeContext(query: "ber", limit: 1_000, folds: false))
      #expect(folded.allSatisfy { $0.group == nil }, "seed \(seed)")
      var places: [[MergedSuggestion]] = []
      for row in flat {
        if let group = row.group, let index = places.firstIndex(where: { $0[0].group == group }) {
          places[index].append(row)
        } else {
          places.append([row])
        }
      }
      #expect(folded.map { Set($0.allSources) } == places.map { Set($0.flatMap(\.sources)) }, "seed \(seed)")
      for (row, place) in zip(folded, places) {
        #expect([row.value] + row.alternatives.map(\.value) == place.map(\.value), "seed \(seed)")
        #expect(row.alternatives.allSatisfy { $0.row == row.row && $0.alternatives.isEmpty }, "seed \(seed)")
      }
    }
  }

  @Test("no row has two places of one service, nor two ids of one namespace")
  func oneRowPerService() {
    for seed in 0..<UInt64(cases(100, proof: 10_000)) {
      for row in Merger().suggestions(randomBatches(seed: seed), context: context) {
        #expect(Set(row.sources.map(\.provider)).count == row.sources.count, "seed \(seed)")
      }
      let batches = randomBatches(seed: seed)
      let answer = Merger().suggestions(batches, context: context)
      for row in answer {
        let ids = row.allSources.compactMap(\.id)
        #expect(Set(row.allSources.map(\.provider)).count == Set(ids).count || ids.isEmpty, "seed \(seed)")
        let wikidata = Set(ids.flatMap { id in equivalents(of: id, batches) })
        #expect(wikidata.count <= 1, "seed \(seed): \(wikidata)")
      }
    }
  }

  @Test("rows are blended only as the terms allow, and every credit is included")
  func terms() {
    for seed in 0..<UInt64(cases(1_000, proof: 100_000)) {
      let batches = randomBatches(seed: seed, providers: 4, places: 5)
      let terms = Dictionary(uniqueKeysWithValues: batches.map { ($0.provider, $0.terms) })
      let rows = Merger().suggestions(batches, context: MergeContext(query: "ber", limit: 50))
      for row in rows.flatMap({ [$0] + $0.alternatives }) where row.value.kind == .place {
        let mixings = Set(row.sources.compactMap { terms[$0.provider]?.mixing })
        #expect(mixings.count == 1, "seed \(seed)")
        if mixings == [.never] { #expect(row.sources.count == 1, "seed \(seed)") }
        #expect(Set(row.attributions.map(\.provider)) == Set(row.sources.map(\.provider)), "seed \(seed)")
      }
    }
  }

  @Test("rows of a service whose order must be kept are in that order")
  func order() {
    for seed in 0..<UInt64(cases(150, proof: 10_000)) {
      let batches = randomBatches(seed: seed)
      let answer = Merger().suggestions(batches, context: context)
      for batch in batches where batch.terms.keepsOrder {
        let ranks = answer.compactMap { row in row.sources.first { $0.provider == batch.provider && $0.id != nil }?.rank }
        #expect(ranks == ranks.sorted(), "seed \(seed)")
      }
    }
  }

  @Test("the answer contains every row of every service")
  func completeness() {
    for seed in 0..<UInt64(cases(100, proof: 5_000)) {
      let batches = randomBatches(seed: seed)
      let found = Set(Merger().suggestions(batches, context: MergeContext(query: "", limit: 1_000)).flatMap(\.allSources).compactMap(\.id))
      let given = Set(batches.flatMap { batch in batch.rows.compactMap { row in row.id.map { "\(batch.provider):\($0)" } } })
      #expect(found == given, "seed \(seed)")
    }
  }

  @Test("`explain` changes nothing else, also if one service answers and no rows are compared")
  func reasons() {
    for seed in 0..<UInt64(cases(400, proof: 20_000)) {
      for providers in 1...2 {
        let batches = randomBatches(seed: seed, providers: providers)
        var context = MergeContext(query: "ber", language: "en", origin: Coordinate(latitude: 0, longitude: 0), limit: 50)
        if seed % 3 == 0 { context.boosts = ["p0:3": 0.9, "p0:5": 0.4] }
        context.nearestFirst = seed % 5 == 0
        let brief = Merger().suggestions(batches, context: context)
        context.explain = true
        let explained = Merger().suggestions(batches, context: context)
        #expect(brief == withoutReasons(explained), "seed \(seed), \(providers) services")
      }
    }
  }

  @Test("a place that a service returns twice under one id, or without ids, is one row")
  func ownDuplicates() {
    let here = (52.52, 13.405)
    #expect(merge([batch("a", [place("1", "Berlin", at: here), place("2", "Bern"), place("1", "Berlin")])]).count == 2)
    #expect(merge([batch("a", [place(nil, "Berlin", at: here), place(nil, "BERLIN", at: here)])]).count == 1)
    #expect(merge([batch("a", [place("1", "Berlin", at: here), place("2", "Berlin", at: here)])]).count == 2)
    #expect(merge([batch("openstreetmap", [place("node/1", "Berlin"), place("N1", "Berlin")])]).count == 1)
  }

  private func withoutReasons(_ rows: [MergedSuggestion]) -> [MergedSuggestion] {
    rows.map {
      var row = $0
      row.explanation = nil
      for index in row.alternatives.indices { row.alternatives[index].explanation = nil }
      return row
    }
  }

  private func equivalents(of id: String, _ batches: [ProviderBatch<Suggestion>]) -> [String] {
    batches.flatMap { batch in batch.rows.filter { "\(batch.provider):\($0.id ?? "")" == id }.flatMap(\.evidence.equivalents) }
  }
}
