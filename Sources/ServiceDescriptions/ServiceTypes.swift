import PlacesKit

/// `[types]`: maps the types of the type table to the service's words, and these words to types.
struct ServiceTypes: Sendable, Hashable {
  private(set) var words: [PlaceType: [String]] = [:]
  private var types: [String: [PlaceType]] = [:]

  init(_ entries: [(type: PlaceType, words: [String])] = []) {
    for entry in entries {
      words[entry.type] = entry.words
      for word in entry.words { types[word, default: []].append(entry.type) }
    }
  }

  /// The types that one of the service's words means, in the order of the file; empty for an unknown word.
  func types(of word: String) -> [PlaceType] { types[word] ?? [] }

  /// The words to send for types, or for a collection if it is not nil. Empty if the service has no word for one of the types.
  func words(for requestedTypes: [PlaceType], _ collection: TypeCollection?) -> [String] {
    if let collection {
      let members = words.keys.filter { collection.contains([$0]) }.sorted { $0.rawValue < $1.rawValue }
      return ServiceTypes.unique(members.flatMap { words[$0] ?? [] })
    }
    var allWords: [String] = []
    for type in requestedTypes {
      guard let words = words[type] else { return [] }
      allWords += words
    }
    return ServiceTypes.unique(allWords)
  }

  private static func unique(_ words: [String]) -> [String] {
    var seenWords: Set<String> = []
    return words.filter { seenWords.insert($0).inserted }
  }
}
