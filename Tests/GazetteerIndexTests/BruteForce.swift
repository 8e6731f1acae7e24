import PlacesKit
import Text

@testable import GazetteerIndex

/// Ranks places by applying the rules to every place; the index must return the same.
struct BruteForce {
  struct Place {
    var id: String
    var name: String
    var otherNames: [String]
    var location: Coordinate
    var country: String
    var population: Int
    /// The feature class and code of the dump, a tab between them, and the types that they mean.
    var kind: (code: String, types: [PlaceType]) = kinds[0]
    var rank = 0
    var importance = 0.0
    /// Folded once: the name, its words, and the other names.
    var key = ""
    var words: Set<String> = []
    var otherKeys: [String] = []
    /// The names that are not the own one, and all words where they are more than the own name's.
    var foreignKeys: [String] = []
    var allWords: Set<String> = []

    /// One kind or two of each group of types, and one of none.
    static let kinds: [(code: String, types: [PlaceType])] = [
      ("P\tPPL", ["locality"]), ("P\tPPLX", ["sublocality"]), ("A\tADM2", ["administrative_area_level_2"]),
      ("A\tADM3", ["administrative_area_level_3"]), ("H\tLK", ["lake", "natural_feature"]),
      ("T\tMT", ["mountain_peak", "natural_feature"]),
      ("R\tST", ["route"]), ("S\tMUS", ["museum"]), ("S\tRSTN", ["train_station", "transit_station"]), ("S\tBLDG", []),
    ]

    /// The place's data in the dump.
    var line: String {
      SmallIndex.line(
        Int(id) ?? 0, name, otherNames.joined(separator: ","), location.latitude, location.longitude, country, "", population,
        code: kind.code)
    }
  }

  private let places: [Place]

  init(_ places: [Place]) {
    self.places = places.map { place in
      var place = place
      var record = GazetteerRecord(id: place.id, name: place.name)
      record.population = place.population
      record.types = place.kind.types
      record.otherNames = place.otherNames.filter { $0 != place.name }
      place.importance = (record.importance * 65_535).rounded() / 65_535
      place.key = Folding.key(place.name)
      place.words = Set(Folding.words(of: place.name))
      place.otherKeys = place.otherNames.map { Folding.key($0) }
      place.foreignKeys = place.otherKeys.filter { $0 != place.key }
      let all = place.words.union(place.otherNames.flatMap { Folding.words(of: $0) })
      if all.count > place.words.count { place.allWords = all }
      return place
    }.sorted { ($1.importance, $0.id) < ($0.importance, $1.id) }.enumerated().map { index, place in
      var place = place
      place.rank = index
      return place
    }
  }

  /// The ids of the best places, best first.
  func ids(_ request: AutocompleteRequest) -> [String] {
    let admitted = admitted(request.countries, request.restriction).filter { place in
      let types = place.kind.types
      return (request.types.isEmpty || types.contains { request.types.contains($0) }) && (request.collection?.contains(types) ?? true)
    }
    let rows = Array(found(request.query, among: admitted, request.bias, limit: request.limit).prefix(request.limit))
    return withSpacedNamesFirst(withPlaceBeforeLastWord(rows, request, admitted), request)
  }

  /// The rows with the place that the words before a short last word name, if it is better known than the first: a large city before rows
  /// that are guesses, otherwise among the first three.
  private func withPlaceBeforeLastWord(_ rows: [String], _ request: AutocompleteRequest, _ admitted: [Place]) -> [String] {
    let words = Folding.words(of: request.query)
    let name = words.dropLast().joined()
    guard let first = rows.first, request.query.last != " ", name.utf8.count >= CandidateSearch.minPartLength, let last = words.last,
      last.utf8.count <= GazetteerSearch.maxUnfinishedWordLength
    else { return rows }
    let named = ranked(admitted, request.bias) { $0.key == name ? MatchWeight.name : 0 }
    guard let place = places.first(where: { $0.id == named.first }), place.rank < rank(first) else { return rows }
    let isLarge = place.importance >= GazetteerSearch.largeCityImportance
    let isGuess = ranked(admitted, request.bias, weight(of: words, nil)).isEmpty
    let position = isGuess && isLarge ? 0 : GazetteerSearch.rowsBeforeNamedPlace
    guard isLarge || rows.count > position, !rows.prefix(position + 1).contains(place.id) else { return rows }
    let others = rows.filter { $0 != place.id }
    return Array((others.prefix(position) + [place.id] + others.dropFirst(position)).prefix(request.limit))
  }

