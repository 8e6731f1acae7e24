import PlacesKit
import SQLite

/// How well a place's names match what was typed. A score is the weight of the best way to match, times importance, times nearness.
enum MatchWeight {
  /// The whole name: the place's own or that in the language asked for.
  static let name = 1.0
  /// The whole name of a country or region lifts it so much: who writes `bali` means the island before a suburb of Kolkata.
  static let area = 1.06
  /// A whole local name where the row shows another.
  static let hiddenName = 0.85
  /// Any other name: Paris is called Bali too, and Hong Kong Victoria, but who writes that means a town whose own name it is.
  static let otherName = 0.7
  /// The beginning of a name; of another name only where it is most of it, and behind all own names of places that anyone knows.
  static let nameStart = 0.8
  static let otherNameStart = 0.2
  /// The beginning of a local name where the row shows another.
  static let hiddenStart = 0.35
  /// Folded letters where marks were typed, as a part of the rest.
  static let folded = 0.5
  /// The same of what is far, as a part of that, where something nearby is spelled so.
  static let foldedFar = 0.05
  /// The whole name in the script typed, but in a language that nobody asked for, or its beginning.
  static let otherScript = 0.6
  static let otherScriptStart = 0.45
  /// Every word typed is a word of the own names or the address; with the last one unfinished.
  static let words = 0.6
  static let wordStarts = 0.5
  /// The beginning of a word of the main or the English name where the row shows the local one.
  static let hiddenWordStart = 0.2
  /// The same with words of other names.
  static let otherWords = 0.35
  static let otherWordStarts = 0.15
  /// A letter alone means a word that begins so, as a part of the rest, where no point after it says that it does.
  static let initial = 0.5
  /// Words that end in a number, as a part of the rest: a house of that address comes before the shop in it, and before that of another
  /// street whose name has these words.
  static let numberedWords = 0.3
  /// Words, or numbers among them, that are all of the address and none of a name, as a part of the rest: `vaduz` means what is called so before
  /// what lies there, and a street with a number the house before the shops in it.
  static let addressWords = 0.15
  /// The whole name, or its beginning, in letters of another script.
  static let crossing = 0.4
  static let crossingStart = 0.1
  /// What is left when part of the query names the country or region: in full, or its beginning.
  static let inArea = 0.95
  static let inAreaStart = 0.8
  /// Some of the words are the whole name, and no place is called by all of them: of `paris hbf` Paris is more than Parishville with two
  /// errors, and of `san francsco` San in Mali less than San Francisco with one.
  static let part = 0.5
  /// With one typing error or two. Rows with errors always stand below rows without.
  static let errors = [1.0, 0.5, 0.25]
}

/// Finds the places that match the words of a query, best first.
struct Matcher {
  let file: IndexFile
  let filter: PlaceFilter
  let proximity: Proximity?
  let reading: Reading
  /// Lifts what lies where the person is at home.
  let home: Home
  var top: TopList
  /// Where given, the nearest places that match in any way are wanted, instead of the best.
  var nearestTo: Coordinate?
  /// Only places of lower ranks are taken.
  private var end = UInt32.max
  /// Whether a number at the end may be the beginning of a longer one.
  private var beginsNumbers = false
  /// Whether something in the neighbourhood is spelled as it was typed, so that what is far and only folded alike was hardly meant.
  private var hasSpelledNearby = false
  /// Whether nothing matches as typed, so that the rows, if any, are corrections.
  var isGuess = false
  /// Whether the rows are what was typed, with one error at most.
  private(set) var isClose = true

  init(file: IndexFile, filter: PlaceFilter, proximity: Proximity?, reading: Reading, home: Home = Home(), limit: Int) {
    self.file = file
    self.filter = filter
    self.proximity = proximity
    self.reading = reading
    self.home = home
    top = TopList(limit: limit)
  }

  /// Below so many rows without typing errors, rows with errors are looked for: beside others only whole names with one error and the
  /// same first letter (`londn` for London, below a Londn), and beginnings, other first letters and two errors only where nothing else is.
  static let enough = 3

