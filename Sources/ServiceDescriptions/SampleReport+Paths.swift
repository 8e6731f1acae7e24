import JSON
import Text

/// Finds the values of rows that no path reads.
struct UnreadPaths {
  /// The paths that are read, as lists of names, with `[*]` for any element.
  private let readPaths: [[String]]
  /// The paths that are not read, as texts.
  private(set) var paths: [String] = []

  init(besides readPaths: [RowPath]) {
    self.readPaths = readPaths.filter { $0.root == .row }.map { path in
      path.segments.map { segment in
        if case .name(let name) = segment { name } else { "[*]" }
      }
    }
  }

  /// Adds the paths of a value and of the values in it, unless they are read.
  mutating func visit(_ value: JSONValue, at path: [String]) {
    // The limits bound the work for an unusually large answer.
    guard paths.count < 100, path.count < 16, !readPaths.contains(where: { !$0.isEmpty && path.starts(with: $0) }) else { return }
    switch value {
    case .object(let object): for member in object.members.prefix(200) { visit(member.value, at: path + [member.key]) }
    case .array(let elements): for element in elements.prefix(50) { visit(element, at: path + ["[*]"]) }
    case .null: break
    default:
      // A row that is a text is read as a whole.
      if path.isEmpty, readPaths.contains([]) { return }
      let text = path.reduce("@") { $1 == "[*]" ? $0 + $1 : $0 + RowPath.Segment.name($1).text }
      if !paths.contains(text) { paths.append(text) }
    }
  }
}

extension RowPath {
  /// The path that the author may have meant by this path, which selects nothing; nil if there is no similar one. The suggestion has `[0]`
  /// after a list, or a similar member in place of the first missing one, or is an unread path whose last member has the same name.
  func suggestedPath(in rows: [RowReader], unread: [String]) -> String? {
    guard
      let missingIndex = segments.indices.first(where: { index in
        let path = RowPath(root: root, segments: Array(segments[...index]))
        return rows.allSatisfy { path.nodes(answer: $0.answer, row: $0.row).isEmpty }
      }), case .name(let name) = segments[missingIndex]
    else { return nil }
    for row in rows { if let path = throughLists(of: root == .answer ? row.answer : row.row) { return path.text } }
    let parent = RowPath(root: root, segments: Array(segments[..<missingIndex]))
    let nodes = rows.flatMap { parent.nodes(answer: $0.answer, row: $0.row) }
    if nodes.contains(where: { $0.array != nil }) { return parent.text + "[0]" + segments[missingIndex...].map(\.text).joined() }
    let members = Set(nodes.flatMap { $0.object?.members.prefix(200).map(\.key) ?? [] })
    let unreadMembers = members.filter { member in
      // Members that differ only in their numbers, such as `line1` and `line2`, are not confused.
      if member != name, member.filter({ !$0.isNumber }) == name.filter({ !$0.isNumber }) { return false }
      let text = parent.text + Segment.name(member).text
      return unread.contains { $0 == text || $0.hasPrefix(text + ".") || $0.hasPrefix(text + "[") }
    }
    // A name of one or two letters is near to every other such name.
    if name.count > 2, let member = nearest(to: name, among: unreadMembers.sorted()) {
      return parent.text + Segment.name(member).text + segments[(missingIndex + 1)...].map(\.text).joined()
    }
    guard case .name(let last)? = segments.last else { return nil }
    return unread.first { $0.hasSuffix(Segment.name(last).text) }
  }

  /// The same path with `[0]` after each list, ending at the text of an XML element. Nil if that path leads to no value, or is
  /// this path itself.
  private func throughLists(of start: JSONValue) -> RowPath? {
    var node = start
    var longerSegments: [Segment] = []
    func enterList() {
      guard let firstElement = node.array?.first else { return }
      node = firstElement
      longerSegments.append(.index(0))
    }
    for segment in segments {
      if case .name = segment { enterList() }
      guard let child = segment.selected(from: node) else { return nil }
      node = child
      longerSegments.append(segment)
    }
    enterList()
    if node["#text"] != nil { longerSegments.append(.name("#text")) }
    return longerSegments.count > segments.count ? RowPath(root: root, segments: longerSegments) : nil
  }

  /// A hint on this path, which is the `rows` of a call. It is for an answer of which no row is used. Nil if no better path is evident.
  func hint(for answer: JSONValue, rowsMayBeMissing: Bool) -> String? {
    let selectedRows = rows(of: answer)
    let rows = selectedRows ?? []
    if rows.count == 1, rows[0].array != nil, segments.last != .all {
      return "the value at \(text) is a list: write \(text)[*] for its elements"
    }
    // The path selects a list of objects, so the fault is in the paths of the fields.
    let parents = RowPath(root: root, segments: segments.dropLast()).nodes(answer: answer, row: answer)
    if segments.last == .all, parents.contains(where: { $0.array?.first?.object != nil }) { return nil }
    let lists = RowPath.lists(of: answer, at: RowPath(root: .answer, segments: []), depth: 0).filter { $0 != text }
    // An empty list at the path, and no other place for rows, means that nothing was found.
    if let selectedRows, selectedRows.isEmpty, lists.allSatisfy({ $0 == "$" }) { return nil }
    let places = lists.isEmpty ? nil : "the answer has objects at \(lists.prefix(4).joined(separator: ", "))"
    // An object that lacks the value at the path, and has no list elsewhere, may be the answer if nothing was found.
    guard selectedRows == nil, answer.object != nil, lists.isEmpty || lists == ["$"] else { return places }
    if rowsMayBeMissing { return nil }
    return (places.map { "\($0); " } ?? "") + "if it means that nothing was found, write rows_may_be_missing = true"
  }

  /// The paths of the lists of objects in an answer, each with `[*]` for its elements. An object that has only objects as members counts as
  /// a list. If there is no list, the path of the answer itself if it is an object of more than two members.
  private static func lists(of value: JSONValue, at path: RowPath, depth: Int) -> [String] {
    guard depth < 5 else { return [] }
    switch value {
    case .array(let elements): return elements.contains { $0.object != nil } ? [path.text + "[*]"] : []
    case .object(let object):
      let innerLists = object.members.prefix(64).flatMap { member in
        lists(of: member.value, at: RowPath(root: .answer, segments: path.segments + [.name(member.key)]), depth: depth + 1)
      }
      guard innerLists.isEmpty else { return innerLists }
      if !object.isEmpty, object.members.allSatisfy({ $0.value.object != nil }) { return [path.text + "[*]"] }
      return depth == 0 && object.members.count > 2 ? ["$"] : []
    default: return []
    }
  }
}