  /// The rows with a first place that has the query as a name without its spaces behind the better known places that follow it, unless the
  /// first place is near.
  private func withSpacedNamesFirst(_ rows: [String], _ request: AutocompleteRequest) -> [String] {
    let words = Folding.words(of: request.query)
    guard words.count > 1, request.query.last != " ", let first = places.first(where: { $0.id == rows.first }),
      first.key == words.joined() || first.otherKeys.contains(words.joined()),
      !([first.name] + first.otherNames).contains(where: { Folding.words(of: $0) == words }),
      request.bias.map({ !ProximityBoost($0).isNear(FixedPoint(first.location)) }) ?? true
    else { return rows }
    let betterKnown = rows.dropFirst().prefix { rank($0) < first.rank }
    return betterKnown + [first.id] + rows.dropFirst(1 + betterKnown.count)
  }

  private func rank(_ id: String) -> Int { places.first { $0.id == id }?.rank ?? .max }

  /// The ids of the nearest places of a type, or of any, that match at all, nearest first.
  func nearest(_ request: SearchRequest) -> [String] {
    guard let origin = request.origin else { return [] }
    let near = admitted(request.countries, request.restriction).map { place in
      (place, origin.distance(to: FixedPoint(place.location).coordinate ?? .zero))
    }.sorted { ($0.1, $0.0.rank) < ($1.1, $1.0.rank) }.map(\.0).filter { place in
      request.includedType.map { place.kind.types.contains($0) } ?? true
    }
    // A search is complete, so that a space at its end means nothing.
    let query = String(request.query.reversed().drop { $0 == " " }.reversed())
    let found = Set(found(query, among: near, nil, limit: .max))
    return near.map(\.id).filter { found.contains($0) }.prefix(request.limit).map { $0 }
  }

  /// Whether the words are the whole own name of a place, or whole words of it.
  private static func isWhole(_ words: [String], of place: Place) -> Bool {
    place.key == words.joined() || !words.isEmpty && words.allSatisfy { place.words.contains($0) }
  }

  /// The names and the population of places, for messages.
  func description(of ids: [String]) -> String {
    places.filter { ids.contains($0.id) }.map { "\($0.id) “\($0.name)” \($0.otherNames) \($0.population)" }.joined(separator: "; ")
  }

  private func admitted(_ countries: [String], _ restriction: Area?) -> [Place] {
    places.filter { place in
      (countries.isEmpty || countries.contains(place.country)) && (restriction?.contains(place.location) ?? true)
    }
  }

  private func found(_ query: String, among admitted: [Place], _ bias: Area?, limit: Int) -> [String] {
    let words = Folding.words(of: query)
    let complete = query.last == " " ? words.last : nil
    let weightAsTyped = weight(of: words, complete)
    var scored = ranked(admitted, bias, weightAsTyped)
    let hasWholeMatch = scored.contains { id in admitted.contains { $0.id == id && BruteForce.isWhole(words, of: $0) } }
    if scored.count < min(3, limit), !hasWholeMatch || words.contains(where: { $0.contains(where: \.isNumber) }) {
      let (typed, wholly) = (Array(words.joined().utf8), !scored.isEmpty)
      var most = 0
      for errors in 1...(wholly ? 1 : 2) where wholly || scored.isEmpty {
        most = errors
        // If there are other rows, only better known places are added.
        let found = Set(scored)
        let known = Set(places.prefix { !found.contains($0.id) }.map(\.id))
        scored = rankedByBest(admitted, bias) { place in
          let mistyped = known.contains(place.id) ? BruteForce.weightWithErrors(place, typed, errors, besideOthers: wholly) : 0
          let asTyped = found.contains(place.id) ? weightAsTyped(place) : 0
          return [(asTyped, asTyped), (mistyped, 0)]
        }
      }
      if !wholly, most > 1, words.count > 1 {
        let meant = mistyped(words, complete)
        let isMistyped = admitted.contains { place in meant(place).contains { $0.weight > 0 } }
        let parts = isMistyped ? [] : parts(of: words, admitted)
        scored = rankedByBest(admitted, bias) { place in
          let weight = BruteForce.weightWithErrors(place, typed, most, besideOthers: false)
          let partial = parts.contains(place.key) ? MatchWeight.partial : 0
          return meant(place) + [(weight, weight), (partial, MatchWeight.name)]
        }
      }
    }
    return scored
  }

