import PlacesKit
import Text

/// A name prepared for comparison.
struct NameVariant: Sendable {
  var text: WordBuffer.TextSpan
  /// The letters of all words without spaces.
  var letters: Range<Int>
  /// A key that is equal for names with the same letters in the same order, however they are spaced.
  var joinedKey: UInt64
  /// A key that is equal for names with the same distinctive words in any order; 0 if a name has none.
  var coreKey: UInt64
  /// A set of the pairs of neighbouring letters: each pair sets the bit of its hash, 0…63.
  var letterPairs: UInt64
  /// Whether this is a head, which is the part of a town's name before its qualifier (`NameQualifier`): Portland of `Portland (Ore)`.
  var isHead = false
}

/// A record prepared for comparison. Members of variable length are stored in the `NormalizedRecords` to which it belongs.
struct NormalizedRecord: Sendable {
  /// The key of the source's name.
  var source: UInt64
  /// Indexes into `NormalizedRecords.names`, the main name first.
  var names = 0..<0
  /// Indexes into `NormalizedRecords.identifiers`.
  var identifiers = 0..<0
  /// Whether the first identifier is the id in the record's own source.
  var hasOwnIdentifier = false
  var location: Coordinate?
  var address = WordBuffer.TextSpan()
  var house = HouseNumber()
  /// The key of the postcode, or 0.
  var postcode: UInt64 = 0
  var locality = WordBuffer.TextSpan()
  /// The secondary text. Only the words of a query are compared with it.
  var context = WordBuffer.TextSpan()
  /// The letters of the region's name, in `NormalizedRecords.words`.
  var region = 0..<0
  /// The key of the country's two-letter code, or 0.
  var country: UInt64 = 0
  /// The telephone number, as `Phone.digits` returns it.
  var phone: UInt64?
  var website: WebAddress?
  var category = Category()
  /// The types of the place. A word of the query may name one of them.
  var types: [PlaceType] = []
  /// Whether most records of the set are businesses, see `MatchRecord.amongBusinesses`.
  var amongBusinesses = false

  /// Whether the place is probably a business or an address: the record has a street, house number, postcode, phone, website or category,
  /// or most records of the set are businesses. False for a village or something larger.
  var looksLikeBusiness: Bool {
    if let extent = category.extent, extent >= .village { return false }
    return amongBusinesses || category.groups != 0 || !house.isEmpty || phone != nil || website != nil || !address.isEmpty
      || postcode != 0
  }

  /// Whether the place is a street as a whole.
  var isStreet = false
  var importance: Double?

  /// Whether the place is a stop of buses or trams.
  var isStop = false

  /// Whether the place is a village or something larger.
  var isArea: Bool { (category.extent ?? .address) >= .village }

  /// Whether the place is a town, or nothing indicates that it is something else.
  var mayBeTown: Bool {
    switch category.extent {
    case .city: true
    case .village: !isStreet
    case nil: !looksLikeBusiness
    default: false
    }
  }

  /// Whether the place may lie in Japan. If so, Chinese characters in its name may have Japanese readings.
  var mayLieInJapan: Bool {
    if country != 0 { return country == Country.japan }
    guard let location else { return true }
    return (24...46).contains(location.latitude) && (location.latitude < 31 ? 122.9...146 : 128.5...146).contains(location.longitude)
  }
}

/// All records of one comparison, one for each row.
struct NormalizedRecords: Sendable {
  var words: WordBuffer
  var all: [NormalizedRecord] = []
  var names: [NameVariant] = []
  var identifiers: [Identifier] = []

  /// The towns and regions among the rows that have several names, by the joined key of each name.
  private var namedAreas: [UInt64: [Int]] = [:]

  /// The maximum number of names of a row that are compared.
  static let nameLimit = 12

  subscript(index: Int) -> NormalizedRecord { all[index] }

  init(_ source: some Collection<MatchRecord>) {
    words = WordBuffer(rows: source.count)
    all.reserveCapacity(source.count)
    names.reserveCapacity(2 * source.count)
    identifiers.reserveCapacity(source.count)
    for record in source { add(record) }
  }

