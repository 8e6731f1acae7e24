import PlacesKit
import Testing

@testable import Merging

@Suite("The order of the list")
struct RankingTests {
  @Test("a single provider's list keeps its order")
  func alone() {
    let rows = ["Zehlendorf", "Berlin", "Bernau"].enumerated().map { place("\($0.offset)", $0.element) }
    #expect(merge([batch("a", rows)], query: "ber").compactMap(\.id) == ["a:0", "a:1", "a:2"])
  }

  @Test("providers without rows do not change the order of the only list", arguments: [true, false])
  func besideNobody(explain: Bool) {
    let rows = [place("1", "Frankfurt am Main"), place("2", "Frankfurt (Oder)")]
    let context = MergeContext(query: "frankfurt", explain: explain)
    let batches = [batch("a", rows), batch("b", []), batch("c", [])]
    #expect(Merger().suggestions(batches, context: context).map(\.id) == ["a:1", "a:2"])
    var partial = PartialMerge<Suggestion>(context: context)
    #expect(partial.show(batches.reversed()).map(\.id) == ["a:1", "a:2"] && partial.final(batches).map(\.id) == ["a:1", "a:2"])
  }

  @Test("a partial list has no guesses, which could otherwise precede what later providers know")
  func guesses() throws {
    let bias = Area.circle(center: try #require(Coordinate(latitude: 52.5, longitude: 13.4)), radius: 20_000)
    func street(_ id: String, _ name: String, at point: (Double, Double)) -> Suggestion {
      var row = place(id, name, at: point, types: ["route"])
      row.importance = 0.12
      return row
    }
    let guesses = batch("a", [street("1", "Kreuzweg", at: (47.14, 9.52)), street("2", "Kreuzbergstrasse", at: (47.15, 9.53))])
    let known = batch("b", [place("3", "Kreuzberg", at: (52.5, 13.41), types: ["neighborhood"])])
    var partial = PartialMerge<Suggestion>(context: MergeContext(query: "kreuzberg", bias: bias))
    #expect(partial.show([guesses]).isEmpty)
    #expect(partial.show([guesses, known]).map(\.id) == ["b:3"])
    #expect(partial.final([guesses, known]).map(\.id).first == "b:3")
    #expect(partial.final([guesses, known]).count == 3)
    // Without a bias, a name that begins with the query is no guess. It is held back if it is below a guess, which it would precede for good.
    var anywhere = PartialMerge<Suggestion>(context: MergeContext(query: "kreuzberg"))
    #expect(anywhere.show([guesses]).isEmpty)
    var prefixes = guesses
    prefixes.rows.reverse()
    #expect(anywhere.show([prefixes]).map(\.id) == ["a:2"])
    // A town that a postcode denotes does not show it.
    var postcode = PartialMerge<Suggestion>(context: MergeContext(query: "9490"))
    let town = batch("a", [place("v", "Vaduz", at: (47.14, 9.52), types: ["locality"]), place("m", "Museum", types: ["museum"])])
    #expect(postcode.show([town]).map(\.id) == ["a:v", "a:m"])
  }

  @Test("completions wait for the last list once there are places, so that later places precede them")
  func completions() {
    let words = (1...6).map { Suggestion(kind: .query, id: nil, text: FormattedText("pizza \($0)")) }
    let batches = [
      batch("a", [place("1", "Pizza Azzurro", at: (47.1, 9.5))]), batch("b", words),
      batch("c", [place("2", "Pizza Burg", at: (47.2, 9.5))]),
    ]
    var partial = PartialMerge<Suggestion>(context: MergeContext(query: "pizza", limit: 9))
    #expect(partial.show(Array(batches[..<2])).map(\.id) == ["a:1"])
    let final = partial.final(batches)
    #expect(final.count == 8 && final.prefix(2).compactMap(\.id) == ["a:1", "c:2"])
    // Completions alone are shown at once.
    var onlyWords = PartialMerge<Suggestion>(context: MergeContext(query: "pizza", limit: 9))
    #expect(onlyWords.show([batches[1]]).count == 6)
  }

  @Test("one provider's reverse answer keeps its order; several lists, and searches by distance, are ordered by distance")
  func atAPoint() {
    let town = place("1", "Paris", at: (48.853, 2.349))
    let region = place("2", "Île-de-France", at: (48.85, 2.28))
    var context = MergeContext(query: "")
    context.nearestFirst = true
    context.origin = Coordinate(latitude: 48.8584, longitude: 2.2945)
    #expect(Merger().suggestions([batch("a", [town, region])], context: context).map(\.id) == ["a:1", "a:2"])
    #expect(Merger().suggestions([batch("a", [town]), batch("b", [region])], context: context).map(\.id) == ["b:2", "a:1"])
    // The point is in the country, whose distance is therefore 0, but a house at the point comes first.
    var country = place("3", "France", at: (46.6, 2.4))
    country.distance = 0
    let atHouse = Merger().suggestions([batch("a", [country]), batch("b", [place("4", "House", at: (48.8585, 2.2946))])], context: context)
    #expect(atHouse.map(\.id) == ["b:4", "a:3"] && atHouse.last?.distance == 0)
    context.query = "france"
    #expect(Merger().suggestions([batch("a", [town, region])], context: context).map(\.id) == ["a:2", "a:1"])
  }

  @Test("by distance, a nearer row precedes a more important, a chosen and an unlocated one")
  func distanceAlone() {
    var famous = place("1", "Adler", at: (52.01, 13))
    famous.importance = 1
    let near = place("2", "Gasthof am Markt", at: (52.009, 13))
    let lost = place("3", "Adler")
    var context = MergeContext(query: "adler", boosts: ["a:1": 1])
    context.nearestFirst = true
    context.origin = Coordinate(latitude: 52, longitude: 13)
    let answer = Merger().suggestions([batch("a", [lost, famous]), batch("b", [near])], context: context)
    #expect(answer.map(\.id) == ["b:2", "a:1", "a:3"])
    #expect(Merger().suggestions([batch("a", [lost, famous, near])], context: context).map(\.id) == ["a:2", "a:1", "a:3"])
    // The rows at a point come from several services by the same rule.
    context.query = ""
    #expect(Merger().suggestions([batch("a", [lost, famous]), batch("b", [near])], context: context).map(\.id) == ["b:2", "a:1", "a:3"])
  }

  @Test(
    "a distance is measured if the location is known, otherwise it is the provider's, as is that to a place around the origin",
    arguments: [1, 2])
  func distances(lists: Int) {
    var told = place("1", "Adler")
    var known = place("2", "Adlershof", at: (52, 13))
    var around = place("4", "Adlersheim", at: (52.1, 13))
    (told.distance, known.distance, around.distance) = (832, 5, 0)
    let batches = [batch("a", [told, known, around]), batch("b", [place("3", "Adlergestell", at: (10, 10))])].prefix(lists)
    var context = MergeContext(query: "adler", origin: Coordinate(latitude: 52, longitude: 13))
    let answer = Merger().suggestions(Array(batches), context: context)
    #expect(answer.first { $0.id == "a:1" }?.distance == 832 && answer.first { $0.id == "a:2" }?.distance == 0)
    #expect(answer.first { $0.id == "a:4" }?.distance == 0)
    context.origin = nil
    #expect(Merger().suggestions(Array(batches), context: context).allSatisfy { $0.distance == nil })
  }

  @Test(
    "a name with only some of the typed words is a partial match, unless the row's surroundings have the others",
    arguments: [
      ("eiffel tower paris", TextMatch.part), ("paris france", .exact), ("paris fr", .exact), ("paris", .exact),
      ("lutetia am rhein", .part),
      ("am rhein", .other), ("paname", .other), ("75001 paris", .exact), ("paris 5", .part), ("paris in england", .part),
    ])
  func part(query: String, match: TextMatch) {
    var evidence = Evidence()
    (evidence.otherNames, evidence.country) = (["Lutetia"], "FR")
    let row = Suggestion(
      kind: .place, id: "1", text: FormattedText("Paris, France"), primary: FormattedText("Paris"), secondary: FormattedText("France"),
      evidence: evidence)
    #expect(merge([batch("a", [row])], query: query, explain: true).map(\.explanation?.match) == [match])
  }

  @Test(
    "another name of the country is not an unmatched word",
    arguments: [("leeds in england", TextMatch.other), ("leeds in scotland fringe", .part)])
  func country(query: String, match: TextMatch) {
    var evidence = Evidence()
    evidence.country = "GB"
    let row = Suggestion(kind: .place, id: "1", text: FormattedText("Leeds"), primary: FormattedText("Leeds"), evidence: evidence)
    #expect(merge([batch("a", [row])], query: query, explain: true).map(\.explanation?.match) == [match])
  }

  @Test("a row that its provider ranks before matching rows is assumed to match by a hidden name")
  func hidden() {
    let towns = ["Schaerbeek", "Schwerin", "Schiedam", "Schaumburg"].enumerated().map {
      place("\($0)", $1, at: (50 + Double($0), 5), types: ["locality"])
    }
    let country = place("ch", "Switzerland", at: (46.9, 8.2), types: ["country"])
    let last = place("x", "Elsewhere", at: (1, 1))
    let answer = merge([batch("a", [country] + towns + [last]), batch("b", [towns[3]])], query: "sch", explain: true)
    #expect(answer.compactMap(\.id) == ["b:3", "a:ch", "a:0", "a:1", "a:2", "a:x"])
    #expect(answer[1].explanation?.match == .other)
    #expect(answer[1].explanation?.parts.contains(ScorePart("hiddenText", 0.8)) == true)
    #expect(answer[5].explanation?.parts.contains(ScorePart("text", 0)) == true)
    // A partial match must not score higher.
    let part = merge(
      [batch("a", [place("1", "Paris"), place("2", "Eiffel Paris")]), batch("b", [place("3", "Zug")])], query: "eiffel paris", explain: true
    )
    #expect(part.map(\.explanation?.match) == [.exact, .part, .other])
  }

  @Test("a better match precedes a worse match")
  func text() {
    let answer = merge(
      [batch("a", [place("1", "Neu Berlin Nord", at: (10, 10))]), batch("b", [place("2", "Berlin", at: (52, 13))])], query: "berlin",
      explain: true)
    #expect(answer.map(\.id) == ["b:2", "a:1"])
    #expect(answer.map(\.explanation?.match) == [.exact, .words])
  }

  @Test(
    "a typing error is allowed",
    arguments: [("brelin", TextMatch.other), ("brlin", .fuzzy), ("berlim", .fuzzy), ("berl", .prefix), ("münch", .other)])
  func slips(_ query: String, _ match: TextMatch) {
    #expect(merge([batch("a", [place("1", "Berlin")])], query: query, explain: true).first?.explanation?.match == match)
  }

  @Test("near places and important places both precede places that are neither")
  func nearOrFamous() {
    var famous = place("1", "Adler Berlin", at: (52.5, 13.4))
    famous.importance = 0.9
    let near = place("2", "Adler Bern", at: (46.95, 7.45))
    let far = place("3", "Adler Chur", at: (46.85, 9.53))
    var context = MergeContext(query: "adler")
    context.bias = Coordinate(latitude: 46.95, longitude: 7.45).map { .circle(center: $0, radius: 2_000) }
    let answer = Merger().suggestions([batch("a", [far]), batch("b", [famous]), batch("c", [near])], context: context)
    #expect(answer.last?.id == "a:3")
  }

  private func town(_ id: String, _ name: String, at point: (Double, Double), _ importance: Double) -> Suggestion {
    var row = place(id, name, at: point, types: ["locality"])
    row.importance = importance
    return row
  }

  @Test("a town within a day's travel precedes a far one that is a little better known, and a world city precedes the town")
  func townNearby() {
    let rows = [
      town("ohio", "Toledo", at: (41.66, -83.56), 0.75), town("spain", "Toledo", at: (39.86, -4.02), 0.66),
      town("city", "Tolyatti", at: (53.5, 49.3), 1),
    ]
    var context = MergeContext(query: "tol")
    context.bias = Coordinate(latitude: 40.4, longitude: -3.7).map { .circle(center: $0, radius: 20_000) }
    let batches = ["a", "b", "c"].map { batch($0, rows) }
    #expect(Merger().suggestions(batches, context: context).map(\.id) == ["a:city", "a:spain", "a:ohio"])
  }

  @Test("a large city precedes a small town of which the whole name was typed, and that precedes towns whose names begin so")
  func wholeNameAndLargeCity() {
    let rows = [
      town("tok", "Tok", at: (63.3, -143), 0.5), town("tokyo", "Tokyo", at: (35.7, 139.7), 0.95),
      town("tokat", "Tokat", at: (40.3, 36.6), 0.7),
    ]
    #expect(merge(["a", "b"].map { batch($0, rows) }, query: "tok").map(\.id) == ["a:tokyo", "a:tok", "a:tokat"])
  }

  @Test("one provider's importance of a place does not override that of another provider")
  func importances() {
    func bath(_ importance: Double) -> Suggestion { town("1", "Bathurst", at: (-33.4, 149.6), importance) }
    let other = town("2", "Bathgate", at: (55.9, -3.6), 0.75)
    let batches = [batch("a", [other, bath(0.5)]), batch("b", [other, bath(0.9)])]
    #expect(merge(batches, query: "bat").map(\.id) == ["a:2", "a:1"])
  }

  @Test("a match that is inferred from ranks stays behind the text matches that most of its providers rank higher")
  func inferredBehind() {
    let (region, town) = (town("r", "Bad Wurzach", at: (47.9, 9.9), 0.6), town("t", "Badajoz", at: (38.9, -7), 0.2))
    let far = self.town("f", "Jakarta", at: (-6.2, 106.8), 1)
    let batches = [batch("a", [region, far, town]), batch("b", [region, far, town])]
    #expect(merge(batches, query: "bad").map(\.id) == ["a:r", "a:f", "a:t"])
    // Several such matches keep their order.
    let lesser = self.town("l", "Mumbai", at: (19, 72.8), 0.7)
    let longer = ["a", "b"].map { batch($0, [region, lesser, far, town]) }
    #expect(merge(longer, query: "bad").map(\.id) == ["a:r", "a:f", "a:l", "a:t"])
  }

  @Test("a typed accent counts: a name that has it precedes a name that matches without it")
  func marks() {
    let rows = [town("1", "General Santos", at: (6.1, 125.2), 0.8), town("2", "Genève", at: (46.2, 6.1), 0.77)]
    let batches = ["a", "b"].map { batch($0, rows) }
    #expect(merge(batches, query: "genè").map(\.id) == ["a:2", "a:1"])
    #expect(merge(batches, query: "gene").map(\.id) == ["a:1", "a:2"])
  }

  private static let vaduz = Coordinate(latitude: 47.14, longitude: 9.52)

  @Test("among shops of one name the nearer one comes first, even if more providers return the other", arguments: [2_000.0, 20_000])
  func nearestNamesake(radius: Double) {
    let (near, middle, far) = ((47.14, 9.5207), (47.1547, 9.5097), (47.0664, 9.4989))
    func coop(_ id: String, at point: (Double, Double)) -> Suggestion { place(id, "Coop", at: point, types: ["supermarket"]) }
    let three = [coop("far", at: far), coop("middle", at: middle), coop("near", at: near)]
    var context = MergeContext(query: "coop")
    context.bias = RankingTests.vaduz.map { .circle(center: $0, radius: radius) }
    let batches = [batch("a", three)] + ["b", "c", "d"].map { batch($0, Array(three.prefix(2))) } + [batch("e", Array(three.prefix(1)))]
    let answer = Merger().suggestions(batches, context: context)
    #expect(answer.map { $0.id?.split(separator: ":").last.map(String.init) } == ["near", "middle", "far"])
    // Alike otherwise, the one on which more providers agree comes first.
    context.bias = nil
    #expect(Merger().suggestions(batches, context: context).first?.sources.count == 5)
  }

  @Test("a place that matches the whole query, with a typing error, precedes a partial match, whichever provider returns them")
  func fullBeforePartial() {
    var town = place("t", "Schaan", at: (47.16, 9.5), types: ["locality"])
    town.importance = 1
    let house = place("h", "Landstrasse 97", at: (47.161, 9.509), types: ["street_address"], secondary: "Schaan")
    let answer = merge([batch("a", [town]), batch("b", [town]), batch("c", [house])], query: "landstrase 97 schaan", explain: true)
    #expect(answer.map(\.provider) == ["c", "a"])
    #expect(answer.map(\.explanation?.match) == [.fuzzy, .part])
    // A provider may say so itself.
    var part = Place(id: "1", values: [.name: "Städtle"], importance: 1)
    part.partialMatch = true
    let whole = Place(id: "2", values: [.name: "Am Städtle 5"])
    let places = Merger().places(
      [
        ProviderBatch(provider: "a", terms: .mixing(.free), rows: [part]),
        ProviderBatch(provider: "b", terms: .mixing(.free), rows: [whole]),
      ],
      context: MergeContext(query: "städtle", explain: true))
    #expect(places.map(\.provider) == ["b", "a"])
  }

  @Test("a city precedes the region that is named after it, unless it is a hamlet; a country keeps its position")
  func cityBeforeRegion() {
    func row(_ id: String, _ type: PlaceType, _ importance: Double, at point: (Double, Double)) -> Suggestion {
      var row = place(id, "Zürich", at: point, types: [type]) { $0.country = "CH" }
      row.importance = importance
      return row
    }
    let canton = row("r", "administrative_area_level_1", 0.8, at: (47.42, 8.65))
    func order(_ importance: Double, _ type: PlaceType = "administrative_area_level_1") -> [String?] {
      var area = canton
      area.types = [type]
      return merge([batch("a", [area, row("c", "locality", importance, at: (47.37, 8.55))]), batch("b", [area])], query: "zürich").map(\.id)
    }
    #expect(order(0.7) == ["a:c", "a:r"] && order(0.2) == ["a:r", "a:c"] && order(0.7, "country") == ["a:r", "a:c"])
  }

  @Test("a street precedes the stop there that has its name")
  func streetBeforeStop() {
    let stop = place("s", "Hauptstraße", at: (47.42, 8.65), types: ["bus_stop"])
    let street = place("w", "Hauptstraße", at: (47.422, 8.652), types: ["route"])
    #expect(merge([batch("a", [stop, street]), batch("b", [stop])], query: "hauptstr").map(\.id) == ["a:w", "a:s"])
  }

  @Test(
    "a place that several providers rank first matches by a hidden name if no row of theirs matches, and precedes a partial match")
  func hiddenAlone() {
    let boulevard =
      [batch("a", [place("1", "Boulevard Saint-Germain", secondary: "Paris")])]
      + ["b", "c"].map { batch($0, [place("1", "Boulevard Saint-Germain", secondary: "Paris")]) }
    var paris = place("2", "Paris", types: ["locality"])
    paris.importance = 1
    #expect(merge(boulevard + [batch("d", [paris])], query: "bd saint germain paris").map(\.id) == ["a:1", "d:2"])
    #expect(merge([boulevard[0], batch("d", [paris])], query: "bd saint germain paris").map(\.id) == ["d:2", "a:1"])
  }

  @Test("a row with the typed word inside its name precedes a distant one that begins with it, if its provider ranks it first")
  func wordBeforePrefix() {
    func pharmacy(_ id: String, _ name: String, _ latitude: Double) -> Suggestion {
      place(id, name, at: (latitude, 9.52), types: ["pharmacy"])
    }
    let near = [pharmacy("1", "Schloss Apotheke", 47.141), pharmacy("2", "Apotheke am Platz", 47.17)]
    var context = MergeContext(query: "apotheke")
    context.bias = RankingTests.vaduz.map { .circle(center: $0, radius: 20_000) }
    let answer = Merger().suggestions([batch("a", near), batch("b", [pharmacy("3", "Apothekergasse", 48.9)])], context: context)
    #expect(answer.map(\.id) == ["a:1", "a:2", "b:3"])
  }

  @Test("the first part of a town's name is a prefix of it, in brackets or not")
  func heads() {
    func town(_ id: String, _ name: String, _ importance: Double) -> Suggestion {
      var town = place(id, name, types: ["locality"])
      town.importance = importance
      return town
    }
    for query in ["frankfurt", "frankfurt germany", "60311 frankfurt"] {
      var towns = [town("1", "Frankfurt (Oder)", 0.6), town("2", "Frankfurt am Main", 0.8)]
      for index in towns.indices { towns[index].secondary = FormattedText("Germany") }
      #expect(merge([batch("a", [towns[0]]), batch("b", [towns[1]])], query: query).map(\.id) == ["b:2", "a:1"], "\(query)")
    }
  }

  @Test("a number beside a village is its postcode, unless the answer has a house of that number and the village another postcode")
  func villageOrHouse() {
    let village = place("v", "Lhota", types: ["locality"])
    let house = place("h", "Lhota č.p. 123", types: ["street_address"]) { ($0.houseNumber, $0.address) = ("123", "Lhota 123") }
    func match(_ rows: [Suggestion]) -> TextMatch? {
      merge([batch("a", rows), batch("b", [place("5", "Zug")])], query: "lhota 123", explain: true).first { $0.id == "a:v" }?.explanation?
        .match
    }
    #expect(match([village, house]) == .words)
    #expect(match([village]) == .exact)
    #expect(match([place("v", "Lhota", types: ["locality"]) { $0.postcode = "123" }, house]) == .exact)
  }

  @Test("a station without a postcode is not a match of a part, if a postcode was typed; a street without a house is one")
  func stationBesidePostcode() {
    func match(_ name: String, _ type: PlaceType, _ query: String) -> TextMatch? {
      merge([batch("a", [place("1", name, types: [type])]), batch("b", [place("5", "Zug")])], query: query, explain: true)
        .first { $0.id == "a:1" }?.explanation?.match
    }
    #expect(match("Berlin Hauptbahnhof", "train_station", "10115 berlin hauptbahnhof") == .other)
    #expect(match("Landstrasse", "route", "landstrasse 1234") == .part)
  }

  @Test("an exact name precedes a better known place whose name begins so; a name that is not shown counts only as its provider ranks it")
  func exactAndHidden() {
    var town = place("1", "Cooper City", types: ["locality"])
    town.importance = 0.55
    let shop = place("2", "Coop", types: ["supermarket"])
    #expect(merge([batch("a", [town]), batch("b", [shop]), batch("c", [town, shop])], query: "coop").map(\.id) == ["b:2", "a:1"])
    let vienna = place("3", "Vienna", types: ["locality"]) { $0.otherNames = ["Wien"] }
    let begins = place("4", "Wiener Neustadt", types: ["locality"])
    func match(_ rows: [Suggestion]) -> TextMatch? {
      merge([batch("a", rows), batch("b", [place("5", "Zug")])], query: "wien", explain: true).first { $0.id == "a:3" }?.explanation?.match
    }
    #expect(match([vienna, begins]) == .exact)
    #expect(match([begins, vienna]) == .prefix)
    // Behind a row that does not match, the provider's order does not raise it again.
    let behind = merge([batch("a", [place("6", "Bern"), vienna]), batch("b", [place("5", "Zug")])], query: "wien", explain: true)
    let explanation = behind.first { $0.id == "a:3" }?.explanation
    #expect(explanation?.match == .words && explanation?.parts.contains { $0.name == "hiddenText" } == false)
  }

  @Test("a distance that a provider reports counts if the location is not known")
  func reportedDistance() {
    var near = place("1", "Pizzeria Il Salento")
    near.distance = 2_600
    var context = MergeContext(query: "pizz", origin: RankingTests.vaduz)
    context.bias = RankingTests.vaduz.map { .circle(center: $0, radius: 20_000) }
    let batches = [batch("a", [near]), batch("b", [place("2", "Pizzano", at: (44.6, 7.6))])]
    #expect(Merger().suggestions(batches, context: context).map(\.id) == ["a:1", "b:2"])
  }

  @Test("a place at an unknown location counts as one at the radius of the bias")
  func unknownLocation() {
    var context = MergeContext(query: "pizz")
    context.bias = RankingTests.vaduz.map { .circle(center: $0, radius: 5_000) }
    let batches = [batch("b", [place("1", "Pizzeria Il Salento")]), batch("a", [place("2", "Pizzano", at: (47.5, 9.52))])]
    #expect(Merger().suggestions(batches, context: context).map(\.id) == ["b:1", "a:2"])
  }

  @Test("a shown place keeps its name, and its address agrees with the components")
  func labelOfPlace() {
    func answer(_ name: String, _ address: String) -> [ProviderBatch<Place>] {
      let row = Place(id: "1", values: [.name: .string(name), .formattedAddress: .string(address), .addressComponents: [.string(address)]])
      return [ProviderBatch(provider: "a", terms: .mixing(.free), rows: [row])]
    }
    var partial = PartialMerge<Place>(context: MergeContext(query: "coop"))
    _ = partial.show(answer("Coop", "Landstrasse"))
    let last = partial.final(answer("Coop Vaduz", "Landstrasse 5")).first?.value
    #expect(last?.name == "Coop" && last?.formattedAddress == "Landstrasse 5")
  }

  @Test("a shown row keeps its leading source and its text, unless the provider that arrives later is preferred")
  func labels() {
    let first = place("1", "Munich", at: (48.137, 11.575), types: ["locality"])
    let later = place("2", "Munich", at: (48.137, 11.575), types: ["locality"], secondary: "Germany")
    var named = later
    named.text = FormattedText("Munich, Bavaria, Germany")
    let batches = [batch("b", [first]), batch("a", [named], weight: 2)]
    func last(prefer: [String]) -> MergedSuggestion? {
      var partial = PartialMerge<Suggestion>(context: MergeContext(query: "mun", prefer: prefer))
      _ = partial.show([batches[0]])
      return partial.final(batches).first
    }
    #expect(last(prefer: [])?.provider == "b" && last(prefer: [])?.value.text.text == "Munich")
    #expect(last(prefer: ["a"])?.provider == "a" && last(prefer: ["a"])?.value.text.text == "Munich, Bavaria, Germany")
    #expect(last(prefer: [])?.sources.count == 2)
  }

  @Test("of equal names, the row whose country is written in the requested language leads, or else the row in the script of the query")
  func labelInLanguage() {
    func row(_ name: String, _ secondary: String?, language: String? = nil) -> Suggestion {
      var row = place("1", name, at: (6.11, 125.17), types: ["locality"], secondary: secondary) { $0.otherNames = ["General Santos"] }
      row.language = language
      return row
    }
    func label(_ rows: [Suggestion], language: String?) -> String? {
      let batches = zip(["z", "a"], rows).map { batch($0, [$1]) }
      return Merger().suggestions(batches, context: MergeContext(query: "general", language: language)).first?.value.secondary?.text
    }
    let (german, english) = (row("General Santos", "Philippinen", language: "en"), row("General Santos", "Philippines"))
    #expect(label([german, english], language: "de") == "Philippinen")
    // A language that the provider states counts more than the country's name, which may be that of several languages.
    #expect(label([row("General Santos", "Asia, Philippines", language: "en"), english], language: "en") == "Asia, Philippines")
    #expect(label([english, row("General Santos", "Pilipinas")], language: "en") == "Philippines")
    #expect(label([row("General Santos", "South"), row("Генерал-Сантос", "Север")], language: nil) == "South")
  }

  @Test("a house number that another source adds later does not change the text that is shown")
  func labelWithoutNumber() {
    let shown = place("1", "Coop Vaduz", at: (47.14, 9.52), types: ["supermarket"]) { $0.street = "Äulestrasse" }
    let numbered = place("2", "Coop Vaduz", at: (47.14, 9.52), types: ["supermarket"]) {
      ($0.street, $0.houseNumber) = ("Äulestrasse", "20")
    }
    var later = numbered
    later.text = FormattedText("Coop Vaduz, Äulestrasse 20")
    var partial = PartialMerge<Suggestion>(context: MergeContext(query: "coop"))
    _ = partial.show([batch("a", [shown])])
    #expect(partial.final([batch("a", [shown]), batch("b", [later])]).map(\.value.text.text) == ["Coop Vaduz"])
    #expect(merge([batch("a", [shown]), batch("b", [later])], query: "coop").map(\.value.text.text) == ["Coop Vaduz, Äulestrasse 20"])
  }

  @Test("the typed text is compared across scripts, and not stored")
  func typed() {
    let rows = [batch("a", [place("1", "Τρίπολη Αρκαδίας")]), batch("b", [place("2", "Bern")])]
    #expect(merge(rows, query: "τρίπολη α", explain: true).map(\.explanation?.match) == [.prefix, .other])
    #expect(Transliteration.known.withLock { $0["τρίπολη α"] } == nil)
  }

  @Test("the first row of a provider with a greater weight precedes that of one with a smaller weight")
  func weights() {
    let rows = { (name: String) in [place(name, "Berlin \(name)")] }
    let answer = merge([batch("a", rows("x"), weight: 0.5), batch("b", rows("y"), weight: 2)], query: "ber")
    #expect(answer.map(\.provider) == ["b", "a"])
  }

  @Test("a place that was chosen before is ranked higher, and queries follow places")
  func learning() {
    let query = Suggestion(kind: .query, text: FormattedText("berlin wetter"))
    let rows = [query, place("1", "Berlin"), place("2", "Bernau")]
    var context = MergeContext(query: "ber")
    #expect(Merger().suggestions([batch("a", rows), batch("b", [])], context: context).map(\.id) == ["a:1", "a:2", nil])
    context.boosts = ["a:2": 0.8]
    #expect(Merger().suggestions([batch("a", rows), batch("b", [])], context: context).map(\.id) == ["a:2", "a:1", nil])
  }

  @Test(
    "a choice reorders rows that match equally well, and never raises one above a better match",
    arguments: [
      ("berl", ["a:1", "a:2", "a:3"]), ("berlin germany", ["a:1", "a:2", "a:3"]), ("be", ["a:2", "a:1", "a:3"]),
    ], [1, 2])
  func choices(_ expected: (query: String, ids: [String]), lists: Int) {
    let berlin = place("1", "Berlin", at: (52.52, 13.405), secondary: "Germany")
    let bernau = place("2", "Bernau bei Berlin", at: (52.68, 13.59), secondary: "Germany")
    let other = place("3", "Zug", at: (47.17, 8.52), secondary: "Switzerland")
    var context = MergeContext(query: expected.query, boosts: ["a:2": 0.95, "a:3": 0.4])
    let batches = [batch("a", [berlin, bernau, other]), batch("b", [berlin])].prefix(lists)
    #expect(Merger().suggestions(Array(batches), context: context).map(\.id) == expected.ids)
    context.explain = true
    #expect(Merger().suggestions(Array(batches), context: context).map(\.id) == expected.ids)
  }

  @Test("completions and partial matches follow matching places, however many services return them")
  func behind() {
    let query = Suggestion(kind: .query, text: FormattedText("pizza berlin"))
    let pizza = (1...4).map { place("\($0)", "Pizza \($0)", at: (52 + Double($0), 13), secondary: "Berlin") }
    let berlin = place("b", "Berlin", at: (52.5, 13.4), types: ["locality"])
    let batches = [batch("a", [query, berlin]), batch("b", [query, berlin]), batch("c", pizza), batch("d", [query, berlin])]
    let answer = merge(batches, query: "pizza berlin", explain: true)
    #expect(answer.map(\.id) == ["c:1", "c:2", "c:3", "c:4", "a:b", nil] || answer.map(\.id) == ["c:1", "c:2", "c:3", "c:4", nil, "a:b"])
    for row in answer { #expect(abs((row.explanation?.parts.reduce(0) { $0 + $1.value } ?? 0) - (row.explanation?.score ?? 9)) < 1e-9) }
  }

  @Test("a row matches a word of the query that names its type, beside words that it has; a partial match and completions follow it")
  func typedType() {
    let restaurant = place("1", "Zola", types: ["pizza_restaurant", "restaurant"], secondary: "Paul-Lincke-Ufer 39, Berlin")
    var town = place("2", "Berlin", types: ["locality"])
    town.importance = 0.95
    let completion = Suggestion(kind: .query, id: nil, text: FormattedText("pizza berlin mitte"))
    func order(_ query: String) -> [String?] {
      merge([batch("a", [town]), batch("b", [completion]), batch("c", [restaurant])], query: query).map(\.id)
    }
    #expect(order("pizza berlin") == ["c:1", "a:2", nil])
    #expect(order("berlin pizz") == ["c:1", "a:2", nil])
    #expect(order("sushi berlin").first == "a:2")
  }

  @Test("queries of the same letters are one row")
  func queries() {
    let answer = merge([
      batch("a", [Suggestion(kind: .query, text: FormattedText("Berlin Wetter"))]),
      batch("b", [Suggestion(kind: .query, text: FormattedText("berlin  wetter"))]),
    ])
    #expect(answer.map { $0.sources.map(\.provider) } == [["a", "b"]])
  }

  @Test("no batches, or a limit of zero, give an empty list")
  func empty() {
    #expect(merge([], query: "x").isEmpty)
    #expect(merge([batch("a", [place("1", "Berlin")])], limit: 0).isEmpty)
    #expect(merge([batch("a", [place(nil, ""), place("", "\u{0}")])]).count <= 2)
  }

  @Test("the distance is measured from the origin if both locations are known")
  func distance() {
    var context = MergeContext(query: "ber")
    context.origin = Coordinate(latitude: 52, longitude: 13)
    let answer = Merger().suggestions([batch("a", [place("1", "Berlin", at: (52, 13)), place("2", "Bern")])], context: context)
    #expect(answer.map(\.distance) == [0, nil])
  }

  @Test("The place that several services have first precedes those that they rank lower, unless a point is known")
  func agreedFirst() {
    let airport = place("1", "London Heathrow Airport", at: (51.47, -0.46), types: ["airport"])
    let town = place("2", "Heathrow", at: (28.76, -81.37), types: ["locality"])
    var known = town
    known.importance = 0.57
    let batches = [batch("gazetteer", [known]), batch("photon", [airport, town]), batch("nominatim", [airport, town])]
    #expect(merge(batches, query: "heathrow").map(\.id) == ["nominatim:1", "gazetteer:2"])
    #expect(merge(Array(batches.prefix(2)), query: "heathrow").map(\.id) == ["gazetteer:2", "photon:1"])
    // As many providers rank the town first.
    #expect(merge(batches + [batch("google", [known])], query: "heathrow").map(\.id) == ["gazetteer:2", "nominatim:1"])
    // The airport is known to be much less important than the town.
    var (minor, major) = (airport, town)
    (minor.importance, major.importance) = (0.3, 0.57)
    #expect(
      merge([batch("a", [major]), batch("b", [minor, major]), batch("c", [minor, major])], query: "heathrow").map(\.id) == ["a:2", "b:1"])
    var near = MergeContext(query: "heathrow", limit: 10)
    near.bias = Coordinate(latitude: 28.76, longitude: -81.37).map { Area.circle(center: $0, radius: 20_000) }
    #expect(Merger().suggestions(batches, context: near).map(\.id).first == "gazetteer:2")
  }

  @Test("A partial match that several providers have first stays below a whole match that they rank lower")
  func agreedPartialMatch() {
    let bern = place("1", "Bern", at: (46.948, 7.447), types: ["locality"])
    let canton = place("2", "Kanton Bern", at: (46.8, 7.6), types: ["administrative_area_level_1"])
    let hotel = place("3", "Hotel Adler Bern", at: (46.949, 7.451), types: ["lodging"])
    let batches = ["photon", "nominatim"].map { batch($0, [bern, canton, hotel]) }
    #expect(merge(batches, query: "hotel adler bern").first?.id == "nominatim:3")
  }
}