  /// The weights of a place, with and without the errors, for each way to correct one or two words that no place's own name has by one
  /// error each.
  private func mistyped(_ words: [String], _ complete: String?) -> (Place) -> [(weight: Double, written: Double)] {
    let known = Set(places.flatMap(\.allWords))
    let shown = Set(places.flatMap(\.words))
    var readings = [(words: [String](), errors: 0)]
    for (index, word) in words.enumerated() {
      var meant = [(word, 0)]
      if !shown.contains(word), !word.contains(where: \.isNumber) {
        let others =
          word.utf8.count < TypoTolerance.minAlternativeLength
          ? []
          : known.filter {
            $0.first == word.first && BruteForce.distance(Array(word.utf8), Array($0.utf8)) == 1
          }
        meant = others.map { ($0, 1) } + (index == words.count - 1 ? meant : [])
      }
      readings = readings.flatMap { reading in meant.map { (reading.words + [$0.0], reading.errors + $0.1) } }
    }
    if words.dropLast().count(where: { !shown.contains($0) && !$0.contains(where: \.isNumber) }) > 2 { readings = [] }
    let weights = readings.filter { (1...2).contains($0.errors) }.map { (weight(of: $0.words, complete), MatchWeight.errors[$0.errors]) }
    return { place in weights.map { ($0.0(place) * $0.1, $0.0(place)) } }
  }

  /// The last resort: whole names that begin or end the query, the longest.
  private func parts(of words: [String], _ places: [Place]) -> Set<String> {
    for count in (1..<words.count).reversed() {
      let parts = [words.suffix(count).joined(), words.prefix(count).joined()].filter { $0.utf8.count >= CandidateSearch.minPartLength }
      if places.contains(where: { parts.contains($0.key) }) { return Set(parts) }
    }
    return []
  }

  private func ranked(_ places: [Place], _ bias: Area?, _ weight: (Place) -> Double) -> [String] {
    rankedByBest(places, bias) { place in
      let weight = weight(place)
      return [(weight, weight)]
    }
  }

  /// The places by their best match.
  /// - Parameter matches: the weights of a place's matches, with the typing errors and without them; 0 for no match.
  private func rankedByBest(
    _ places: [Place], _ bias: Area?, _ matches: (Place) -> [(weight: Double, written: Double)]
  ) -> [String] {
    let proximity = bias.map { ProximityBoost($0) }
    let scored = places.compactMap { place -> (Place, Double)? in
      let nearness = proximity?.factor(FixedPoint(place.location)) ?? 1
      let scores = matches(place).filter { $0.weight > 0 }.map { match in
        let whole = max(match.weight, match.written)
        let extent: MatchExtent = whole >= MatchWeight.name ? .name : whole == MatchWeight.words ? .words : .prefix
        return match.weight * BruteForce.raised(place.importance, nearness: nearness, hasBias: bias != nil, extent)
      }
      return scores.max().map { (place, $0) }
    }
    return scored.sorted { $0.1 != $1.1 ? $0.1 > $1.1 : $0.0.rank < $1.0.rank }.map(\.0.id)
  }

  /// The importance of a place raised by its nearness and for a whole name: the greatest of what `ProximityBoost` and `Scorer` describe.
  private static func raised(_ importance: Double, nearness: Double, hasBias: Bool, _ extent: MatchExtent) -> Double {
    var greatest = importance * nearness
    if nearness > 1 {
      let wellKnown =
        switch extent {
        case .prefix: 0.8;
        case .words: 0.95;
        case .name: 0.75
        }
      greatest = max(greatest, (nearness - 1) / 2 * wellKnown * (0.9 + 0.1 * min(1, importance / 0.4)))
      if extent == .name { greatest = max(greatest, min(importance * (1 + (nearness - 1) * 2.6), 0.7)) }
    }
    return extent == .name ? max(greatest, (hasBias ? 0.48 : 0.56) + 0.1 * greatest) : greatest
  }

  /// Whether too many places have a name or word that begins with a text for it to be specific.
  private func isVague(_ text: String, _ texts: (Place) -> some Sequence<String>) -> Bool {
    places.count { texts($0).contains { $0.hasPrefix(text) } } > PostingListWriter.maxUnlistedPlaces
  }

  /// Whether a text is most of another.
  private static func isNearly(_ text: String, _ whole: String) -> Bool {
    whole.hasPrefix(text) && whole.utf8.count <= IndexFile.maxLength(withMostTyped: text.utf8.count)
  }

