import PlacesKit

/// Finds the key of a request's reply in the text of its `params`, mostly without decoding a value. Made from a method's schema; not generic, so that
/// every module runs the same specialised code.
struct ParameterScanner: Sendable {
  /// The parts that every request needs; they contain no reference whose count would change.
  private struct Slot {
    var role: FieldRole
    var spelling: Spelling?
    /// The default, if it is a whole number or a list of words.
    var standard: UInt64?
  }

  /// The parts that only unusual spellings need.
  private struct Details {
    /// The default as JSON; empty if there is none.
    var standard: [UInt8]
    /// The canonical spelling of an allowed value, empty for the default; nil for a value that is not allowed.
    var canonical: @Sendable (Span<UInt8>) -> [UInt8]?
  }

  private let names: [Name]
  /// A hash table of the names with linear probing: the number of the parameter, counted from 1; 0 for an empty place.
  private let places: [UInt8]
  private let slots: [Slot]
  private let details: [Details]
  /// One bit for each required parameter.
  private let required: UInt32

  /// Only the first 31 parameters are known; a request with another one has no key.
  init<Root>(_ fields: [Field<Root>], initial: Root) {
    let fields = fields.prefix(31)
    slots = fields.map { field in
      let standard = field.standard.span
      let number: UInt64? =
        switch field.spelling {
        case .wholeNumber: Spelling.wholeNumber(standard).map { UInt64($0) }
        case .words(let words): words.chosen(by: standard)
        default: nil
        }
      return Slot(role: field.role, spelling: field.spelling, standard: number)
    }
    names = fields.map { field in
      let name = Array((field.name + "\"").utf8)
      return Name(at: 0, in: name.span) ?? Name()
    }
    var places = [UInt8](repeating: 0, count: 128)
    for (index, name) in names.enumerated() where name.count > 0 {
      var place = name.place
      while places[place] != 0 { place = (place + 1) % 128 }
      places[place] = UInt8(index + 1)
    }
    self.places = places
    details = fields.map { field in
      Details(standard: field.standard) { value in
        var root = initial
        guard let json = value.withUnsafeBufferPointer({ try? JSONValue(parsing: $0) }) else { return nil }
        do throws(InvalidParameter) { try field.decode(json, &root) } catch { return nil }
        return field.encode(root)?.bytes ?? []
      }
    }
    required = fields.indices.reduce(0) { fields[$1].isRequired ? $0 | 1 << UInt32($1) : $0 }
  }

  /// Appends the parameters that decide the answer; see `ReplyKey.bytes`. Nil if the spelling is unusual, something is wrong, or the request does not
  /// accept a cached answer. Rules that concern several parameters are not checked: the key of a request that breaks them belongs to no valid
  /// request, so that nothing is cached for it.
  func scan(_ params: Span<UInt8>, key: inout ReplyKey) -> SessionTurn? {
    var found = Found()
    guard params.count <= Int(UInt16.max), find(in: params, &found), found.all & required == required else { return nil }
    var (turn, rest) = (SessionTurn(), found.all)
    while rest != 0 {
      let index = rest.trailingZeroBitCount
      rest &= rest - 1
      let value = params.extracting(Int(found.starts[index])..<Int(found.ends[index]))
      switch slots[index].role {
      case .answer: guard append(value, of: index, to: &key) else { return nil }
      case .session:
        guard value.count == 38, let session = SessionID(utf8: value.extracting(1..<37)) else { return nil }
        turn.session = session
      case .sequence:
        guard turn.session != nil, let number = number(value, of: index) else { return nil }
        turn.seq = number
      case .manner: guard number(value, of: index) != nil || details[index].canonical(value) != nil else { return nil }
      case .cache: guard value.equals(details[index].standard) else { return nil }
      }
    }
    return turn
  }

  // MARK: Values

  /// The number of a value in its parameter's range; nil for another spelling or value.
  private func number(_ value: Span<UInt8>, of index: Int) -> Int? {
    guard case .wholeNumber(let range) = slots[index].spelling, let number = Spelling.wholeNumber(value), range.contains(number) else {
      return nil
    }
    return number
  }