  mutating func add(_ record: MatchRecord) {
    var normal = NormalizedRecord(source: Word.key(of: record.source))
    normal.location = record.location
    normal.importance = record.importance
    addIdentifiers(of: record, to: &normal)
    addAddress(of: record, to: &normal)
    normal.country = Country.key(record.country)
    normal.phone = record.phone.flatMap { Phone.digits($0, country: Country.code(record.country)) }
    normal.website = record.website.flatMap { WebAddress($0) }
    normal.category = record.types.isEmpty ? record.category.map { Category(words: $0) } ?? Category() : Category(types: record.types)
    normal.types = record.types
    normal.isStreet = record.types.contains("route") && normal.house.isEmpty
    normal.isStop = record.types.contains { PlaceParts.stops.contains($0) }
    let firstName = names.count
    normal.amongBusinesses = record.amongBusinesses
    addName(record.name, ofTown: !normal.looksLikeBusiness, inJapan: normal.mayLieInJapan)
    for name in record.otherNames.prefix(NormalizedRecords.nameLimit - 1) where !name.isEmpty { addName(name) }
    normal.names = firstName..<names.count
    if normal.isArea, normal.names.count > 1 {
      for name in normal.names { namedAreas[names[name].joinedKey, default: []].append(all.count) }
    }
    all.append(normal)
  }

  /// Whether a town among the rows has both names: if a row for Vienna has both, `1010 Wien` and `Vienna` are one town. A number beside a
  /// name is ignored, since it is a postcode.
  func areOneTown(_ a: WordBuffer.TextSpan, _ b: WordBuffer.TextSpan) -> Bool {
    guard !namedAreas.isEmpty, !a.words.isEmpty, !b.words.isEmpty else { return false }
    guard let first = namedAreas[townKey(a)], let second = namedAreas[townKey(b)] else { return false }
    return first.contains(where: second.contains)
  }

  /// The key of a town's name without numbers before and after it.
  private func townKey(_ locality: WordBuffer.TextSpan) -> UInt64 {
    var nameWords = locality.words
    while let first = nameWords.first, words[first].kind == .number { nameWords = nameWords.dropFirst() }
    while let last = nameWords.last, words[last].kind == .number { nameWords = nameWords.dropLast() }
    return words.key(of: words.joined(nameWords))
  }

  /// Adds a name in all its forms. A town with a qualifier after a comma or in brackets also has the name before it: `Portland (Ore)` is
  /// also Portland. A name in another script may have several readings.
  private mutating func addName(_ name: String, ofTown: Bool = false, inJapan: Bool = false) {
    let text = words.add(name)
    addForm(text)
    guard ofTown else { return }
    if text.head != text.words { addForm(WordBuffer.TextSpan(words: text.head, head: text.head, script: text.script), isHead: true) }
    guard text.script != .latin else { return }
    let spelling = Transliteration.spelling(of: name)
    if let bare = spelling.bare { addForm(bare, script: text.script) }
    if inJapan { for reading in spelling.japanese { addForm(reading, script: text.script) } }
  }

  /// Adds a name in Latin letters whose original is in another script.
  private mutating func addForm(_ spelling: String, script: NameScript) {
    var text = words.add(spelling)
    text.script = script
    addForm(text)
  }

  private mutating func addForm(_ text: WordBuffer.TextSpan, isHead: Bool = false) {
    let letters = words.joined(text.words)
    names.append(
      NameVariant(
        text: text, letters: letters, joinedKey: words.key(of: letters), coreKey: words.coreKey(of: text.words),
        letterPairs: words.letterPairs(of: letters), isHead: isHead))
  }

  private mutating func addIdentifiers(of record: MatchRecord, to normal: inout NormalizedRecord) {
    let first = identifiers.count
    if let id = record.id, !id.isEmpty, let own = Identifier(namespace: record.source, id: id[...]) {
      identifiers.append(own)
      normal.hasOwnIdentifier = true
    }
    for text in record.equivalents { if let other = Identifier(text) { identifiers.append(other) } }
    normal.identifiers = first..<identifiers.count
  }

  private mutating func addAddress(of record: MatchRecord, to normal: inout NormalizedRecord) {
    if let address = record.address, !address.isEmpty { normal.address = words.add(address) }
    if let locality = record.locality, !locality.isEmpty { normal.locality = words.add(locality) }
    if let context = record.context, !context.isEmpty { normal.context = words.add(context) }
    if let region = record.region, !region.isEmpty { normal.region = addLetters(of: region) }
    if let postcode = record.postcode, !postcode.isEmpty {
      let letters = addLetters(of: postcode)
      normal.postcode = words.postcode(letters)
    }
    if let number = record.houseNumber, !number.isEmpty { normal.house = HouseNumber(number) }
    if normal.house.isEmpty, let address = record.address, !address.isEmpty { normal.house = HouseNumber(address) }
  }

  private mutating func addLetters(of text: String) -> Range<Int> {
    let text = words.add(text)
    return words.joined(text.words)
  }
}
