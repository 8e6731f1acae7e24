import JSON

/// A path into an answer: the subset of JSONPath (RFC 9535) whose evaluation needs no recursion and no functions.
///
/// `$` is the whole answer and `@` is the row. Segments: `.name`, `['name']`, `[0]`, `[-1]`, `[*]`, and a filter that compares one member
/// with a literal, `[?@.type == 'city']`.
struct RowPath: Sendable, Hashable {
  enum Root: Sendable, Hashable { case answer, row }

  enum Segment: Sendable, Hashable {
    case name(String)
    /// An element of a list. A negative number counts from the end.
    case index(Int)
    /// All children.
    case all
    /// The children for which a condition holds.
    case matching(Condition)
  }

  /// A filter: a member of the node must equal a literal, differ from it, or be present.
  struct Condition: Sendable, Hashable {
    /// The names of the members on the path to the compared member, which is the last one.
    var names: [String]
    /// The literal with which the member is compared; nil if the member must only be present.
    var literal: JSONValue?
    /// Whether the member must equal the literal; otherwise it must differ.
    var mustEqual = true

    func holds(for node: JSONValue) -> Bool {
      var member: JSONValue? = node
      for name in names { member = member?[name] }
      guard let literal else { return member != nil }
      return (member == literal) == mustEqual
    }
  }

  var root: Root
  var segments: [Segment]

  /// The maximum number of nodes that a path selects. Further nodes are dropped.
  static let maxNodes = 1_000

  /// The value of a path: its node, or a list of its nodes if the path can select several. Nil if there is no node.
  func value(answer: JSONValue, row: JSONValue) -> JSONValue? {
    guard isList else { return segments.reduce(root == .answer ? answer : row) { value, segment in value.flatMap(segment.selected) } }
    let selectedNodes = nodes(answer: answer, row: row)
    return selectedNodes.isEmpty ? .none : .array(selectedNodes)
  }

  /// The nodes that the path selects, at most `maxNodes`.
  func nodes(answer: JSONValue, row: JSONValue) -> [JSONValue] {
    var selectedNodes = [root == .answer ? answer : row]
    for segment in segments {
      var nextNodes: [JSONValue] = []
      for node in selectedNodes where nextNodes.count < RowPath.maxNodes {
        switch segment {
        case .name, .index: if let value = segment.selected(from: node) { nextNodes.append(value) }
        case .all: nextNodes += RowPath.children(of: node)
        case .matching(let condition): nextNodes += RowPath.children(of: node).filter(condition.holds)
        }
      }
      selectedNodes = Array(nextNodes.prefix(RowPath.maxNodes))
    }
    return selectedNodes
  }

  /// Whether the path can select several nodes.
  let isList: Bool
  /// The index of the path's value in `PathTree.values(of:)`; nil for a path that is read by itself.
  var valueIndex: Int?

  init(root: Root, segments: [Segment]) {
    self.root = root
    self.segments = segments
    isList = segments.contains {
      switch $0 {
      case .name, .index: false
      case .all, .matching: true
      }
    }
  }

  private static func children(of node: JSONValue) -> [JSONValue] {
    switch node {
    case .array(let elements): Array(elements.prefix(maxNodes))
    case .object(let object): object.members.prefix(maxNodes).map(\.value)
    default: []
    }
  }
}
