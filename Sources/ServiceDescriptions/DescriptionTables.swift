import PlacesKit

extension DescriptionKeys {
  /// A table of the file with its keys, for the manual.
  public struct Section: Sendable {
    /// Empty for the top level; `CALL` stands for each of the calls.
    public var name: String
    public var keys: [DescriptionKey]
  }

  /// Every table that has named keys. A table precedes the tables in it.
  public static let sections: [Section] = {
    var sections: [Section] = []
    func add(_ name: String, _ keys: [DescriptionKey]) {
      sections.append(Section(name: name, keys: keys))
      for key in keys { descend(name.isEmpty ? key.name : "\(name).\(key.name)", key.shape) }
    }
    func descend(_ name: String, _ shape: ValueShape) {
      switch shape {
      case .table(let keys): add(name, keys)
      case .list(let element): descend(name, element)
      case .map(let words, let element) where words.isEmpty: descend("\(name).NAME", element)
      case .map(_, let element): descend("\(name).TEXT", element)
      default: break
      }
    }
    let names = Set(calls.map(\.rawValue))
    add("", root.filter { !names.contains($0.name) })
    // The tables of all calls are shown as one. The table of search has every key that any call has.
    if case .table(let keys)? = root.first(where: { $0.name == Call.search.rawValue })?.shape { add("CALL", keys) }
    return sections
  }()
}

extension DescriptionKey {
  /// A description of the permitted values that can follow "must be".
  public var expected: String { shape.expected }
}
