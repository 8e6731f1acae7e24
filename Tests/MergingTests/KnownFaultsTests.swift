import Merging
import PlacesKit
import Testing

@Suite("Faults of providers")
struct KnownFaultsTests {
  private let berlin = (52.52, 13.405)

  @Test("a provider that fails does not change the rows of others")
  func failing() {
    let answer = merge([batch("a", [place("1", "Berlin", at: berlin, types: ["locality"])]), batch("b", [])], query: "ber")
    #expect(answer.map(\.id) == ["a:1"])
  }

  @Test("a place that a provider returns twice has one vote")
  func selfAgreement() {
    let twice = batch(
      "a", [place("1", "Berlin", at: berlin), place("2", "Bernau", at: (52.68, 13.58)), place("2", "Bernau", at: (52.68, 13.58))])
    let answer = merge([twice, batch("b", [])], query: "ber", explain: true)
    #expect(answer.map(\.id) == ["a:1", "a:2"])
    #expect(answer.map(\.sources.count) == [1, 1])
    let once = merge([batch("a", Array(twice.rows.prefix(2))), batch("b", [])], query: "ber", explain: true)
    #expect(answer.map(\.explanation?.score) == once.map(\.explanation?.score))
  }

  @Test("a chain of similar rows never joins two places of one provider")
  func chain() {
    // B lies between A and C, and is called like both.
    let answer = merge([
      batch("p", [place("A", "Café Central", at: (48.2100, 16.3650)), place("C", "Café Central", at: (48.2104, 16.3656))]),
      batch("q", [place("B", "Café Central", at: (48.2102, 16.3653))]),
    ])
    #expect(answer.count == 2)
    #expect(answer.allSatisfy { Set($0.sources.map(\.provider)).count == $0.sources.count })
  }

  @Test(
    "names in any script are recognised, in that script and in Latin letters",
    arguments: [
      ("Москва", "Москва"), ("Москва", "Moskva"), ("Αθήνα", "Athina"), ("Владивосток", "Vladivostok"), ("서울", "Seoul"), ("ハルビン", "Harubin"),
      ("慕尼黑", "慕尼黑"), ("กรุงเทพมหานคร", "กรุงเทพมหานคร"), ("القاهرة", "القاهرة"), ("ＢＥＲＬＩＮ", "Berlin"), ("Łódź", "Lodz"), ("!!!", "!!!"),
    ])
  func scripts(_ first: String, _ second: String) {
    let answer = merge([
      batch("a", [place("1", first, at: berlin, types: ["locality"])]),
      batch("b", [place("9", second, at: (52.521, 13.406), types: ["locality"])]),
    ])
    #expect(answer.count == 1)
  }

  @Test(
    "siblings stay apart, however near they are, whether or not their types are known",
    arguments: [
      ("Gate 3", "Gate 4"), ("Terminal 1", "Terminal 2"), ("Terminal One", "Terminal Two"), ("Platform 9", "Platform 10"),
      ("North Hall", "South Hall"), ("Oberhausen Nord", "Oberhausen Süd"), ("Lift II", "Lift III"), ("Lift XI", "Lift XII"),
      ("Terminal A", "Terminal B"), ("Terminal E", "Terminal N"), ("Terminal A", "Terminal 1"), ("Hall A East", "Hall B"),
      ("A Gates", "B Gates"), ("Parking P1", "Parking P2"), ("Gate B12", "Gate B14"), ("Gate 3A", "Gate 3B"), ("Gate 3", "Gate 3A"),
      ("Terminal2", "Terminal1"), ("Gate Seven", "Gate Eight"), ("2nd Street", "3rd Street"), ("Корпус А", "Корпус Б"),
      ("Школа № 12", "Школа № 14"), ("المبنى ٣", "المبنى ٤"), ("3号航站楼", "2号航站楼"), ("第一航站楼", "第二航站楼"), ("二十号楼", "二十一号楼"),
      ("A座", "B座"), ("成田空港第1ターミナル", "成田空港第2ターミナル"), ("ターミナルA", "ターミナルB"), ("제1터미널", "제2터미널"),
    ], [[], ["airport"]])
  func siblings(_ names: (String, String), _ types: [PlaceType]) {
    let answer = merge([
      batch("a", [place("1", names.0, at: berlin, types: types)]), batch("b", [place("9", names.1, at: berlin, types: types)]),
    ])
    #expect(answer.count == 2)
  }

  @Test(
    "a distinctive word between shared words separates two names, unless ids or telephone numbers match",
    arguments: [
      ("中国银行", "中国工商银行"), ("中国银行", "中国农业银行"), ("三菱銀行", "三菱信託銀行"), ("北京大学", "北京科技大学"), ("Museum of Art", "Museum of Modern Art"),
      ("Bank of China", "Bank of Communications China"),
    ], [["bank"], ["museum"]])
  func insertions(_ names: (String, String), _ types: [PlaceType]) {
    let answer = merge([
      batch("a", [place("1", names.0, at: berlin, types: types)]), batch("b", [place("9", names.1, at: (52.5203, 13.405), types: types)]),
    ])
    #expect(answer.count == 2)
    let shared = merge([
      batch("a", [place("1", names.0, at: berlin, types: types) { $0.equivalents = ["wikidata:Q1"] }]),
      batch("b", [place("9", names.1, at: (52.5203, 13.405), types: types) { $0.equivalents = ["wikidata:Q1"] }]),
    ])
    #expect(shared.count == 1)
  }