  /// All ways to match. `words` are folded.
  mutating func match(_ words: [String]) throws(SQLiteError) {
    guard !words.isEmpty else { return }
    let splits = try areaSplits(words)
    let streets = try streets(endingIn: words)
    if streets.isEmpty { try matchName(words[...], splits) } else { try match(words, besides: streets, splits) }
    if !reading.isFinished, !top.isFull, Matcher.endsInNumber(words[...]) {
      var begun = another()
      begun.beginsNumbers = true
      try begun.matchName(words[...], splits)
      append(begun.top)
    }
    if hasTooFew || reading.initials == .surely { try matchWrittenShort(words, splits) }
    guard hasTooFew else { return }
    if top.rows.isEmpty {
      try matchName(words[...], reading.lastNames, times: 1, in: [])
      try matchWords(words[...], reading.lastWords, 1, [])
    }
    if top.rows.isEmpty, let respelled = reading.respelled { try matchName(respelled[...], reading.lastNames, times: 1, in: []) }
    isClose = !top.rows.isEmpty
    guard hasTooFew, reading.isAlphabetic else { return }
    var inexact = another()
    // Beside what was found only what is better known was meant, as London is beside a Londn.
    inexact.end = top.rows.map(\.rank).min() ?? .max
    isGuess = top.rows.isEmpty
    guard isGuess || words.joined().utf8.count >= TypingErrors.shortestBeside else { return }
    // The more errors, the less a row is worth and the more it costs: each step only where the one before found nothing.
    for errors in 1..<MatchWeight.errors.count {
      try inexact.matchWithErrors(words[...], errors, besideOthers: !isGuess, in: [])
      for split in splits where split.weight >= MatchWeight.inArea {
        guard isGuess || split.name.joined().utf8.count >= TypingErrors.shortestBeside else { continue }
        try inexact.matchWithErrors(split.name, errors, besideOthers: !isGuess, in: split.areas)
      }
      if errors == 1, !inexact.top.rows.isEmpty { isClose = true }
      guard isGuess, inexact.top.rows.isEmpty else { break }
    }
    append(inexact.top)
  }

  func another(limit: Int? = nil) -> Matcher {
    var matcher = Matcher(file: file, filter: filter, proximity: proximity, reading: reading, home: home, limit: limit ?? top.limit)
    matcher.nearestTo = nearestTo
    return matcher
  }

  private var hasTooFew: Bool { top.rows.count < min(Matcher.enough, top.limit) }

