import ServiceDescriptions
import Testing

@Suite("Mistakes in a description") struct MistakeTests {
  static let sound = """
    format = 1
    name = "T"
    summary = "A test."
    documentation = "https://example.org/docs"
    hosts = ["example.org"]
    attributions = [{ text = "T" }]
    terms = { source = "none" }
    fields = { id = "@.id", name = "@.name" }
    [types]
    cafe = "coffee"
    [search]
    path = "/s"
    rows = "$.rows[*]"
    query.q = "{query}"
    """

  func said(_ text: String) -> [String] {
    ServiceDescription.read(Array(text.utf8), service: "t", file: "t.toml").problems.map(\.description)
  }

  @Test("A sound file has none") func none() { #expect(said(Self.sound) == []) }

  @Test("All are reported at once, each with line, column and suggestion")
  func atOnce() {
    let text = """
      format = 2
      nam = "T"
      summary = 3
      documentation = "http://example.org"
      hosts = ["https://example.org"]
      attributions = []
      terms = { source = "none", ids = "3 weeks", shared = "all" }
      [fields]
      nme = "@.name"
      id = "@..id"
      [types]
      caffe = "coffee"
      [search]
      path = "/s"
      rows = "rows"
      query.q = "{querry}"
      query.n = '{limit | atleast(1)}'
      """
    #expect(
      said(text) == [
        "t.toml:1:10: `format` must be an integer from 1 to 1, not 2",
        "t.toml:2:1: unknown key `nam`; did you mean `name`?",
        "t.toml:3:11: `summary` must be a string that is not empty, not 3; write \"3\", in quotation marks",
        #"t.toml:4:17: `documentation` must be an address that begins with https://, not "http://example.org""#,
        #"t.toml:5:10: `hosts` must be a host name in lower case, such as "api.example.org", not "https://example.org""#,
        #"t.toml:7:34: `terms.ids` must be a duration such as "30 days", "forever" or "never", not "3 weeks"; write "21 days""#,
        #"t.toml:7:54: `terms.shared` must be one of "everybody", "user", "session", not "all""#,
        "t.toml:9:1: unknown key `fields.nme`; did you mean `name`?",
        "t.toml:10:9: `fields.id`: `..` is not supported; write each name on the way",
        "t.toml:12:1: unknown key `types.caffe`; did you mean `cafe`?",
        "t.toml:15:9: `search.rows`: a path begins with `$`, the answer, or `@`, the row",
        "t.toml:16:13: `search.query.q`: unknown value `querry`; did you mean `query`?",
        "t.toml:17:21: `search.query.n`: unknown converter `atleast`; did you mean `at_least`?",
      ])
  }

