import JSON

/// A tree of those paths of a row's fields that select one value each. With it, the common beginning of several paths is evaluated only
/// once for each row.
struct PathTree: Sendable {
  private struct Node: Sendable {
    var segment: RowPath.Segment
    /// The index of the value of the path that ends here; nil if none does.
    var valueIndex: Int?
    var children: [Node] = []
  }

  private var nodes: [Node] = []
  private var valueCount = 0

  /// Adds a path. Returns the index of its value in `values(of:)`; nil for a path that cannot be in the tree, such as one that selects a
  /// list.
  mutating func add(_ path: RowPath) -> Int? {
    guard path.root == .row, !path.segments.isEmpty, !path.isList else { return nil }
    return PathTree.add(path.segments[...], to: &nodes, &valueCount)
  }

  private static func add(_ segments: ArraySlice<RowPath.Segment>, to nodes: inout [Node], _ count: inout Int) -> Int? {
    guard let segment = segments.first else { return nil }
    let index = nodes.firstIndex { $0.segment == segment } ?? nodes.endIndex
    if index == nodes.endIndex { nodes.append(Node(segment: segment)) }
    guard segments.count == 1 else { return add(segments.dropFirst(), to: &nodes[index].children, &count) }
    if nodes[index].valueIndex == nil {
      nodes[index].valueIndex = count
      count += 1
    }
    return nodes[index].valueIndex
  }

  /// The values of all paths in a row, each at the index that `add` returned.
  func values(of row: JSONValue) -> [JSONValue?] {
    var values = [JSONValue?](repeating: nil, count: valueCount)
    PathTree.read(nodes, of: row, into: &values)
    return values
  }

  private static func read(_ nodes: [Node], of value: JSONValue, into values: inout [JSONValue?]) {
    for index in nodes.indices {
      guard let selected = nodes[index].segment.selected(from: value) else { continue }
      if let valueIndex = nodes[index].valueIndex { values[valueIndex] = selected }
      if !nodes[index].children.isEmpty { read(nodes[index].children, of: selected, into: &values) }
    }
  }
}

extension RowPath.Segment {
  /// The value that a name or an index selects; nil if there is none, and for other segments.
  func selected(from value: JSONValue) -> JSONValue? {
    switch self {
    case .name(let name): return value[name]
    case .index(let index):
      if index >= 0 { return value[index] }
      guard case .array(let elements) = value, elements.count + index >= 0 else { return nil }
      return elements[elements.count + index]
    case .all, .matching: return nil
    }
  }
}
