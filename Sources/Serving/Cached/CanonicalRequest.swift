import PlacesAPI

/// What an autocomplete request asks, as bytes that are the same however it is spelt: the order of members, white space, the
/// spelling of numbers, defaults that are written out, and everything that only says who asks, in which turn and how long he
/// waits make no difference. Made in one pass, without a tree and, once its buffer has grown, without allocating.
///
/// Where two spellings mean the same and get different bytes, an answer is kept twice; two meanings never get the same bytes.
struct CanonicalRequest {
  /// The canonical bytes; reused from request to request.
  private(set) var key: [UInt8] = []
  /// The session that the request belongs to, and its number there.
  private(set) var session: SessionID?
  private(set) var seq: Int?
  private(set) var query = 0..<0

  /// The parameters that name an answer, in the order of the key, then those that do not.
  private enum Parameter: Int, CaseIterable {
    case query, limit, language, region, origin, bias, restriction, types, countries, kinds, inputOffset, providers
    case session, seq, deadlineMs, stream, cache, explain
  }

  init() { key.reserveCapacity(512) }

  /// Reads `params` (the range of an object) for a user. False for a request that must go the long road.
  mutating func read(_ params: Range<Int>, of bytes: Span<UInt8>, user: UInt32) -> Bool {
    session = nil
    seq = nil
    key.removeAll(keepingCapacity: true)
    withUnsafeBytes(of: user) { key.append(contentsOf: $0) }
    var starts = InlineArray<18, Int>(repeating: -1)
    guard Self.find(&starts, params, bytes) else { return false }
    for parameter in Parameter.allCases {
      let start = starts[parameter.rawValue]
      if start >= 0 {
        guard append(parameter, at: start, bytes) else { return false }
      } else if parameter == .query {
        return false
      }
    }
    // A number counts the requests of a session.
    return seq == nil || session != nil
  }

  /// Where the value of each parameter begins.
  private static func find(_ starts: inout InlineArray<18, Int>, _ params: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
    var scanner = ParameterScanner(bytes, at: params.lowerBound)
    guard scanner.take(UInt8(ascii: "{")) else { return false }
    repeat {
      guard let key = scanner.key(), scanner.peek() != nil, let parameter = parameter(key, bytes), starts[parameter.rawValue] < 0
      else { return false }
      starts[parameter.rawValue] = scanner.position
      guard CanonicalValue.skip(&scanner) else { return false }
    } while scanner.take(UInt8(ascii: ","))
    return scanner.take(UInt8(ascii: "}")) && scanner.position == params.upperBound
  }

  private static func parameter(_ key: Range<Int>, _ bytes: Span<UInt8>) -> Parameter? {
    let at = key.lowerBound
    switch key.count {
    case 3: return bytes.holds("seq", at: at) ? .seq : nil
    case 4: return bytes.holds("bias", at: at) ? .bias : nil
    case 5:
      if bytes.holds("query", at: at) { return .query }
      if bytes.holds("limit", at: at) { return .limit }
      if bytes.holds("types", at: at) { return .types }
      if bytes.holds("kinds", at: at) { return .kinds }
      return bytes.holds("cache", at: at) ? .cache : nil
    case 6:
      if bytes.holds("region", at: at) { return .region }
      if bytes.holds("origin", at: at) { return .origin }
      return bytes.holds("stream", at: at) ? .stream : nil
    case 7:
      if bytes.holds("session", at: at) { return .session }
      return bytes.holds("explain", at: at) ? .explain : nil
    case 8: return bytes.holds("language", at: at) ? .language : nil
    case 9:
      if bytes.holds("countries", at: at) { return .countries }
      return bytes.holds("providers", at: at) ? .providers : nil
    case 10: return bytes.holds("deadlineMs", at: at) ? .deadlineMs : nil
    case 11:
      if bytes.holds("restriction", at: at) { return .restriction }
      return bytes.holds("inputOffset", at: at) ? .inputOffset : nil
    default: return nil
    }
  }

  /// Appends a parameter to the key, or takes it out of the request. False where the long road must look at it.
  private mutating func append(_ parameter: Parameter, at start: Int, _ bytes: Span<UInt8>) -> Bool {
    var scanner = ParameterScanner(bytes, at: start)
    switch parameter {
    case .query: return append(query: &scanner)
    case .limit:
      guard let limit = scanner.integer() else { return false }
      if limit != 10 { append(parameter, limit) }
    case .inputOffset:
      guard let offset = scanner.integer() else { return false }
      append(parameter, offset)
    case .language, .region, .origin, .bias, .restriction, .types, .countries, .kinds, .providers:
      let start = key.count
      key.append(UInt8(parameter.rawValue))
      let isSet = [.types, .countries, .kinds, .providers].contains(parameter)
      guard CanonicalValue.append(&scanner, to: &key, asSet: isSet) else { return false }
      if Self.isDefault(parameter, key[(start + 1)...]) { key.removeSubrange(start...) }
    case .session:
      guard let range = scanner.plainString(), let id = SessionID(bytes.text(range)) else { return false }
      session = id
    case .seq:
      guard let number = scanner.integer(), (0...9_007_199_254_740_991).contains(number) else { return false }
      seq = Int(number)
    case .deadlineMs:
      guard let milliseconds = scanner.integer(), (10...30_000).contains(milliseconds) else { return false }
    case .stream: return scanner.boolean() != nil
    case .explain: return scanner.boolean() == false
    case .cache:
      guard let word = scanner.plainString() else { return false }
      return word.count == 7 && bytes.holds("default", at: word.lowerBound)
    }
    return true
  }

  /// Whether a value that was written out is what stands where nothing is written.
  private static func isDefault(_ parameter: Parameter, _ value: ArraySlice<UInt8>) -> Bool {
    switch parameter {
    case .kinds: value.elementsEqual("[place\0query\0]".utf8)
    case .countries, .providers, .types: value.elementsEqual("[]".utf8)
    default: false
    }
  }

  private mutating func append(query scanner: inout ParameterScanner) -> Bool {
    guard var range = scanner.plainString() else { return false }
    while let first = range.first, scanner.bytes[first] == 0x20 { range.removeFirst() }
    while let last = range.last, scanner.bytes[last] == 0x20 { range.removeLast() }
    guard !range.isEmpty, range.count <= 1_024 else { return false }
    query = range
    key.append(UInt8(Parameter.query.rawValue))
    for index in range { key.append(scanner.bytes[index]) }
    key.append(0)
    return true
  }

  private mutating func append(_ parameter: Parameter, _ number: Int64) {
    key.append(UInt8(parameter.rawValue))
    withUnsafeBytes(of: number) { key.append(contentsOf: $0) }
  }
}

extension Span<UInt8> {
  /// A part as a string; what is not UTF-8 in it is replaced.
  func text(_ range: Range<Int>) -> String {
    extracting(range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }
}