  @Test("Mistakes between keys are reported along with those of single values, except what may follow from one of these")
  func bothKinds() {
    let text = """
      format = 1
      nam = "T"
      summary = "A test."
      documentation = "https://example.org/docs"
      hosts = ["example.org"]
      attributions = []
      terms = { source = "none", blending = "all" }
      fields = { id = "@.id", phone = "@.p", latitude = "@.lat" }
      [key]
      [search]
      path = "s"
      rows = "$.rows[*]"
      query.q = "{querry} {quer | uper}"
      [reverse]
      path = "/r"
      rows = "$.rows[*]"
      query.lat = "{latitude}"
      """
    #expect(
      said(text) == [
        "t.toml:2:1: unknown key `nam`; did you mean `name`?",
        #"t.toml:7:39: `terms.blending` must be "free", "never" or "family:NAME", not "all""#,
        "t.toml:9:1: [key] needs exactly one of `query` and `header`",
        "t.toml:10:1: rows of [search] have no text; add `name` or `label` to [fields]",
        "t.toml:10:1: the fields of [search] lack longitude",
        #"t.toml:11:9: `search.path` must begin with a slash; write "/s""#,
        "t.toml:13:13: `search.query.q`: unknown value `querry`; did you mean `query`?",
        "t.toml:13:22: `search.query.q`: unknown value `quer`; did you mean `query`?",
        "t.toml:14:1: rows of [reverse] have no text; add `name` or `label` to [fields]",
        "t.toml:14:1: the fields of [reverse] lack longitude",
        "t.toml:14:1: the request of [reverse] does not use `{longitude}`; add it to `query`, `path` or `body`",
      ])
  }

  @Test("Quotation marks within a text in quotation marks have the advice to write single quotes")
  func quotes() {
    for field in [#"kind = "{@.x | is("1")}skip""#, #"kind = ["@.k", "{@.x | is("1")}skip"]"#] {
      let found = said(Self.sound.replacing("fields = {", with: "fields = { \(field),"))
      #expect(found.count == 1 && found[0].hasPrefix("t.toml:8:") && found[0].contains(": not TOML: "), "\(found)")
      #expect(found[0].hasSuffix(#"; write a text that contains quotation marks in single quotes, as in '{id | is("1")}'"#), "\(found)")
    }
    #expect(said("name = \"a\" b")[0].contains("single quotes") == false)
  }

  @Test(
    "A member's name with a blank has the advice to quote it",
    arguments: [
      ("@.matching street", "8:", "matching street"), ("{@.the matching street | upper}!", "8:", "the matching street"),
      ("$.a b.c", "8:", "a b"),
    ])
  func blanks(path: String, line: String, name: String) {
    let found = said(Self.sound.replacing("@.name", with: path))
    #expect(found.count == 1 && found[0].hasPrefix("t.toml:\(line)"), "\(found)")
    #expect(found[0].hasSuffix("`fields.name`: a name with a blank must be quoted; write `['\(name)']` for the member"), "\(found)")
  }

  @Test(
    "A date must be in the calendar",
    arguments: [
      ("2026-11-25", true), ("2024-02-29", true), ("2026-02-29", false), ("2026-02-31", false), ("2026-04-31", false), ("2026-12-31", true),
      ("2026-00-10", false), ("2026-13-10", false), ("2026-01-00", false), ("2026-1-10", false), ("2026-01-10-", false),
    ])
  func dates(_ date: String, _ isSound: Bool) {
    let found = said(Self.sound.replacing("[types]", with: "verified = \"\(date)\"\n[types]"))
    let mistake = "t.toml:9:12: `verified` must be a date such as \"2026-11-25\", not \"\(date)\""
    #expect(found == (isSound ? [] : [mistake]))
  }

  @Test("The example of a path is one for its key")
  func pathExamples() {
    let found = said(Self.sound.replacing("[types]", with: "[[errors]]\npath = 1\ncause = \"http\"\n[types]"))
    #expect(found == ["t.toml:10:8: `errors.path` must be a path such as \"$.error.message\", not an integer"])
  }

  @Test(
    "What is sound by itself and not together is reported",
    arguments: [
      ("query.q = \"{query}\"", "query.q = \"x\"", "the request of [search] does not use `{query}`"),
      ("id = \"@.id\", ", "", "rows of [search] have neither an id nor a position"),
      ("name = \"@.name\"", "phone = \"@.p\"", "rows of [search] have no text"),
      ("[types]", "[key]\n[types]", "[key] needs exactly one of `query` and `header`"),
      ("[search]", "[search]\nhost = \"other.org\"", "`search.host` is not one of `hosts`"),
      ("[search]", "[search]\npaging = { last = 3 }", "paging needs a `token`, or `{offset}` or `{page_number}` in the request"),
      ("[search]", "[search]\npaging = { token = \"$.next\" }", "does not use `{page}`, the token of the next page"),
      ("[types]\ncafe = \"coffee\"", "", nil), ("hosts = [\"example.org\"]", "hosts = []", "`hosts` is empty"),
      ("[types]", "[session]\nendings = { x = \"none\" }\n[types]", "`session.endings.x` is not a class"),
      ("[types]", "[prices]\nclasses = { x = {} }\ncalls = { search = \"x\" }\n[types]", nil),
      (
        "[types]", "[prices]\nclasses = { x = {} }\ncalls = { search = \"x\" }\n[session]\nendings = { x = \"-3\" }\n[types]",
        "`session.endings.x` must be \"none\", \"all\" or a number"
      ),
      (
        "[types]", "[prices]\nclasses = { x = {} }\ncalls = { search = \"x\" }\n[session]\nendings = { x = \"3\" }\n[types]", nil
      ),
      (
        "[types]", "[prices]\nclasses = { x = { per_thousand = 1 } }\ncalls = { search = \"x\" }\n[types]",
        "[prices] has a price, but lacks `currency`, `date`, `source`"
      ),
      (
        "[types]", "[matches.primary]\nranges = \"@.m[*]\"\nstart = \"@.s\"\n[types]",
        "`matches.primary` needs exactly one of `end` and `length`"
      ),
      ("[types]", "[[errors]]\nis = \"x\"\ncause = \"http\"\n[types]", "needs the `path` of the value"),
      ("source = \"none\"", "source = \"none\", blending = \"all\"", "`terms.blending` must be"),
      ("hosts =", "countries = [\"fr\"]\nhosts =", "two-letter codes in upper case"),
      ("[types]", "[settings.enabled]\nsummary = \"X.\"\n[types]", "a setting cannot be named `enabled`"),
      ("id = \"@.id\", ", "easting = \"@.x\", northing = \"@.y\", ", "have an `easting`, but there is no `grid`"),
      ("id = \"@.id\", ", "easting = \"@.x\", ", "lack northing"),
      ("path = \"/s\"", "path = \"/s\"\nquery.t = \"{types}\"", nil),
      ("[search]\npath", "[details]\npath = \"/d\"\nrows = \"$\"\n[search]\npath", "the request of [details] does not use `{id}`"),
    ] as [(String, String, String?)])
  func together(old: String, new: String, expected: String?) {
    let text = Self.sound.replacing(old, with: new)
    #expect(text != Self.sound)
    let found = said(text)
    if let expected { #expect(found.contains { $0.contains(expected) }, "\(found)") } else { #expect(found == []) }
  }

  @Test(
    "A path that does not begin with a slash or has a query is reported with its place and with advice",
    arguments: [
      ("s", "t.toml:12:9: `search.path` must begin with a slash; write \"/s\""),
      ("/s?limit=5", "t.toml:12:11: `search.path` contains a `?`, which would be percent-encoded; write its parameters in `search.query`"),
      ("/s{?language}/x", nil), ("/{query | replace('?', '')}", nil),
    ] as [(String, String?)])
  func path(_ path: String, expected: String?) {
    #expect(said(Self.sound.replacing("path = \"/s\"", with: "path = \"\(path)\"")) == (expected.map { [$0] } ?? []))
  }

  @Test("A type that no other is near to refers to the list of types")
  func type() { #expect(said(Self.sound.replacing("cafe =", with: "zzzzzzzzzz =")).first?.hasSuffix("see places-rpc(7)") == true) }

  @Test("Invalid TOML and a file that is too large are each one problem with a position")
  func whole() {
    #expect(said("format = ").count == 1)
    #expect(said("").contains { $0.contains("the file lacks `format`") })
    #expect(said(String(repeating: "#\n", count: 200_000)) == ["t.toml: is larger than 256 KiB"])
  }

  @Test(
    "A value of another type, a duration in another form and a key by another name have advice",
    arguments: [
      ("query.q = \"{query}\"", "query.q = \"{query}\"\nquery.limit = 10", "not 10; write \"10\", in quotation marks"),
      ("query.q = \"{query}\"", "query.q = \"{query}\"\nmax_rows = 10", "unknown key `search.max_rows`; did you mean `maximum_rows`?"),
      ("name = \"@.name\"", "name = \"@.name\", lat = \"@.lat\"", "unknown key `fields.lat`; did you mean `latitude`?"),
      ("[types]", "[[errors]]\npath = \"$.code\"\nis = 10\ncause = \"http\"\n[types]", "write \"10\", in quotation marks"),
      ("source = \"none\"", "source = \"none\", ids = 86400", "write \"86400 seconds\""),
      ("source = \"none\"", "source = \"none\", ids = \"30d\"", "write \"30 days\""),
      ("source = \"none\"", "source = \"none\", ids = \"1 month\"", "write \"30 days\""),
    ])
  func advice(old: String, new: String, expected: String) {
    let found = said(Self.sound.replacing(old, with: new))
    #expect(found.count == 1 && found.first?.contains(expected) == true, "\(found)")
  }
}
