import PlacesKit
import RPC

/// Makes the key of a request's reply from the text of its parameters, without decoding the parameters that determine the answer. Each
/// method's schema has a scanner. The type is not generic, so that callers in other modules do not run unspecialised code.
struct ReplyKeyScanner: Sendable {
  private struct Parameter {
    var role: FieldRole
    /// The values that are allowed, if the parameter is a whole number.
    var range: ClosedRange<Int>?
    /// The default value as JSON text; empty if there is none.
    var defaultValue: [UInt8]
  }

  /// The parameters' names as `Span.packed` packs them, so that two names are compared by one comparison of integers.
  private let names: [UInt128]
  private let parameters: [Parameter]
  /// One bit for each required parameter.
  private let requiredBits: UInt32

  /// The scanner knows only the first 32 parameters of a method, one for each bit of `requiredBits`. A request with another parameter has
  /// no key.
  init<Root>(_ fields: [Field<Root>]) {
    let fields = fields.prefix(32)
    names = fields.map { field in
      let name = Array(field.name.utf8)
      return name.span.packed(in: name.indices) ?? 0
    }
    parameters = fields.map { Parameter(role: $0.role, range: $0.range, defaultValue: $0.defaultValue) }
    requiredBits = fields.indices.reduce(0) { fields[$1].isRequired ? $0 | 1 << UInt32($1) : $0 }
  }

  /// Appends the parameters that determine the answer to `key`, and returns the request's session. These parameters are not checked: an
  /// invalid request never has the key of a valid request, and replies to invalid requests are not cached. Returns nil in these cases, in
  /// which the caller decodes the request instead:
  ///
  /// - a name is unknown, occurs twice, or is written with escapes; or a required parameter is missing;
  /// - a parameter that does not determine the answer is invalid, or is written in a form that the scanner does not read, such as `1e3`;
  /// - the request does not accept a cached answer, or the key would be too long.
  ///
  /// - Parameter outline: the outline of `text`.
  func scan(_ text: Span<UInt8>, _ outline: RequestOutline, key: inout ReplyKey) -> SessionTurn? {
    // The index of each parameter in the outline, and one bit for each parameter that is present.
    var (indexes, presentBits) = (InlineArray<32, UInt8>(repeating: 0), UInt32(0))
    for index in 0..<outline.count {
      guard let number = names.firstIndex(of: outline.parameter(index).name), presentBits & 1 &<< UInt32(truncatingIfNeeded: number) == 0
      else {
        return nil
      }
      presentBits |= 1 &<< UInt32(truncatingIfNeeded: number)
      indexes[number] = UInt8(truncatingIfNeeded: index)
    }
    guard presentBits & requiredBits == requiredBits else { return nil }
    var turn = SessionTurn()
    while presentBits != 0 {
      let number = presentBits.trailingZeroBitCount
      presentBits &= presentBits - 1
      let value = text.extracting(outline.parameter(Int(indexes[number])).value)
      switch parameters[number].role {
      case .answer: guard key.append(value, ofParameter: number) else { return nil }
      case .session:
        guard value.count == 38, let session = SessionID(utf8: value.extracting(1..<37)) else { return nil }
        turn.session = session
      case .sequence:
        guard turn.session != nil, let seq = wholeNumber(value), parameters[number].range?.contains(seq) == true else { return nil }
        turn.seq = seq
      case .delivery:
        if let range = parameters[number].range {
          guard let number = wholeNumber(value), range.contains(number) else { return nil }
        } else {
          let word = value.packed(in: value.indices)
          guard word == UInt128(packing: "false") || word == UInt128(packing: "true") else { return nil }
        }
      case .cache: guard value.equals(parameters[number].defaultValue) else { return nil }
      }
    }
    return turn
  }

  /// The value of a number of 1 to 18 digits; nil for any other text, such as a number with a sign, a fraction or an exponent.
  private func wholeNumber(_ text: Span<UInt8>) -> Int? {
    guard 1...18 ~= text.count else { return nil }
    var number = 0
    for index in text.indices {
      let digit = text[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      number = number &* 10 &+ Int(digit)
    }
    return number
  }
}

extension Schema {
  /// Sets `key` to the key of the reply to a request, and returns the request's session. Returns nil if a cached reply cannot answer the
  /// request.
  /// - Parameters:
  ///   - text: the request.
  ///   - outline: the outline of `text`.
  public func read(_ key: inout ReplyKey, from text: Span<UInt8>, _ outline: RequestOutline, user: UInt32) -> SessionTurn? {
    key.begin(user: user)
    return scanner.scan(text, outline, key: &key)
  }

  /// The key of the reply to a request with these params (JSON text); nil if a cached reply cannot answer the request.
  public func replyKey(of params: [UInt8], user: UInt32) -> ReplyKey? {
    var key = ReplyKey()
    return read(&key, from: params.span, RequestOutline(params: params.span), user: user) == nil ? nil : key.compact
  }
}