  /// Whether names with these words have all words of a query, the last one as a prefix.
  private static func isAligned(_ words: [String], with own: Set<String>, _ isComplete: Bool) -> Bool {
    guard let last = words.last else { return true }
    return words.dropLast().allSatisfy { own.contains($0) } && own.contains { isComplete ? $0 == last : $0.hasPrefix(last) }
  }

  /// The weight of a place for the typed words.
  /// - Parameter complete: the last word of the query, if a space ends it.
  private func weight(of words: [String], _ complete: String?) -> (Place) -> Double {
    guard let last = words.last else { return { _ in 0 } }
    let typed = words.joined()
    let isVagueName = isVague(typed) { $0.foreignKeys }
    let isVagueWord = isVague(last) { $0.allWords }
    return { place in
      var weights: [Double] = [0]
      if place.key == typed { weights.append(MatchWeight.name) }
      if place.otherKeys.contains(typed) { weights.append(MatchWeight.otherName) }
      if place.key.hasPrefix(typed) {
        let isShort = words.count == 1 && typed.utf8.count < 3 && last != complete
        let isAligned = isShort || [place.words, place.allWords].contains { BruteForce.isAligned(words, with: $0, last == complete) }
        weights.append(MatchWeight.namePrefix * (isAligned ? 1 : MatchWeight.acrossWords))
      }
      if !isVagueName, place.foreignKeys.contains(where: { BruteForce.isNearly(typed, $0) }) { weights.append(MatchWeight.otherNamePrefix) }
      if words.dropLast().allSatisfy({ place.words.contains($0) }) {
        if place.words.contains(last) { weights.append(MatchWeight.words) }
        if last != complete, place.words.contains(where: { $0.hasPrefix(last) }) { weights.append(MatchWeight.wordPrefixes) }
      }
      if words.count > 1, words.dropLast().allSatisfy({ place.allWords.contains($0) }) {
        if place.allWords.contains(last) { weights.append(MatchWeight.otherWords) }
        if !isVagueWord, last != complete, place.allWords.contains(where: { BruteForce.isNearly(last, $0) }) {
          weights.append(MatchWeight.otherWordPrefixes)
        }
      }
      return weights.max() ?? 0
    }
  }

  /// The same with at most so many typing errors; another first letter is one more. Words that were written apart are none, so what
  /// begins with them together counts in full. Beside rows without errors only whole names count that are shown.
  private static func weightWithErrors(_ place: Place, _ typed: [UInt8], _ errors: Int, besideOthers: Bool) -> Double {
    let allowed = typed.count < 4 ? 0 : typed.count < 8 ? 1 : 2
    guard allowed > 0, !besideOthers || typed.count >= TypoTolerance.minAlternativeLength else { return 0 }
    func errorsIn(_ text: ArraySlice<UInt8>) -> Int {
      let distance = distance(typed, Array(text))
      guard distance <= allowed, text.first != typed.first else { return distance > allowed ? .max : distance }
      return typed.count < TypoTolerance.minFirstLetterLength ? .max : distance + 1
    }
    func weight(_ count: Int, _ kind: Double) -> Double { (0...errors).contains(count) ? MatchWeight.errors[count] * kind : 0 }
    func start(_ text: [UInt8]) -> Int { (0...text.count).map { errorsIn(text[..<$0]) }.min() ?? .max }
    let key = Array(place.key.utf8)
    var weights = [weight(errorsIn(key[...]), MatchWeight.name)]
    guard !besideOthers else { return weights.max() ?? 0 }
    if typed.count >= TypoTolerance.minOtherNameLength || place.importance >= TypoTolerance.wellKnownImportance {
      weights += place.foreignKeys.map { weight(errorsIn(Array($0.utf8)[...]), MatchWeight.otherName) }
    }
    guard typed.count >= TypoTolerance.minPrefixLength else { return weights.max() ?? 0 }
    weights.append(weight(start(key), MatchWeight.namePrefix))
    weights += place.words.map { weight(start(Array($0.utf8)), MatchWeight.wordPrefixes) }
    return weights.max() ?? 0
  }

  /// Optimal string alignment, by the whole table.
  static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var table = [[Int]](repeating: [Int](repeating: 0, count: b.count + 1), count: a.count + 1)
    for i in 0...a.count { table[i][0] = i }
    for j in 0...b.count { table[0][j] = j }
    guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
    for i in 1...a.count {
      for j in 1...b.count {
        table[i][j] = min(table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1) }
      }
    }
    return table[a.count][b.count]
  }
}
