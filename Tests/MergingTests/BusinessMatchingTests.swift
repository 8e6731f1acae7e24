import Merging
import PlacesKit
import Testing

@Suite("Two services' records of businesses")
struct BusinessMatchingTests {
  private let here = (1.3005, 103.845)

  private func record(
    _ source: String, _ name: String, _ category: String? = nil, address: String? = nil, metres: Double = 0, id: String? = nil
  )
    -> MatchRecord
  {
    var record = MatchRecord(source: source, id: id ?? name, name: name)
    record.location = Coordinate(latitude: here.0 + metres / 111_195, longitude: here.1)
    (record.category, record.address) = (category, address)
    return record
  }

  private func compare(_ a: MatchRecord, _ b: MatchRecord, among others: [MatchRecord] = []) -> MatchPrediction {
    Matcher.compare(a, b, among: RecordSetProfile([a, b] + others))
  }

  @Test(
    "have a house in common, however the numbers are written",
    arguments: [
      ("45-46 Main Street", "46 Main Street"), ("Main Street 45-49", "47 Main Street"), ("3 & 5 Main Street", "5 Main Street"),
      ("3/5 Main Street", "Main Street 5"), ("15203.0 Main Street", "15203 Main Street"), ("Rua 13, 45", "45 Rua 13"),
      ("Blk 123 Main Street", "Block 123 Main Street"), ("Main Street 12, #02-12", "12 Main Street"),
      ("61-03 Main Street", "6103 Main Street"),
      ("Unit 4, 12 Main Street", "12 Main Street"), ("Main Street 12–14", "14 Main Street"), ("3, 5 Main Street", "5 Main Street"),
      ("主街5号", "主街 5"),
    ])
  func sameHouse(_ first: String, _ second: String) {
    #expect(houses(first, second) == "sameHouse")
  }

  @Test(
    "have two houses if the numbers differ",
    arguments: [
      ("45-49 Main Street", "46 Main Street"), ("219-47 Main Street", "219-12 Main Street"), ("12a Main Street", "12b Main Street"),
      ("Main Street 12, #02-12", "2 Main Street"), ("Rua 13, 45", "13 Rua 45"), ("3 & 5 Main Street", "4 Main Street"),
    ])
  func otherHouse(_ first: String, _ second: String) {
    #expect(houses(first, second) == "houseConflict")
  }

