// Authors of providers in other languages write this JSON by hand. An enum case without a value is a string, such as `"never"`. A case with
// a value is an object with one member, such as `{"family": "openstreetmap"}`.

private func unknown(_ decoder: any Decoder, _ expected: String) -> DecodingError {
  .dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "must be \(expected)"))
}

extension Decoder {
  /// The value if it is a string, otherwise nil.
  fileprivate var word: String? { try? singleValueContainer().decode(String.self) }
}

extension Encoder {
  fileprivate func write(_ word: String) throws {
    var container = singleValueContainer()
    try container.encode(word)
  }

  fileprivate func write<Key: CodingKey>(_ value: some Encodable, as key: Key) throws {
    var container = container(keyedBy: Key.self)
    try container.encode(value, forKey: key)
  }
}

extension Terms.Mixing {
  private enum CodingKeys: CodingKey { case family }

  public init(from decoder: any Decoder) throws {
    switch decoder.word {
    case "free": self = .free
    case "never": self = .never
    case nil: self = .family(try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .family))
    default: throw unknown(decoder, #""free", "never" or {"family": NAME}"#)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .free: try encoder.write("free")
    case .never: try encoder.write("never")
    case .family(let name): try encoder.write(name, as: CodingKeys.family)
    }
  }
}

extension SessionRule.Billing {
  private enum CodingKeys: CodingKey { case first }

  public init(from decoder: any Decoder) throws {
    switch decoder.word {
    case "none": self = .none
    case "all": self = .all
    case nil: self = .first(try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .first))
    default: throw unknown(decoder, #""none", "all" or {"first": COUNT}"#)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .none: try encoder.write("none")
    case .all: try encoder.write("all")
    case .first(let count): try encoder.write(count, as: CodingKeys.first)
    }
  }
}

extension CredentialPlacement {
  private struct Header: Codable {
    var name: String
    var prefix: String
  }
  private struct Query: Codable { var name: String }
  private enum CodingKeys: CodingKey { case header, query }

  public init(from decoder: any Decoder) throws {
    let expected = #""none", {"header": {"name", "prefix"}} or {"query": {"name"}}"#
    if let word = decoder.word {
      guard word == "none" else { throw unknown(decoder, expected) }
      self = .none
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let header = try container.decodeIfPresent(Header.self, forKey: .header) {
      self = .header(name: header.name, prefix: header.prefix)
    } else if let query = try container.decodeIfPresent(Query.self, forKey: .query) {
      self = .query(name: query.name)
    } else {
      throw unknown(decoder, expected)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .none: try encoder.write("none")
    case .header(let name, let prefix): try encoder.write(Header(name: name, prefix: prefix), as: CodingKeys.header)
    case .query(let name): try encoder.write(Query(name: name), as: CodingKeys.query)
    }
  }
}

extension Terms {
  private enum CodingKeys: String, CodingKey {
    case idsSeconds, coordinatesSeconds, otherSeconds, negativeSeconds, staleSeconds, isolation, mixing, autocompleteAllowed, keepsOrder
    case needsContact, source
  }

  /// Only `source` is required. For `idsSeconds`, `coordinatesSeconds` and `otherSeconds`, null means that such data may be stored without
  /// limit, and an absent member means that it must not be stored.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func seconds(_ key: CodingKeys) throws -> Double? {
      container.contains(key) ? try container.decodeIfPresent(Double.self, forKey: key) : 0
    }
    self.init(
      idsSeconds: try seconds(.idsSeconds), coordinatesSeconds: try seconds(.coordinatesSeconds), otherSeconds: try seconds(.otherSeconds),
      negativeSeconds: try container.decodeIfPresent(Double.self, forKey: .negativeSeconds) ?? 60,
      staleSeconds: try container.decodeIfPresent(Double.self, forKey: .staleSeconds) ?? 0,
      isolation: try container.decodeIfPresent(Isolation.self, forKey: .isolation) ?? .user,
      mixing: try container.decodeIfPresent(Mixing.self, forKey: .mixing) ?? .never,
      autocompleteAllowed: try container.decodeIfPresent(Bool.self, forKey: .autocompleteAllowed) ?? true,
      keepsOrder: try container.decodeIfPresent(Bool.self, forKey: .keepsOrder) ?? false,
      needsContact: try container.decodeIfPresent(Bool.self, forKey: .needsContact) ?? false,
      source: try container.decode(String.self, forKey: .source))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(idsSeconds, forKey: .idsSeconds)
    try container.encode(coordinatesSeconds, forKey: .coordinatesSeconds)
    try container.encode(otherSeconds, forKey: .otherSeconds)
    try container.encode(negativeSeconds, forKey: .negativeSeconds)
    try container.encode(staleSeconds, forKey: .staleSeconds)
    try container.encode(isolation, forKey: .isolation)
    try container.encode(mixing, forKey: .mixing)
    try container.encode(autocompleteAllowed, forKey: .autocompleteAllowed)
    try container.encode(keepsOrder, forKey: .keepsOrder)
    try container.encode(needsContact, forKey: .needsContact)
    try container.encode(source, forKey: .source)
  }
}
