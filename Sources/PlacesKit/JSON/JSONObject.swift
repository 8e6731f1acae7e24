/// The members of a JSON object in the order they were written; keys are unique.
public struct JSONObject: Sendable {
  public private(set) var members: [(key: String, value: JSONValue)] = []
  /// The indices of the members of a long object, by key; empty for a short object, which is searched. Thus objects with many keys and many
  /// small objects are both fast.
  private var places: [String: Int] = [:]
  private static let maxLinearSearch = 16

  public init() {}

  /// Keeps the last value of a key that comes twice; the parser refuses such a text before it gets here.
  public init(_ members: [(key: String, value: JSONValue)]) {
    self.members.reserveCapacity(members.count)
    for member in members { self[member.key] = member.value }
  }

  public var isEmpty: Bool { members.isEmpty }
  public var count: Int { members.count }
  public var keys: [String] { members.map(\.key) }

  /// The value of a key, or nil if the object has no such key. Setting nil removes the member.
  public subscript(key: String) -> JSONValue? {
    get { place(of: key).map { members[$0].value } }
    set {
      switch (place(of: key), newValue) {
      case (let place?, let value?): members[place].value = value
      case (let place?, nil):
        members.remove(at: place)
        indexMembers()
      case (nil, let value?): append(key, value)
      case (nil, nil): break
      }
    }
  }

  func contains(_ key: String) -> Bool { place(of: key) != nil }

  /// Adds a member at the end, whose key the object does not have yet.
  mutating func append(_ key: String, _ value: JSONValue) {
    // Most objects have several: room for them is made once.
    if members.isEmpty { members.reserveCapacity(4) }
    members.append((key, value))
    if members.count == Self.maxLinearSearch + 1 { indexMembers() } else if !places.isEmpty { places[key] = members.count - 1 }
  }

  private func place(of key: String) -> Int? { places.isEmpty ? members.firstIndex { $0.key == key } : places[key] }

  private mutating func indexMembers() {
    places = [:]
    guard members.count > Self.maxLinearSearch else { return }
    for (place, member) in members.enumerated() { places[member.key] = place }
  }
}

extension JSONObject: Hashable {
  /// Objects are equal when they hold the same members, in any order.
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
