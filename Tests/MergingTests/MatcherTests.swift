import PlacesKit
import Testing

@testable import Merging

@Suite("Comparing records outside of a request")
struct MatcherTests {
  private func record(_ source: String, _ id: String, _ name: String, _ latitude: Double? = nil, _ longitude: Double? = nil) -> MatchRecord
  {
    var record = MatchRecord(source: source, id: id, name: name)
    if let latitude, let longitude { record.location = Coordinate(latitude: latitude, longitude: longitude) }
    return record
  }

  @Test("the order of records does not matter to their clusters")
  func order() {
    var random = Seeded(1)
    let records = (0..<60).map { number in
      record("s\(number % 4)", "\(number)", ["Bern", "Berlin", "Берн"][number % 3], 46 + Double(number / 12), 7)
    }
    func groups(_ records: [MatchRecord]) -> Set<Set<String>> {
      var members: [Int: Set<String>] = [:]
      for (record, cluster) in zip(records, Matcher.clusters(records)) { members[cluster, default: []].insert(record.id ?? "") }
      return Set(members.values)
    }
    let expected = groups(records)
    for _ in 0..<5 { #expect(groups(records.shuffled(using: &random)) == expected) }
  }

  @Test("no word is in two lists of the word table, or twice in one")
  func listedOnce() {
    var seen: Set<Substring> = []
    #expect(WordTable.listedWords.filter { !seen.insert($0).inserted } == [])
    #expect(seen.count > 500)
  }

  @Test(
    "a word with several meanings has the one that is commonest in names of places",
    arguments: [
      ("sta", Word.Kind.name, "saint"), ("dos", .filler, "dos"), ("do", .filler, "do"), ("as", .filler, "as"), ("neuf", .modifier, "new"),
      ("nove", .modifier, "new"), ("spa", .generic, "spa"), ("i", .number, "1"), ("ten", .number, "10"), ("sur", .modifier, "south"),
      ("s", .modifier, "south"), ("av", .generic, "avenue"), ("inside", .filler, "inside"),
    ])
  func meaning(_ word: String, _ kind: Word.Kind, _ meaning: String) throws {
    let entry = try #require(WordTable.entries[Word.key(of: word)])
    #expect(entry.kind == kind)
    let meaningKey = WordTable.entries[Word.key(of: meaning)]?.key ?? Word.key(of: meaning)
    #expect((entry.key ?? Word.key(of: word)) == meaningKey)
  }

  @Test("only the beginning of a huge text is compared", .timeLimit(.minutes(1)))
  func huge() {
    let words = (0..<20_000).map { "street\($0)" }.joined(separator: " ")
    let records = (0..<4).map { number in
      var record = record("s\(number)", "\(number)", words + " \(number)", 46, 7)
      record.address = words
      record.context = words + " улица"
      return record
    }
    #expect(Set(Matcher.clusters(records)).count == 1)
  }

  @Test("rows without points are joined from a higher probability", arguments: [(0.78, 2, 2), (0.8, 1, 2), (0.84, 1, 1)])
  func thresholds(_ probability: Double, _ located: Int, _ unlocated: Int) {
    func clusterCount(_ records: [MatchRecord]) -> Int {
      let pair = ScoredPair(first: 0, second: 1, probability: probability, byIdentifier: false)
      return Clusters(NormalizedRecords(records), scoredPairs: [pair], minProbability: PairClassifier.sameThreshold(areLocated:)).groups
        .count
    }
    #expect(clusterCount([record("a", "1", "Coop", 47.1, 9.5), record("b", "2", "Coop", 47.1, 9.5)]) == located)
    #expect(clusterCount([record("a", "1", "Coop", 47.1, 9.5), record("b", "2", "Coop")]) == unlocated)
    #expect((PairClassifier.decision(probability, areLocated: true) == .same) == (located == 1))
    #expect((PairClassifier.decision(probability, areLocated: false) == .same) == (unlocated == 1))
  }

  @Test("four sources' names of a town are one cluster, its neighbour another")
  func settlements() {
    let clusters = Matcher.clusters([
      record("dbpedia", "1", "Portland, Oregon", 45.52, -122.68), record("geonames", "2", "Portland", 45.523, -122.676),
      record("nyt", "3", "Portland (Ore)", 45.53, -122.65), record("freebase", "4", "Portland", 45.51, -122.67),
      record("geonames", "5", "Vancouver", 45.639, -122.661), record("nyt", "6", "Portland (Me)", 43.66, -70.26),
    ])
    #expect(clusters[0..<4].allSatisfy { $0 == clusters[0] })
    #expect(Set(clusters).count == 3)
  }

  @Test("records are joined from a lower probability than the rows of an answer")
  func clustersAsDaemon() {
    let records = [record("a", "1", "Gdansk", 54.35, 18.65), record("b", "2", "Danzig", 54.355, 18.65)]
    #expect(Matcher.compare(records[0], records[1]).decision == .maybe)
    #expect(Set(Matcher.clusters(records)).count == 1)
    #expect(Set(Matcher.clusters(records, asDaemon: true)).count == 2)
  }

  @Test("a verdict names its three strongest reasons, and a missing value is not one")
  func reasons() {
    let verdict = Matcher.compare(record("a", "1", "Hotel Adler", 52.5, 13.4), record("b", "2", "Hotel Adler", 52.5, 13.4))
    #expect(verdict.decision == .same && verdict.probability > 0.9)
    #expect(!verdict.reasons.isEmpty && verdict.reasons.count <= 3)
    #expect(!verdict.reasons.contains { $0.name.contains("hone") })
  }

  @Test("a comparison is symmetric")
  func symmetry() {
    let names = ["Gate 3", "Café am See", "Cafe Am See - Terrasse", "IBM", "International Business Machines", "慕尼黑", "!!!", ""]
    for a in names {
      for b in names {
        let (one, other) = (record("a", "1", a, 1, 1), record("b", "2", b, 1.0005, 1))
        #expect(abs(Matcher.compare(one, other).probability - Matcher.compare(other, one).probability) < 0.02, "\(a) / \(b)")
      }
    }
  }

  @Test("a record with only name and location counts as a business among businesses, otherwise as a town")
  func surroundings() {
    let (one, other) = (record("a", "1", "Tim Hortons", 43.65, -79.38), record("b", "2", "Tim Hortons", 43.66, -79.38))
    var business = record("b", "3", "Union Station")
    business.address = "65 Front Street West"
    var town = record("b", "4", "Toronto")
    town.category = "city"
    #expect(Matcher.compare(one, other, among: RecordSetProfile([one, business, business])).decision != .same)
    #expect(Matcher.compare(one, other, among: RecordSetProfile([one, business, town])).decision == .same)
    #expect(Matcher.compare(one, other).decision == .same)
    #expect(Set(Matcher.clusters([one, other, business, record("b", "5", "Tim Hortons", 43.6501, -79.38)])).count == 3)
  }

  @Test(
    "a house number is not a word of the street's name, with or without a letter",
    arguments: [
      ("12 Oak St", "12 Elm St", 0), ("12a Oak St", "12a Elm St", 0), ("12a Oak St", "14b Oak Street", 1), ("5th Ave", "5th Avenue", 1),
    ])
  func streets(first: String, second: String, share: Double) {
    var words = WordBuffer()
    let (a, b) = (words.add(first), words.add(second))
    #expect(words.streetSimilarity(a, b) == share)
  }

  @Test("arbitrary bytes can be compared")
  func anything() {
    var random = Seeded(7)
    for _ in 0..<cases(400, proof: 20_000) {
      func text() -> String {
        String(decoding: (0..<Int.random(in: 0..<90, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }, as: UTF8.self)
      }
      var (a, b) = (record(text(), text(), text(), 1, 1), record(text(), text(), text()))
      (a.phone, a.website, a.address, a.postcode, a.houseNumber, a.country) = (text(), text(), text(), text(), text(), text())
      (b.phone, b.website, b.address, b.postcode, b.houseNumber, b.category) = (text(), text(), text(), text(), text(), text())
      (b.locality, b.region, b.equivalents) = (text(), text(), [text()])
      #expect((0...1).contains(Matcher.compare(a, b).probability))
    }
  }
}