  /// Whether the last of several words is a number, as that of a house: it means itself before any that begins so.
  static func endsInNumber(_ words: ArraySlice<String>) -> Bool {
    guard words.count > 1, let last = words.last?.utf8 else { return false }
    return last.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "-") }
  }

  /// Adds rows that match worse below all others.
  mutating func append(_ others: TopList) {
    let lowest = top.rows.last?.score ?? 1
    for row in others.rows where !top.isFull {
      top.add(row.rank, below(lowest, row.score))
    }
  }

  /// A score below the lowest so far, in the order of those that are: none is more than the most that a place can be lifted.
  func below(_ lowest: Double, _ score: Double) -> Double { lowest * score / (2 * most) }

  mutating func matchName(_ words: ArraySlice<String>, _ splits: [AreaSplit]) throws(SQLiteError) {
    try matchName(words, times: 1, in: [])
    for split in splits { try matchName(split.name, times: split.weight, in: split.areas) }
  }

  /// The words as a name, written together or apart, and as words in any order.
  mutating func matchName(_ words: ArraySlice<String>, times: Double, in areas: [AreaSet]) throws(SQLiteError) {
    try matchName(words, reading.names, times: times, in: areas)
    try matchWords(words, reading.words, Matcher.endsInNumber(words) ? times * MatchWeight.numberedWords : times, areas)
  }

  private mutating func matchName(
    _ words: ArraySlice<String>, _ lookups: [Reading.Lookup], times: Double, in areas: [AreaSet]
  ) throws(SQLiteError) {
    let key = words.joined()
    for lookup in lookups {
      guard let text = reading.text(key, words: words.count, in: lookup.kind) else { continue }
      // Spelled names are the first that are looked up.
      defer { if lookup.kind == .spelledName { hasSpelledNearby = holdsNearby } }
      if let weight = lookup.spelled, mayEnter(times * weight), let list = try file.places(lookup.kind, text),
        let spelling = reading.text(key, words: words.count, in: .spelledName)
      {
        try walk([list], times * weight, areas, spelling, written: lookup.isVague ? .beginning : .name)
      }
      if mayEnter(times * lookup.whole * MatchWeight.area), let list = try file.places(lookup.kind, text) {
        try walk([list], times * lookup.whole, areas, written: lookup.isVague ? .beginning : .name)
        if !lookup.isVague, let named = try file.places(.area, key) {
          try walk([list, named], times * lookup.whole * MatchWeight.area, areas, written: .name)
        }
      }
      guard mayGoOn(words), let start = lookup.start, mayEnter(times * start) else { continue }
      if let list = try started(lookup, text) { try walk([list], times * start, areas) }
    }
  }

  private var holdsNearby: Bool {
    guard let proximity else { return false }
    return top.rows.contains { row in file.mapped.columns(row.rank).map { proximity.isNear($0.point) } ?? false }
  }

  private mutating func matchWords(
    _ words: ArraySlice<String>, _ lookups: [Reading.Lookup], _ times: Double, _ areas: [AreaSet]
  ) throws(SQLiteError) {
    for lookup in lookups where mayEnter(times * lookup.whole) { try matchWords(words, lookup, times, areas) }
  }

  /// The lists of what has each of the words in its address and in no name, or each number of them; empty where there is no such place. The
  /// last word may be unfinished.
  func addressed(_ words: ArraySlice<String>, isFinished: Bool) throws(SQLiteError) -> [PostingCursor] {
    guard file.hasAddresses else { return [] }
    // Of a shop at Landstrasse 60 in Vaduz that is called after Vaduz the number still tells that the house comes first.
    let hasNumber = words.contains { Matcher.isNumber($0) }
    var lists: [PostingCursor] = []
    for (index, word) in zip(words.indices, words) where !hasNumber || Matcher.isNumber(word) {
      let isWhole = isFinished || index < words.endIndex - 1
      guard let list = try isWhole ? file.places(.addressWord, word) : file.places(.addressWord, startingWith: word) else { return [] }
      lists.append(list)
    }
    return lists
  }

  private static func isNumber(_ word: String) -> Bool {
    word.utf8.first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
  }

  private mutating func matchWords(
    _ words: ArraySlice<String>, _ lookup: Reading.Lookup, _ times: Double, _ areas: [AreaSet]
  ) throws(SQLiteError) {
    guard let last = words.last else { return }
    var whole: [PostingCursor] = []
    for word in words.dropLast() {
      guard let list = try file.places(lookup.kind, word) else { return }
      whole.append(list)
    }
    if let list = try file.places(lookup.kind, last) {
      try walk(
        whole + [list], times * lookup.whole, areas, addressed: addressed(words, isFinished: true),
        written: lookup.isVague ? .beginning : .words)
    }
    guard mayGoOn(words), let start = lookup.start, mayEnter(times * start) else { return }
    if let list = try started(lookup, last) {
      try walk(whole + [list], times * start, areas, addressed: addressed(words, isFinished: false))
    }
  }

  private func started(_ lookup: Reading.Lookup, _ text: String) throws(SQLiteError) -> PostingCursor? {
    lookup.isVague ? try file.places(lookup.kind, nearly: text) : try file.places(lookup.kind, startingWith: text)
  }

  /// Whether the words may be the beginning of more.
  func mayGoOn(_ words: ArraySlice<String>) -> Bool { beginsNumbers || !Matcher.endsInNumber(words) }

  /// Whether the most important place could still enter by a match of this weight; else nothing need be looked up.
  func mayEnter(_ weight: Double) -> Bool { nearestTo != nil || top.admits(weight * most) }

  /// The most by which nearness and home can lift a place.
  private var most: Double { home.most * (proximity?.most ?? 1) }

  /// Takes the places that all lists hold, with a spelling only those that have a name which is spelled so. Where few lie in the
  /// neighbourhood of a bias, these are looked for among them, and the others so far down as their importance alone could bring them.
  /// What all of the lists `addressed` hold counts as what only lies there, and what is less important than `least` not at all; `written`
  /// tells what the words are of the name.
  mutating func walk(
    _ lists: consuming [PostingCursor], _ weight: Double, _ areas: [AreaSet], _ spelling: String? = nil, addressed: [PostingCursor] = [],
    written: Proximity.Written = .beginning, least: Double = 0
  ) throws(SQLiteError) {
    let everything = end
    defer { end = everything }
    if least > 0 { end = min(end, file.mapped.firstRank(below: least)) }
    var step = Step(weight: weight, areas: areas, spelling: spelling, addressed: addressed, written: written)
    let led = try led(lists, areas)
    if let nearestTo { return try walk(led, nearestTo: nearestTo, areas) }
    guard let proximity, let shortest = led.map(\.count).min(), shortest > PostingList.first,
      let near = try proximity.neighbourhood.ranks(in: file, fewerThan: shortest)
    else {
      step.nearest = proximity?.most ?? 1
      return try walk(led, step)
    }
    // What is near first: the better that is, the sooner nothing that is far can enter.
    step.nearest = proximity.most
    try walk([PostingCursor(ranks: near)] + led, step)
    step.nearest = proximity.mostBeyond
    try walk(led, step)
  }

  /// What a walk along lists looks for.
  private struct Step {
    var weight: Double
    var areas: [AreaSet]
    var spelling: String?
    var addressed: [PostingCursor]
    var written: Proximity.Written
    /// The most by which nearness lifts what the lists hold.
    var nearest = 1.0
  }

  /// Takes the nearest places that all lists hold. All are looked at: what is near may be as unimportant as can be.
  private mutating func walk(_ lists: [PostingCursor], nearestTo center: Coordinate, _ areas: [AreaSet]) throws(SQLiteError) {
    var common = CommonRanks(lists)
    while let rank = try common.next() {
      guard rank < end else { return }
      guard let columns = file.mapped.columns(rank), filter.admits(columns), areas.allSatisfy({ $0.holds(columns) }) else { continue }
      top.add(rank, 1 / (1 + file.distance(of: rank, to: center)))
    }
  }

  /// Takes the places that all lists hold, from the most important on, until none that follows could enter.
  private mutating func walk(_ lists: consuming [PostingCursor], _ step: Step) throws(SQLiteError) {
    var common = CommonRanks(lists)
    var addressed = CommonRanks(step.addressed)
    let most = step.weight * home.most
    while let rank = try common.next() {
      guard rank < end else { return }
      guard let columns = file.mapped.columns(rank) else { continue }
      let importance = Double(columns.importance) / 65_535
      guard top.admits(most * Proximity.lifted(importance, by: step.nearest, step.written)) else { return }
      guard filter.admits(columns), step.areas.allSatisfy({ $0.holds(columns) }) else { continue }
      if let spelling = step.spelling, try !file.place(rank, isSpelled: spelling) { continue }
      let nearness = proximity?.factor(columns.point) ?? 1
      let isAside = hasSpelledNearby && step.spelling == nil && proximity?.isNear(columns.point) == false
      let lifted = Proximity.lifted(importance, by: nearness, step.written)
      let score = step.weight * home.factor(columns.country) * lifted * (isAside ? MatchWeight.foldedFar : 1)
      guard top.admits(score) else { continue }
      top.add(rank, score * (try addressed.hold(rank) ? MatchWeight.addressWords : 1))
    }
  }
}

