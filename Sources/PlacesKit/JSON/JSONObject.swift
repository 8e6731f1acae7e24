/// The members of a JSON object in the order they were written; keys are unique.
public struct JSONObject: Sendable {
  public private(set) var members: [(key: String, value: JSONValue)] = []
  /// The index of each member by its key, if there are more than `maxLinearSearch` members. Empty for a smaller object, whose keys are
  /// compared one by one, because most objects are small and a dictionary for each would cost more than it saves.
  private var indexByKey: [String: Int] = [:]
  private static let maxLinearSearch = 16

  public init() {}

  /// If a key occurs twice, its last value is kept. `JSONParser` never passes such members: it rejects a text with a duplicate key.
  public init(_ members: [(key: String, value: JSONValue)]) {
    self.members.reserveCapacity(members.count)
    for member in members { self[member.key] = member.value }
  }

  public var isEmpty: Bool { members.isEmpty }
  public var count: Int { members.count }
  public var keys: [String] { members.map(\.key) }

  /// The value of a key, or nil if the object has no such key. Setting nil removes the member.
  public subscript(key: String) -> JSONValue? {
    get { index(of: key).map { members[$0].value } }
    set {
      switch (index(of: key), newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil):
        members.remove(at: index)
        indexMembers()
      case (nil, let value?): append(key, value)
      case (nil, nil): break
      }
    }
  }

  func contains(_ key: String) -> Bool { index(of: key) != nil }

  /// Adds a member at the end. The object must not contain the key yet.
  mutating func append(_ key: String, _ value: JSONValue) {
    // Most objects have several members, so memory for four is reserved at once.
    if members.isEmpty { members.reserveCapacity(4) }
    members.append((key, value))
    if members.count == Self.maxLinearSearch + 1 { indexMembers() } else if !indexByKey.isEmpty { indexByKey[key] = members.count - 1 }
  }

  private func index(of key: String) -> Int? { indexByKey.isEmpty ? members.firstIndex { $0.key == key } : indexByKey[key] }

  private mutating func indexMembers() {
    indexByKey = [:]
    guard members.count > Self.maxLinearSearch else { return }
    for (index, member) in members.enumerated() { indexByKey[member.key] = index }
  }
}

extension JSONObject: Hashable {
  /// Objects are equal if they have the same members, in any order.
  public static func == (a: JSONObject, b: JSONObject) -> Bool {
    a.count == b.count && a.members.allSatisfy { b[$0.key] == $0.value }
  }

  public func hash(into hasher: inout Hasher) {
    for member in members.sorted(by: { $0.key < $1.key }) {
      hasher.combine(member.key)
      hasher.combine(member.value)
    }
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(elements.map { (key: $0.0, value: $0.1) }) }
}