  @Test("have no house number if the address has none", arguments: ["5th Avenue", "Main Street", "Suite 4", "10115345 Berlin", ""])
  func noHouse(_ address: String) { #expect(houses(address, "4 Main Street") == "") }

  private func houses(_ first: String, _ second: String) -> String {
    let values = Matcher.features(record("a", "Adler", address: first), record("b", "Adler", address: second), among: RecordSetProfile([]))
      .values
    return zip(Matcher.featureNames, values).filter { ["sameHouse", "houseConflict"].contains($0.0) && $0.1 > 0 }.map(\.0).joined()
  }

  @Test(
    "are two if one is a part of the other, or if both have different words for their kind",
    arguments: [
      ("Plaza Singapura", "mall", "Starbucks @ Plaza Singapura", "coffee_shop"), ("Capella Hotel", "hotel", "Capella Gym", "gym"),
      ("Plaza Singapura", nil, "Starbucks | Plaza Singapura", nil), ("Westwood Park", "park", "Westwood Field", "park"),
      ("Grand Hotel", "hotel", "Ballroom at Grand Hotel", "event_venue"),
    ])
  func parts(_ first: String, _ firstCategory: String?, _ second: String, _ secondCategory: String?) {
    #expect(compare(record("a", first, firstCategory), record("b", second, secondCategory)).decision != .same)
    #expect(compare(record("a", second, secondCategory), record("b", first, firstCategory)).decision != .same)
  }

  @Test(
    "are one if spaces or full stops are the difference",
    arguments: [
      ("Al'Frank", "Al' Frank", "restaurant"), ("I.J. Smith", "I. J. Smith", "lawyer"),
      ("Starbucks @ Plaza", "Starbucks at Plaza", "coffee_shop"),
      ("Al Frank Grill", "Alfrank Grill", "restaurant"),
    ])
  func spelling(_ first: String, _ second: String, _ category: String) {
    #expect(compare(record("a", first, category), record("b", second, category, metres: 30)).decision == .same)
  }

  @Test("are two departments of one place if each name has a word for a part that the other lacks")
  func departments() {
    let (urology, radiology) = (record("a", "Mercy Urology", "doctor"), record("b", "Mercy Radiology", "doctor", metres: 10))
    #expect(value(of: "partConflict", urology, radiology) == 1)
    #expect(value(of: "partConflict", urology, record("b", "Mercy", "doctor", metres: 10)) == 0)
    #expect(compare(urology, radiology).decision == .different)
  }

  @Test(
    "are compared without the name of the place that contains one of them",
    arguments: [
      ("Subway", "SUBWAY | Mercy Hospital", 1.0), ("Subway", "Subway inside Mercy Hospital", 1), ("Subway", "Subway Mercy", 0),
      ("Adler, Mercy Hospital", "Subway, Mercy Hospital", 0), ("Subway", "Subway", 0),
    ])
  func ownParts(_ first: String, _ second: String, _ overlap: Double) {
    #expect(value(of: "headOverlap", record("a", first, "restaurant"), record("b", second, "restaurant")) == overlap)
    #expect(value(of: "headOverlap", record("b", second, "restaurant"), record("a", first, "restaurant")) == overlap)
  }

  @Test(
    "are two if one lies in the other, after any preposition",
    arguments: [
      "Subway at Mercy Hospital", "Subway inside Mercy Hospital", "Subway within the Mercy Hospital", "Subway beim Mercy Hospital",
    ])
  func inside(_ longer: String) {
    #expect(value(of: "insideOther", record("a", "Mercy Hospital", "hospital"), record("b", longer, "hospital")) == 1)
  }

  @Test(
    "are less likely the same if one name ends with the other after further words, but not after an article",
    arguments: [("Queen Victoria Park", 1.0), ("The Victoria Park", 0), ("Kiosk at Victoria Park", 0), ("Victoria Park Kiosk", 0)])
  func ends(_ longer: String, _ expected: Double) {
    #expect(value(of: "endOfOther", record("a", "Victoria Park", "park"), record("b", longer, "park")) == expected)
  }

  @Test("count a lead over rivals more if they have one name or are far apart")
  func leadWithSameName() {
    let (near, far) = (record("a", "Adler", "restaurant"), record("b", "Adler", "restaurant", metres: 200))
    let rival = record("b", "Adlerhorst", "restaurant", metres: 400)
    let lead = value(of: "aheadOfRivals", near, far, among: [rival])
    #expect(lead > 0)
    #expect(value(of: "aheadWithSameName", near, far, among: [rival]) == lead)
    #expect(value(of: "aheadAtDistance", near, far, among: [rival]) > lead)
  }

  @Test("count a rival that matches better more if they are far apart")
  func behindAtDistance() {
    let (one, rival) = (record("a", "Adler", "restaurant"), record("b", "Adler", "restaurant", id: "near"))
    func behind(_ metres: Double, _ feature: String) -> Double {
      value(of: feature, one, record("b", "Adlerhorst", "restaurant", metres: metres), among: [rival])
    }
    #expect(behind(0, "behindRival") > 0)
    #expect(behind(0, "behindAtDistance") == 0)
    #expect(behind(300, "behindAtDistance") > behind(100, "behindAtDistance"))
    #expect(value(of: "behindAtDistance", one, record("b", "Adler", "restaurant", metres: 100)) == 0)
  }

  @Test(
    "are less likely the same if only one name begins with a word that the other lacks, but not with an article or in another order",
    arguments: [
      ("Joe's Pizza", "Pizza", 1.0), ("The Adler", "Adler", 0), ("Pizza Joe", "Joe Pizza", 0), ("Subway", "Subway Mercy", 0),
      ("Fossil Store", "Guess Store", 0), ("Al Frank", "Alfrank", 0), ("Starbucks Tokyo", "スターバックス 東京", 0),
    ])
  func firstWords(_ first: String, _ second: String, _ expected: Double) {
    for (one, other) in [(first, second), (second, first)] {
      #expect(value(of: "firstWordInOne", record("a", one, "shop"), record("b", other, "shop")) == expected)
    }
    guard expected > 0 else { return }
    // The same additional word counts more before the common words than after them.
    func probability(_ name: String) -> Double {
      compare(record("a", "Adler", "restaurant"), record("b", name, "restaurant", metres: 20)).probability
    }
    #expect(probability("Harbour Adler") < probability("Adler Harbour") - 0.1)
  }

  @Test("are more likely the same with each distinctive word that both names have, but words that are only similar do not count")
  func sharedNames() {
    func shared(_ first: String, _ second: String) -> Double {
      value(of: "sharedNames", record("a", first, "restaurant"), record("b", second, "restaurant"))
    }
    #expect(shared("Adler Hirsch", "Hirsch Adler Pizza") > shared("Adler Hirsch", "Hirsch Bar") + 0.3)
    #expect(shared("Adler Restaurant", "The Restaurant") == 0 && shared("Martinez", "Martinson") == 0)
    // Each of these characters is a word.
    #expect(shared("東京食堂", "東京食堂本店") == 0)
  }

  @Test(
    "are more likely the same if the other row has the category that a name's additional word means, and less if it has another one",
    arguments: [
      ("Joe's", "restaurant", "Joe's Pizza", 1.0, 0.0), ("Joe's", "bank", "Joe's Pizza", 0, 1), ("Joe's", nil, "Joe's Pizza", 0, 0),
      ("Joe's Pizza", "restaurant", "Joe's Pizza", 0, 0), ("Joe's", "bank", "Joe's Corner", 0, 0),
      ("Vista Verde", "church", "Vista Verde Preschool", 0, 1),
    ])
  func kindWords(_ name: String, _ category: String?, _ longer: String, _ fits: Double, _ unlike: Double) {
    let (one, other) = (record("a", name, category), record("b", longer, "restaurant"))
    #expect(value(of: "restFitsCategory", one, other) == fits && value(of: "restFitsCategory", other, one) == fits)
    #expect(value(of: "restUnlikeCategory", one, other) == unlike && value(of: "restUnlikeCategory", other, one) == unlike)
  }

  private func value(of feature: String, _ a: MatchRecord, _ b: MatchRecord, among others: [MatchRecord] = []) -> Double {
    let values = Matcher.features(a, b, among: RecordSetProfile([a, b] + others)).values
    return zip(Matcher.featureNames, values).first { $0.0 == feature }?.1 ?? .nan
  }

  @Test("are more likely the same if the word that one name lacks is the category of both")
  func categoryWord() {
    let (one, other) = (record("a", "Bitcoin Depot", "atm"), record("b", "Bitcoin Depot ATM", "atm"))
    #expect(compare(one, other).probability > compare(record("a", "Bitcoin Depot", "bank"), other).probability + 0.2)
    #expect(compare(one, other).decision != .different)
  }

  @Test(
    "are one if both name one station or stop, whose points are farther apart than a shop's, but not with another name or two kilometres apart",
    arguments: [
      ("Union Station", "train_station", "Union Station", "train_station", 150.0, true),
      ("Oxford Circus", "subway_station", "Oxford Circus Station", "transit_station", 120, true),
      ("Main Street", "bus_stop", "Main Street", "bus_station", 60, true),
      ("Main Street", "bus_stop", "High Street", "bus_stop", 60, false),
      ("Union Station", "train_station", "Union Station", "train_station", 2_000, false),
      ("Union Station", "train_station", "Union Station", "restaurant", 150, false),
    ])
  func stations(_ first: String, _ firstCategory: String, _ second: String, _ secondCategory: String, metres: Double, areOne: Bool) {
    let found = compare(record("a", first, firstCategory), record("b", second, secondCategory, metres: metres))
    #expect((found.decision == .same) == areOne, "\(found.probability)")
  }

  @Test(
    "are not one because both are gyms or courts",
    arguments: [
      ("Basketball Court", "Tennis Court", "sports_complex"), ("Crunch Gym", "Gold's Gym", "gym"), ("Westwood Gym", "Eastwood Gym", "gym"),
      ("Court 1", "Court 2", "sports_complex"), ("Hilltop Residences Gym", "Riverside Residences Gym", "gym"),
    ])
  func gyms(_ first: String, _ second: String, _ category: String) {
    let found = compare(record("a", first, category), record("b", second, category, metres: 20))
    #expect(found.decision != .same, "\(found.probability)")
  }

  @Test("with one name are less likely the same with growing distance, and beyond a kilometre they are two")
  func distance() {
    let probabilities = [20.0, 150, 300, 500, 800, 1_500].map { metres in
      compare(record("a", "Nando's", "restaurant"), record("b", "Nando's", "restaurant", metres: metres)).probability
    }
    #expect(probabilities[0] > 0.9 && probabilities[5] < 0.2)
    #expect(zip(probabilities, probabilities.dropFirst()).allSatisfy { $0 > $1 })
  }

  @Test("are less likely the same if another row matches better, and more likely if none does")
  func rivals() {
    let (one, far) = (record("a", "Nando's", "restaurant"), record("b", "Nando's", "restaurant", metres: 300, id: "far"))
    let (near, stranger) = (record("b", "Nando's", "restaurant", metres: 10, id: "near"), record("b", "Luigi", "bar", metres: 10))
    let alone = compare(one, far).probability
    #expect(compare(one, far, among: [near]).probability < alone - 0.1)
    #expect(compare(one, far, among: [stranger]).probability > alone)
    #expect(compare(one, far, among: [near]).decision == .different)
    let rows = merge([
      batch("a", [place("1", "Nando's", at: here, types: ["restaurant"])]),
      batch(
        "b",
        [
          place("8", "Nando's", at: (here.0 + 0.0001, here.1), types: ["restaurant"]),
          place("9", "Nando's", at: (here.0 + 0.0014, here.1), types: ["restaurant"]),
        ]),
    ])
    #expect(Set(rows.map { Set($0.sources.compactMap(\.id)) }) == [["a:1", "b:8"], ["b:9"]])
  }

  @Test("are one with every row of a cluster if one of its rows has their name in another language")
  func translatedName() {
    func gate(_ id: String, _ name: String, _ others: [String] = []) -> Suggestion {
      place(id, name, at: (52.5163, 13.3777), types: ["tourist_attraction"], secondary: "Pariser Platz, Berlin") { $0.otherNames = others }
    }
    let local = ["b", "c"].map { batch($0, [gate("1", "Brandenburger Tor")]) }
    let both = batch("a", [gate("1", "Brandenburger Tor", ["Brandenburg Gate"])])
    let english = batch("d", [gate("1", "Brandenburg Gate")])
    #expect(merge([both] + local + [english]).map { $0.sources.count } == [4])
    // A namesake far away has the name and is another place.
    let model = batch("e", [place("9", "Brandenburg Gate", at: (48.1, 11.5), types: ["tourist_attraction"])])
    #expect(merge([both] + local + [model]).map { $0.sources.count }.sorted() == [1, 3])
  }

  @Test("that are segments of one street have different ids on a map")
  func segments() {
    func segment(_ id: String, _ way: String, _ latitude: Double, _ type: PlaceType = "route") -> Suggestion {
      place(id, "Landstrasse", at: (latitude, 9.5), types: [type], secondary: "Balzers, Liechtenstein") {
        $0.equivalents = ["osm:way/\(way)"]
      }
    }
    #expect(merge([batch("a", [segment("1", "11", 47.066)]), batch("b", [segment("2", "22", 47.07)])]).count == 1)
    #expect(merge([batch("a", [segment("1", "11", 47.066)]), batch("b", [segment("2", "22", 47.16)])]).count == 2)
    #expect(merge([batch("a", [segment("1", "11", 47.066, "park")]), batch("b", [segment("2", "22", 47.066, "park")])]).count == 2)
  }

  @Test("have weak evidence if the word in common is in the names of many other rows")
  func commonWords() {
    let (one, other) = (record("a", "Vaduzer Lavendel", "shop"), record("b", "Vaduzer Kessel", "shop"))
    let alike = (0..<12).flatMap { number in
      ["a", "b"].map {
        record($0, "Vaduzer \(["Mond", "Stern", "Wolke", "Regen"][number % 4])\(number)", "shop", metres: Double(5_000 + number * 20))
      }
    }
    let unlike = alike.map { row in
      var row = row
      row.name = String(row.name.dropFirst(8))
      return row
    }
    #expect(compare(one, other, among: alike).probability < compare(one, other, among: unlike).probability * 0.85)
  }

  @Test("that are villages of one name more than ten kilometres apart are two")
  func villages() {
    func village(_ source: String, _ metres: Double, _ category: String?, importance: Double? = nil) -> MatchRecord {
      var village = record(source, "Neudorf", category, metres: metres)
      village.importance = importance
      return village
    }
    #expect(Matcher.compare(village("a", 0, "village"), village("b", 1_000, "village")).decision == .same)
    #expect(Matcher.compare(village("a", 0, "village"), village("b", 10_500, "village")).probability == 0)
    #expect(Matcher.compare(village("a", 0, "village"), village("b", 10_500, nil)).probability == 0)
    // Services state only that both are settlements. The gazetteer knows their size.
    let small = village("a", 0, "locality", importance: 0.4)
    #expect(Matcher.compare(small, village("b", 10_500, "locality")).probability == 0)
    #expect(Matcher.compare(small, village("b", 3_000, "locality")).decision == .same)
    #expect(Matcher.compare(village("a", 0, "locality", importance: 0.75), village("b", 10_500, "locality")).decision == .same)
  }
}
