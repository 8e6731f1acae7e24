import Merging
import PlacesKit
import Testing

@Suite("Whatever services answer")
struct MergingProperties {
  private let context = MergeContext(query: "ber", language: "en", limit: 50, explain: true)

  @Test("any order of arrival gives the same answer")
  func arrival() {
    for seed in 0..<UInt64(cases(80, proof: 5_000)) {
      let batches = randomBatches(seed: seed)
      let answer = Merger().suggestions(batches, context: context)
      var random = Seeded(seed + 1)
      for _ in 0..<3 { #expect(Merger().suggestions(batches.shuffled(using: &random), context: context) == answer, "seed \(seed)") }
    }
  }

  @Test("a streamed answer ends as the whole batch's")
  func streaming() {
    for seed in 0..<UInt64(cases(80, proof: 5_000)) {
      var random = Seeded(seed)
      let batches = randomBatches(seed: seed)
      var partial = PartialMerge<Suggestion>(context: context)
      for batch in batches.shuffled(using: &random) { partial.add(batch) }
      let streamed = partial.final()
      let whole = Merger().suggestions(batches, context: context)
      #expect(withoutKeys(streamed) == withoutKeys(whole), "seed \(seed)")
      #expect(Set(streamed.map(\.row)).count == streamed.count, "seed \(seed): each row has a key of its own")
    }
  }

  @Test("a partial list never moves a row, and never takes anything from one")
  func stability() {
    for seed in 0..<UInt64(cases(80, proof: 5_000)) {
      var random = Seeded(seed)
      var partial = PartialMerge<Suggestion>(context: MergeContext(query: "ber", limit: 15))
      var before: [MergedSuggestion] = []
      for batch in randomBatches(seed: seed).shuffled(using: &random) {
        let now = partial.add(batch)
        #expect(now.count >= before.count && now.count <= 15)
        for (old, new) in zip(before, now) {
          #expect(old.row == new.row, "seed \(seed)")
          #expect(Set(old.sources).isSubset(of: new.sources), "seed \(seed)")
        }
        before = now
      }
      let final = partial.final()
      for row in final where Int(row.row.dropFirst()) ?? 99 <= before.count {
        let shown = before.first { $0.row == row.row }
        #expect(shown.map { !Set($0.sources).isDisjoint(with: row.sources) } == true, "seed \(seed): a key stays with its row")
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
      for rows in Dictionary(grouping: answer, by: { $0.group ?? $0.row }).values {
        let ids = rows.flatMap(\.sources).compactMap(\.id)
        #expect(Set(rows.flatMap(\.sources).map(\.provider)).count == Set(ids).count || ids.isEmpty, "seed \(seed)")
        let wikidata = Set(ids.flatMap { id in equivalents(of: id, batches) })
        #expect(wikidata.count <= 1, "seed \(seed): \(wikidata)")
      }
    }
  }

  @Test("nothing is blended that terms keep apart, and every credit is given")
  func terms() {
    for seed in 0..<UInt64(cases(1_000, proof: 100_000)) {
      let batches = randomBatches(seed: seed, providers: 4, places: 5)
      let terms = Dictionary(uniqueKeysWithValues: batches.map { ($0.provider, $0.terms) })
      for row in Merger().suggestions(batches, context: MergeContext(query: "ber", limit: 50)) {
        let mixings = Set(row.sources.compactMap { terms[$0.provider]?.mixing })
        #expect(mixings.count == 1, "seed \(seed)")
        if mixings == [.never] { #expect(row.sources.count == 1, "seed \(seed)") }
        #expect(Set(row.attributions.map(\.provider)) == Set(row.sources.map(\.provider)), "seed \(seed)")
      }
    }
  }

  @Test("a service whose order must be kept finds its rows in that order")
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

  @Test("every row of every service is somewhere in the answer")
  func completeness() {
    for seed in 0..<UInt64(cases(100, proof: 5_000)) {
      let batches = randomBatches(seed: seed)
      let found = Set(Merger().suggestions(batches, context: MergeContext(query: "", limit: 1_000)).flatMap(\.sources).compactMap(\.id))
      let given = Set(batches.flatMap { batch in batch.rows.compactMap { row in row.id.map { "\(batch.provider):\($0)" } } })
      #expect(found == given, "seed \(seed)")
    }
  }

  @Test("asking for reasons changes nothing else, also where one service answers and its rows need no comparing")
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

  @Test("a service that gives a place twice under one id, or without ids, has it once")
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
      return row
    }
  }

  private func withoutKeys(_ rows: [MergedSuggestion]) -> [MergedSuggestion] {
    rows.map {
      var row = $0
      (row.row, row.group) = ("", row.group == nil ? nil : "")
      return row
    }
  }

  private func equivalents(of id: String, _ batches: [ProviderBatch<Suggestion>]) -> [String] {
    batches.flatMap { batch in batch.rows.filter { "\(batch.provider):\($0.id ?? "")" == id }.flatMap(\.evidence.equivalents) }
  }
}