extension Matcher {
  /// The lists, the shortest first, behind the shortlist of what the filter admits and the areas hold where one is shorter still.
  private func led(_ lists: consuming [PostingCursor], _ areas: [AreaSet]) throws(SQLiteError) -> [PostingCursor] {
    if lists.count > 1 { lists.sort { $0.count < $1.count } }
    // A list that stands whole beside its term is walked before anything else could be looked up.
    guard let shortest = lists.first?.count, shortest > PostingList.first else { return lists }
    var leader: [UInt32]?
    for shortlist in filter.shortlists + areas.map(\.shortlist) {
      leader = try shortlist.ranks(in: file, fewerThan: leader?.count ?? shortest) ?? leader
    }
    if let leader { lists.insert(PostingCursor(ranks: leader), at: 0) }
    return lists
  }
}

/// The ranks that several ascending lists have in common.
struct CommonRanks {
  private var lists: [PostingCursor]

  init(_ lists: consuming [PostingCursor]) { self.lists = lists }

  /// Whether there are lists, and all of them hold a rank; to be asked of rising ones.
  mutating func hold(_ rank: UInt32) throws(SQLiteError) -> Bool {
    guard !lists.isEmpty else { return false }
    for index in lists.indices { guard try lists[index].holds(rank) else { return false } }
    return true
  }

  mutating func next() throws(SQLiteError) -> UInt32? {
    guard !lists.isEmpty, var candidate = try lists[0].next() else { return nil }
    if lists.count == 1 { return candidate }
    var agreed = 1
    var index = 1
    while agreed < lists.count {
      index %= lists.count
      guard let rank = try lists[index].next(notBelow: candidate) else { return nil }
      agreed = rank == candidate ? agreed + 1 : 1
      candidate = rank
      index += 1
    }
    return candidate
  }
}
