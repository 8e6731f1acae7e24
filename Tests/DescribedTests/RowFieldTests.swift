import JSON
import Testing

@testable import ServiceDescriptions

@Suite("Fields of a row") struct RowFieldTests {
  @Test(
    "A yes or no may be a boolean or a text, as a table yields it",
    arguments: [
      (JSONValue.boolean(true), true as Bool?), ("true", true), ("yes", true), (.boolean(false), false), ("false", false), ("no", false),
      ("limited", nil), (1, nil), (.null, nil),
    ])
  func yesOrTrue(value: JSONValue, expected: Bool?) {
    #expect(value.yesOrTrue == expected)
    for field in [RowField.partialMatch, .wheelchair] { #expect(field.uses(value) == (expected != nil)) }
  }
}