  /// False for a value that is not allowed.
  private func append(_ value: Span<UInt8>, of index: Int, to key: inout ReplyKey) -> Bool {
    let slot = slots[index]
    switch slot.spelling {
    case .wholeNumber:
      guard let number = number(value, of: index) else { break }
      if slot.standard != UInt64(number) {
        key.append(UInt8(index + 1))
        key.append(number: number)
      }
      return true
    case .words(let words):
      guard let chosen = words.chosen(by: value) else { break }
      if slot.standard != chosen {
        key.append(UInt8(index + 1))
        words.append(chosen, to: &key)
      }
      return true
    case .text: if Spelling.isCanonical(text: value) { return append(canonical: value, of: index, to: &key) }
    case .language: if Spelling.isCanonical(language: value) { return append(canonical: value, of: index, to: &key) }
    case .region: if Spelling.isCanonical(region: value) { return append(canonical: value, of: index, to: &key) }
    case nil: break
    }
    if value.equals(details[index].standard) { return true }
    guard let canonical = details[index].canonical(value) else { return false }
    return canonical.isEmpty || append(canonical: canonical.span, of: index, to: &key)
  }

  private func append(canonical value: Span<UInt8>, of index: Int, to key: inout ReplyKey) -> Bool {
    key.append(UInt8(index + 1))
    key.append(value)
    return true
  }

  // MARK: Names

  /// The ranges of the parameters' values in the text.
  private struct Found {
    var starts = InlineArray<32, UInt16>(repeating: 0)
    var ends = InlineArray<32, UInt16>(repeating: 0)
    /// One bit for each parameter that was found.
    var all: UInt32 = 0
  }

  private func find(in params: Span<UInt8>, _ found: inout Found) -> Bool {
    var scanner = JSONScanner()
    guard scanner.take(UInt8(ascii: "{"), in: params) else { return false }
    repeat {
      guard scanner.peek(in: params) == UInt8(ascii: "\""), let name = Name(at: scanner.position + 1, in: params),
        let index = parameter(name), found.all >> UInt32(index) & 1 == 0
      else { return false }
      scanner.position += name.count + 2
      guard scanner.take(UInt8(ascii: ":"), in: params), let value = scanner.value(in: params) else { return false }
      found.all |= 1 << UInt32(index)
      found.starts[index] = UInt16(truncatingIfNeeded: value.lowerBound)
      found.ends[index] = UInt16(truncatingIfNeeded: value.upperBound)
    } while scanner.take(UInt8(ascii: ","), in: params)
    return scanner.take(UInt8(ascii: "}"), in: params) && scanner.position == params.count
  }

  private func parameter(_ name: Name) -> Int? {
    var place = name.place
    while places[place] != 0 {
      let index = Int(places[place]) - 1
      if names[index] == name { return index }
      place = (place + 1) % 128
    }
    return nil
  }
}

/// A parameter's name of at most fifteen bytes together with the closing quote, as two words that are compared at once.
private struct Name: Equatable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0
  /// Bytes before the quote.
  private(set) var count = 0

  /// An empty name, which is equal to no other.
  init() {}

  /// The name that begins at the index; nil if it is longer.
  @inline(__always) init?(at index: Int, in bytes: Span<UInt8>) {
    low = bytes.word(at: index)
    var quotes = Self.quotes(in: low)
    if quotes == 0 {
      high = bytes.word(at: index + 8)
      quotes = Self.quotes(in: high)
      guard quotes != 0 else { return nil }
      high &= quotes ^ (quotes &- 1)
      count = 8
    } else {
      low &= quotes ^ (quotes &- 1)
    }
    count += quotes.trailingZeroBitCount / 8
  }

  /// The place, of 128, at which the search for it begins.
  var place: Int { Int(truncatingIfNeeded: ((low ^ high) &* 0x9E37_79B9_7F4A_7C15) >> 57) }

  /// The top bit of the first byte that is a quote; bits above it are undefined.
  private static func quotes(in word: UInt64) -> UInt64 {
    let quotes = word ^ 0x2222_2222_2222_2222
    return (quotes &- 0x0101_0101_0101_0101) & ~quotes & 0x8080_8080_8080_8080
  }
}
