import JSON
import Testing

@testable import ServiceDescriptions

@Suite("Paths into an answer") struct PathTests {
  static let answer: JSONValue = [
    "a": ["b": [1, 2, 3]], "o d": ["é": "x"],
    "list": [["t": "city", "n": "Rome"], ["t": "state", "n": "Lazio"], ["n": "none"], 7],
  ]

  @Test(arguments: [
    ("$", nil as String?), ("$.a.b[0]", "1"), ("$.a.b[-1]", "3"), ("$.a.b[-4]", nil), ("$.a.b[3]", nil), ("$['o d'].é", #""x""#),
    ("$.x", nil),
    ("$.a.b[*]", "[1,2,3]"), ("$.list[?@.t == 'city'].n", #"["Rome"]"#), ("$.list[?@.t != 'city'].n", #"["Lazio","none"]"#),
    ("$.list[?@.t].n", #"["Rome","Lazio"]"#), (#"$.list[?(@.t=="state")].n"#, #"["Lazio"]"#), ("$.list[*].t", #"["city","state"]"#),
    ("@.n", #""row""#), ("$.a[*][1]", "[2]"),
  ])
  func found(path: String, expected: String?) throws {
    let value = try RowPath(parsing: path).value(answer: Self.answer, row: ["n": "row"])
    if path == "$" { #expect(value == Self.answer) } else { #expect(value?.text == expected) }
  }

  @Test(arguments: [
    ("", 0), ("a", 0), ("$..a", 2), ("$.", 2), ("$.*", 2), ("$[", 2), ("$[a]", 2), ("$['a]", 2), ("$[1", 3), ("$[?a]", 3),
    ("$[?@.a ==]", 9),
    ("$[?@.a == b]", 10), ("$[?@[0]]", 3), ("$ .a", 1), ("$[99999999999999999999]", 2), ("$[-9223372036854775808]", 2),
    ("$[?$.a]", 3),
  ])
  func mistakes(path: String, offset: Int) {
    #expect { try RowPath(parsing: path) } throws: { ($0 as? SyntaxProblem)?.offset == offset }
  }

  @Test("The tree of a row's fields has the value that each path selects by itself")
  func tree() throws {
    let texts = [
      "@.a.b[0]", "@.a.b[-1]", "@.a.b[9]", "@.a", "@.a.b", "@.a.b[0]", "@['o d'].é", "@.x.y", "@.x.z", "@.list[1].t", "@.list[1]['t'].no",
    ]
    var tree = PathTree()
    let paths = try texts.map { try RowPath(parsing: $0) }
    let places = paths.map { tree.add($0) }
    let values = tree.values(of: Self.answer)
    for (path, place) in zip(paths, places) {
      #expect(values[try #require(place)] == path.value(answer: .null, row: Self.answer), "\(path.text)")
    }
    #expect(values.count == Set(texts).count)
    for other in ["$.a", "@", "@.list[*]", "@.list[?@.t].n"] { #expect(tree.add(try RowPath(parsing: other)) == nil) }
  }

  @Test("A path selects at most 1,000 nodes and has at most 32 segments")
  func bounds() throws {
    let wide = JSONValue.array(Array(repeating: .array(Array(repeating: 1, count: 2_000)), count: 2_000))
    #expect(try RowPath(parsing: "$[*][*]").nodes(answer: wide, row: .null).count == RowPath.maxNodes)
    #expect(throws: SyntaxProblem.self) { try RowPath(parsing: "$" + String(repeating: "[*]", count: 33)) }
  }
}
