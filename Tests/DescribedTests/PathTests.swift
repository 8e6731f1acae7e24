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
    ("$[?@.a == b]", 10), ("$[?@[0]]", 3), ("$ .a", 1), ("$[99999999999999999999]", 2), ("$[?$.a]", 3),
  ])
  func mistakes(path: String, offset: Int) {
    #expect { try RowPath(parsing: path) } throws: { ($0 as? SyntaxProblem)?.offset == offset }
  }

  @Test("A path selects at most 1,000 nodes and has at most 32 segments")
  func bounds() throws {
    let wide = JSONValue.array(Array(repeating: .array(Array(repeating: 1, count: 2_000)), count: 2_000))
    #expect(try RowPath(parsing: "$[*][*]").nodes(answer: wide, row: .null).count == RowPath.maxNodes)
    #expect(throws: SyntaxProblem.self) { try RowPath(parsing: "$" + String(repeating: "[*]", count: 33)) }
  }
}
