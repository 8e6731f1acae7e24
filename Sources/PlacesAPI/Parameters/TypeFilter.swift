import PlacesKit

/// The types of places that a request selects: up to five types, or one collection.
public struct TypeFilter: Sendable, Hashable {
  /// Sorted, without duplicates; empty if there is a collection or no filter.
  public var types: [PlaceType]
  public var collection: TypeCollection?

  public static let none = TypeFilter(types: [], collection: nil)

  public init(types: [PlaceType], collection: TypeCollection? = nil) {
    self.types = types
    self.collection = collection
  }
}

extension ParameterType where Value == TypeFilter {
  static let types = ParameterType(
    allowed: "a list of at most 5 types of the type table (see types.list), or of one of "
      + TypeCollection.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ") + " alone",
    schema: ["type": "array", "maxItems": 5, "items": ["type": "string"]],
    read: { value in
      guard let elements = value.array, elements.count <= 5 else { return nil }
      let words = elements.compactMap(\.string)
      guard words.count == elements.count else { return nil }
      if words.count == 1, let collection = TypeCollection(rawValue: words[0]) { return TypeFilter(types: [], collection: collection) }
      let types = Set(words).sorted().map { PlaceType(rawValue: $0) }
      return types.allSatisfy(\.isKnown) ? TypeFilter(types: types) : nil
    },
    write: { filter in .array((filter.collection.map { [$0.rawValue] } ?? filter.types.map(\.rawValue)).map { .string($0) }) })
}

extension ParameterType where Value == PlaceType {
  static let type = ParameterType(
    allowed: "a type of the type table (see types.list)", schema: ["type": "string"],
    read: { value in
      guard let type = value.string.map({ PlaceType(rawValue: $0) }), type.isKnown else { return nil }
      return type
    },
    write: { .string($0.rawValue) })
}
