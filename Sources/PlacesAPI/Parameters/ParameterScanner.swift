import PlacesKit

/// What the road of known answers needs to know of a request beside the key of its reply.
public struct Asker: Sendable {
  public var session: SessionID?
  public var seq: Int?
}

/// The road of known answers: finds the key of a request's reply from the bytes of its `params`, mostly without decoding a value.
/// Made from a method's schema; not generic, so that every module runs the same compiled code.
struct ParameterScanner: Sendable {
  /// What is looked at for every request, without a reference that would have to be counted.
  private struct Slot {
    var role: FieldRole
    var spelling: Spelling?
    /// The default, where it is a whole number or a list of words.
    var standard: UInt64?
  }

  /// What is needed for unusual spellings.
  private struct Details {
    /// The default as it is written; empty where there is none.
    var standard: [UInt8]
    /// The canonical spelling of an allowed value, empty for the default; nil for a value that is not allowed.
    var canonical: @Sendable (Span<UInt8>) -> [UInt8]?
  }

  private let names: [Name]
  /// One more than the number of the parameter by the hash of its name, or in the next places after that; 0 where there is none.
  private let places: [UInt8]
  private let slots: [Slot]
  private let details: [Details]
  /// A bit for each parameter that must be there.
  private let required: UInt32

  /// A scanner that knows no more than 31 parameters; a method with more has no known answers.
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

  /// Appends the parameters that name the answer, each as a byte with its number from 1 on, which no JSON text holds, and its
  /// canonical value; defaults are left out. Nil sends the request along the long road: its spelling is unusual, something is wrong
  /// with it, or it does not want what is known. A key of parameters that are wrong after all is that of no valid request.
  func scan(_ params: Span<UInt8>, key: inout ReplyKey) -> Asker? {
    var found = Found()
    guard params.count <= Int(UInt16.max), find(in: params, &found), found.all & required == required else { return nil }
    var (asker, rest) = (Asker(), found.all)
    while rest != 0 {
      let index = rest.trailingZeroBitCount
      rest &= rest - 1
      let value = params.extracting(Int(found.starts[index])..<Int(found.ends[index]))
      switch slots[index].role {
      case .answer: guard append(value, of: index, to: &key) else { return nil }
      case .session:
        guard value.count == 38, let session = SessionID(utf8: value.extracting(1..<37)) else { return nil }
        asker.session = session
      case .sequence:
        guard asker.session != nil, let number = number(value, of: index) else { return nil }
        asker.seq = number
      case .manner: guard number(value, of: index) != nil || details[index].canonical(value) != nil else { return nil }
      case .cache: guard value.equals(details[index].standard) else { return nil }
      }
    }
    return asker
  }

  // MARK: Values

  /// The number of a value in its parameter's range; nil for another spelling or value.
  private func number(_ value: Span<UInt8>, of index: Int) -> Int? {
    guard case .wholeNumber(let range) = slots[index].spelling, let number = Spelling.wholeNumber(value), range.contains(number) else {
      return nil
    }
    return number
  }

  private func append(_ value: Span<UInt8>, of index: Int, to key: inout ReplyKey) -> Bool {
    let (slot, label) = (slots[index], UInt8(index + 1))
    switch slot.spelling {
    case .wholeNumber:
      guard let number = number(value, of: index) else { break }
      return slot.standard == UInt64(number) || key.append(label) && key.append(number: number)
    case .words(let words):
      guard let chosen = words.chosen(by: value) else { break }
      return slot.standard == chosen || key.append(label) && words.append(chosen, to: &key)
    case .text: if Spelling.isCanonical(text: value) { return key.append(label) && key.append(value) }
    case .language: if Spelling.isCanonical(language: value) { return key.append(label) && key.append(value) }
    case .region: if Spelling.isCanonical(region: value) { return key.append(label) && key.append(value) }
    case nil: break
    }
    if value.equals(details[index].standard) { return true }
    guard let canonical = details[index].canonical(value) else { return false }
    return canonical.isEmpty || key.append(label) && key.append(canonical)
  }

  // MARK: Names

  /// Where the values of the parameters stand.
  private struct Found {
    var starts = InlineArray<32, UInt16>(repeating: 0)
    var ends = InlineArray<32, UInt16>(repeating: 0)
    /// A bit for each.
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

/// A parameter's name of at most fifteen bytes, with the quote behind it: only the name itself is equal to it, and no other bytes.
private struct Name: Equatable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0
  /// Bytes before the quote.
  private(set) var count = 0

  /// No name.
  init() {}

  /// The name that begins at the index; nil for a longer one.
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

  /// Where the search for it begins, of 128 places.
  var place: Int { Int(truncatingIfNeeded: ((low ^ high) &* 0x9E37_79B9_7F4A_7C15) >> 57) }

  /// The top bit of the first byte that is a quote; bits above it mean nothing.
  private static func quotes(in word: UInt64) -> UInt64 {
    let quotes = word ^ 0x2222_2222_2222_2222
    return (quotes &- 0x0101_0101_0101_0101) & ~quotes & 0x8080_8080_8080_8080
  }
}

extension Autocomplete {
  /// Calls the body with the key of the request's reply; not at all where the request must go the long road.
  public static func withReplyKey(of params: Span<UInt8>, user: UInt32, _ body: (borrowing ReplyKey, Asker) -> Void) {
    ReplyKey.withRoom { key in
      guard let asker = schema.scanner.scan(params, key: &key), key.append(user: user) else { return }
      body(key, asker)
    }
  }

  /// Calls the body with the key that any spelling of these parameters has; not at all where it would be too long.
  public static func withReplyKey(of parameters: Parameters, user: UInt32, _ body: (borrowing ReplyKey) -> Void) {
    ReplyKey.withRoom { key in
      guard schema.append(parameters, to: &key), key.append(user: user) else { return }
      body(key)
    }
  }
}
