import JSON

extension RowPath {
  /// The maximum number of segments of a path.
  static let maxSegments = 32

  /// Reads a whole text as a path.
  init(parsing text: String) throws(SyntaxProblem) {
    var scanner = SyntaxScanner(text)
    self = try RowPath(from: &scanner)
    guard scanner.isAtEnd else { throw SyntaxProblem(scanner.offset, "the path goes on with something that is not a segment") }
  }

  /// Reads a path and stops after its last segment.
  init(from scanner: inout SyntaxScanner) throws(SyntaxProblem) {
    let root: Root
    if scanner.take("$") {
      root = .answer
    } else if scanner.take("@") {
      root = .row
    } else {
      throw SyntaxProblem(scanner.offset, "a path begins with `$`, the answer, or `@`, the row")
    }
    var segments: [Segment] = []
    var lastName: String?
    while let scalar = scanner.current, scalar == "." || scalar == "[" {
      guard segments.count < RowPath.maxSegments else {
        throw SyntaxProblem(scanner.offset, "the path has more than \(RowPath.maxSegments) segments")
      }
      scanner.advance()
      lastName = scalar == "." ? try RowPath.name(from: &scanner) : nil
      if let lastName { segments.append(.name(lastName)) } else { segments.append(try RowPath.bracket(from: &scanner)) }
    }
    if let name = lastName, scanner.current == " ", let next = scanner.next, next.isNamePart {
      let offset = scanner.offset
      var restOfName = scanner.takeWhile { $0 == " " || $0.isNamePart }
      while restOfName.last == " " { restOfName.removeLast() }
      throw SyntaxProblem(offset, "a name with a blank must be quoted", suggestion: "write `['\(name)\(restOfName)']` for the member")
    }
    self.init(root: root, segments: segments)
  }

  private static func name(from scanner: inout SyntaxScanner) throws(SyntaxProblem) -> String {
    if scanner.current == "." { throw SyntaxProblem(scanner.offset, "`..` is not supported", suggestion: "write each name on the way") }
    if scanner.current == "*" { throw SyntaxProblem(scanner.offset, "`.*` is not supported", suggestion: "write `[*]`") }
    let name = scanner.takeWhile(\.isNamePart)
    guard !name.isEmpty else { throw SyntaxProblem(scanner.offset, "a name is expected", suggestion: "quote other names: `['a b']`") }
    return name
  }

  /// Reads a segment in square brackets, after the opening bracket.
  private static func bracket(from scanner: inout SyntaxScanner) throws(SyntaxProblem) -> Segment {
    scanner.skipSpaces()
    let segment: Segment
    switch scanner.current {
    case "*":
      scanner.advance()
      segment = .all
    case "'", "\"": segment = .name(try scanner.quotedText())
    case "?":
      scanner.advance()
      segment = .matching(try condition(from: &scanner))
    default:
      let start = scanner.offset
      let text = scanner.takeWhile { $0.isDigit || $0 == "-" }
      guard let index = Int(text), (-10_000...10_000).contains(index) else {
        throw SyntaxProblem(start, "a number, `*`, a quoted name or a filter `?@.name == 'text'` is expected in brackets")
      }
      segment = .index(index)
    }
    scanner.skipSpaces()
    try scanner.expect("]", in: "the path")
    return segment
  }

  private static func condition(from scanner: inout SyntaxScanner) throws(SyntaxProblem) -> Condition {
    scanner.skipSpaces()
    // Round brackets around the condition are permitted, as older dialects require them.
    let isEnclosed = scanner.take("(")
    scanner.skipSpaces()
    let start = scanner.offset
    let path = try RowPath(from: &scanner)
    let names = path.segments.compactMap { if case .name(let name) = $0 { name } else { nil } }
    guard path.root == .row, names.count == path.segments.count else {
      throw SyntaxProblem(start, "a filter compares a member of the node, such as `@.type`")
    }
    scanner.skipSpaces()
    var condition = Condition(names: names)
    if let scalar = scanner.current, scalar == "=" || scalar == "!" {
      scanner.advance()
      try scanner.expect("=", in: "the comparison")
      condition.mustEqual = scalar == "="
      scanner.skipSpaces()
      condition.literal = try literal(from: &scanner)
      scanner.skipSpaces()
    }
    if isEnclosed { try scanner.expect(")", in: "the filter") }
    return condition
  }

  private static func literal(from scanner: inout SyntaxScanner) throws(SyntaxProblem) -> JSONValue {
    if scanner.current == "'" || scanner.current == "\"" { return .string(try scanner.quotedText()) }
    let start = scanner.offset
    let word = scanner.takeWhile { $0.isWordPart || $0 == "-" || $0 == "." }
    switch try? JSONValue(parsing: word) {
    case .boolean(let value)?: return .boolean(value)
    case .integer(let value)?: return .integer(value)
    case .number(let value)?: return .number(value)
    default: throw SyntaxProblem(start, "a comparison needs a string in quotes, a number, true or false")
    }
  }
}