  @Test("a small word, a legal form or the town within a name is ignored")
  func smallInsertions() {
    for (first, second) in [
      ("Museum of Modern Art", "The Museum of Modern Art"), ("Santuario di Santa Maria", "Santuario Santa Maria"),
      ("中国银行", "中国银行朝阳支行"), ("Kindel GmbH & Co. KG Blechdruckerei", "Kindel Blechdruckerei"),
    ] {
      let answer = merge([
        batch("a", [place("1", first, at: berlin, types: ["museum"])]), batch("b", [place("9", second, at: berlin, types: ["museum"])]),
      ])
      #expect(answer.count == 1, "\(first)")
    }
  }

  @Test("a part of a place, such as its car park, is another place")
  func parts() {
    let answer = merge([
      batch("a", [place("1", "Walmart", at: berlin, types: ["store"])]),
      batch("b", [place("9", "Walmart Pharmacy", at: berlin, types: ["store"])]),
    ])
    #expect(answer.count == 2)
  }

  @Test("a row that resembles two different places does not join them")
  func bridge() {
    let answer = merge([
      batch("a", [place("1", "Terminal A", at: berlin)]), batch("b", [place("2", "Terminal", at: berlin)]),
      batch("c", [place("3", "Terminal B", at: berlin)]), batch("d", [place("4", "Terminal", at: berlin)]),
    ])
    for row in answer { #expect(!Set(["a:1", "c:3"]).isSubset(of: row.sources.compactMap(\.id))) }
  }

  @Test(
    "a number in words, in digits or in another script is the same number",
    arguments: [
      ("Terminal 1", "Terminal T1"), ("Terminal 2", "Terminal II"), ("Terminal2", "Terminal 2"), ("Gate 3", "Gate 03"),
      ("4th Avenue", "Fourth Avenue"), ("7-Eleven", "7-11"), ("Motel 6", "Motel Six"),
      ("24 Hour Fitness", "24h Fitness"), ("H&M", "H & M"), ("No. 1 Restaurant", "Number One Restaurant"), ("Hall N", "Hall North"),
      ("المبنى ٣", "المبنى 3"), ("第一航站楼", "第1航站楼"), ("3号航站楼", "三号航站楼"), ("第１ターミナル", "第1ターミナル"),
      ("Gate 3A", "Gate 3 A"),
    ])
  func oneNumber(_ first: String, _ second: String) {
    func record(_ source: String, _ name: String) -> MatchRecord {
      var record = MatchRecord(source: source, id: nil, name: name)
      (record.location, record.category) = (Coordinate(latitude: 52.52, longitude: 13.405), "shop")
      return record
    }
    #expect(Matcher.compare(record("a", first), record("b", second)).decision != .different)
  }

  @Test(
    "numbers that may mean the same, and the number of the house, are left to the other evidence",
    arguments: [
      ("Studio 54", "Studio Fifty-Four", true), ("Studio 55", "Studio Fifty-Four", false), ("Gate B12", "Gate B 12 Arrivals", true),
      ("Gate B12", "Gate C 12 Arrivals", false), ("Hotel 26", "Hotel, Kantstraße 14", true),
      ("Hotel 26", "Hotel 27, Kantstraße 14", false), ("Store #12345", "Store 12", true),
    ])
  func undecided(_ first: String, _ second: String, _ isOpen: Bool) {
    func record(_ source: String, _ name: String) -> MatchRecord {
      var record = MatchRecord(source: source, id: nil, name: name)
      (record.location, record.address) = (Coordinate(latitude: 52.52, longitude: 13.405), "Kantstraße 14")
      return record
    }
    #expect((Matcher.compare(record("a", first), record("b", second)).probability > 0) == isOpen)
  }

  @Test(
    "quarters of one town are different places, and abbreviations of a region are not",
    arguments: [
      ("Zürich (Kreis 3)", "Zürich (Kreis 4)", 2), ("Neustadt (Hessen)", "Neustadt (Sachsen)", 2),
      ("Wien, Favoriten", "Wien, Simmering", 2),
      ("Zürich", "Zürich (Kreis 4)", 1), ("Portland, Oregon", "Portland (Ore)", 1), ("Newark, New Jersey", "Newark (NJ)", 1),
      ("Portland, Maine, US", "Portland (Maine)", 1),
    ])
  func tails(_ first: String, _ second: String, _ count: Int) {
    let answer = merge([
      batch("a", [place("1", first, at: berlin, types: ["locality"])]),
      batch("b", [place("9", second, at: (52.527, 13.405), types: ["locality"])]),
    ])
    #expect(answer.count == count)
  }

  @Test(
    "towns of one name with different qualifiers are never one row, also if another row has the bare name",
    arguments: [
      ["Neustadt (Dosse)", "Neustadt (Hessen)", "Neustadt (Sachsen)"], ["Neustadt, Hessen", "Neustadt, Sachsen", "Neustadt (Dosse)"],
      ["Neustadt an der Donau", "Neustadt bei Coburg", "Neustadt in Holstein"], ["Frankfurt am Main", "Frankfurt (Oder)"],
      ["Newcastle upon Tyne", "Newcastle-under-Lyme"], ["Castellón de la Plana", "Castellón de Rugat"],
    ], [false, true])
  func qualifiers(_ names: [String], _ areNamedAlike: Bool) {
    let bare = String(names[0].prefix { $0.isLetter })
    func town(_ id: String, _ name: String, _ types: [PlaceType]) -> Suggestion {
      place(id, name, types: types, secondary: "Deutschland") { if areNamedAlike { $0.otherNames = [bare] } }
    }
    for types in [["locality"], []] as [[PlaceType]] {
      let towns = names.enumerated().map { batch("t\($0)", [town("1", $1, types)]) }
      for bareRows in 0...2 {
        let answer = merge(towns + (0..<bareRows).map { batch("u\($0)", [town("2", bare, types)]) })
        for row in answer { #expect(row.allSources.filter { $0.provider.hasPrefix("t") }.count <= 1, "\(row.allSources)") }
      }
    }
  }

  @Test(
    "qualifiers that may mean one place do not separate rows",
    arguments: [
      ("Cambridge, England", "Cambridge, UK"), ("Frankfurt an der Oder", "Frankfurt (Oder)"), ("Burg bei Magdeburg", "Burg (Ihle)"),
      ("Berlin, 10115", "Berlin, Deutschland"),
    ])
  func likeQualifiers(_ first: String, _ second: String) {
    let answer = merge([
      batch("a", [place("1", first, at: berlin, types: ["locality"])]), batch("b", [place("9", second, at: berlin, types: ["locality"])]),
    ])
    #expect(answer.count == 1)
  }

  @Test(
    "different qualifiers do not separate towns at one point for certain",
    arguments: [
      ("Atlanta, Georgia", "Atlanta, United States"), ("Arlon, Luxembourg", "Arlon, Belgium"),
      ("Cambridge, MA", "Cambridge, Middlesex County"), ("Halle (Saale)", "Halle, Saxony-Anhalt"),
    ])
  func onePoint(_ first: String, _ second: String) {
    func probability(_ metres: Double) -> Double {
      var records = [MatchRecord(source: "a", id: nil, name: first), MatchRecord(source: "b", id: nil, name: second)]
      records[0].location = Coordinate(latitude: 52.52, longitude: 13.405)
      records[1].location = Coordinate(latitude: 52.52 + metres / 111_195, longitude: 13.405)
      return Matcher.compare(records[0], records[1]).probability
    }
    #expect(probability(0) > 0 && probability(200) > 0)
  }

  @Test("a part that one of two addresses leaves out does not separate them for certain")
  func addresses() {
    let (one, other) = ("Berlin, Land Berlin, Deutschland", "Berlin, Brandenburg, Germany")
    #expect(Matcher.compare(MatchRecord(source: "a", id: nil, name: one), MatchRecord(source: "b", id: nil, name: other)).probability > 0)
  }

  @Test("a place that arrives later does not join a shown row that also has a source of another place")
  func lateNamesake() {
    let shown = [
      batch("a", [place("1", "Neustadt (Dosse)", types: ["locality"])]),
      batch("b", [place("2", "Neustadt", types: ["locality"]) { $0.equivalents = ["wikidata:Q1"] }]),
    ]
    let late = batch("c", [place("3", "Neustadt (Hessen)", types: ["locality"]) { $0.equivalents = ["wikidata:Q1"] }])
    var partial = PartialMerge<Suggestion>(context: MergeContext(query: "neustadt"))
    #expect(partial.show(shown).map(\.allSources.count) == [2])
    #expect(partial.final(shown + [late]).map { Set($0.allSources.compactMap(\.id)) } == [["a:1", "b:2"], ["c:3"]])
  }

  @Test("a place of the same name in another town is another place")
  func namesakes() {
    let answer = merge([
      batch("a", [place("1", "Springfield", at: (39.80, -89.64), types: ["locality"])]),
      batch("b", [place("9", "Springfield", at: (37.21, -93.29), types: ["locality"])]),
    ])
    #expect(answer.count == 2)
  }

  @Test("without coordinates, the town and the house number distinguish branches of a chain")
  func branches() {
    func branch(_ id: String, _ street: String, _ number: String, _ postcode: String) -> Suggestion {
      place(id, "Burger King", types: ["restaurant"]) {
        ($0.street, $0.address, $0.houseNumber, $0.postcode, $0.locality) = (street, "\(street) \(number)", number, postcode, "Berlin")
      }
    }
    let answer = merge([
      batch("a", [branch("1", "Kantstraße", "14", "10623")]),
      batch("b", [branch("8", "Kantstr.", "14", "10623"), branch("9", "Frankfurter Allee", "71", "10247")]),
    ])
    #expect(answer.map { Set($0.sources.compactMap(\.id)) } == [["a:1", "b:8"], ["b:9"]])
  }
}
