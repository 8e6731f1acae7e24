import PlacesKit

/// All keys of a description. The checker, the test of the manual and the JSON Schema use them.
public enum DescriptionKeys {
  /// The calls that a description can have, each in a table of its name.
  static let calls: [Call] = [.autocomplete, .search, .details, .reverse]

  public static let root: [DescriptionKey] =
    [
      DescriptionKey("format", .integer(1...1), "The version of this format: 1.", required: true),
      DescriptionKey("name", .text, "The service's name for people.", required: true),
      DescriptionKey("summary", .text, "One sentence about the service, with a full stop.", required: true),
      DescriptionKey("documentation", .address, "The page that documents the service.", required: true),
      DescriptionKey(
        "verified", .date,
        "The day on which every path, parameter, member and error in the file was compared with the service's documentation, the source "
          + "of an official client, or answers that other public clients read. Leave it out if one was not: `placesctl plugin check` "
          + "reports that."
      ),
      DescriptionKey("hosts", .list(.host), "The hosts of the service; only these are asked, over https.", required: true),
      DescriptionKey("needs_base_url", .boolean, "True if an instance must name its own server in `base_url`."),
      DescriptionKey("answers", .choice(["json", "xml"]), "The format of the answers; `json` is the default."),
      DescriptionKey("countries", .list(.text), "The two-letter codes of the countries that the service covers; all without it."),
      DescriptionKey("coordinate_decimals", .integer(0...10), "The decimals to which coordinates are rounded before they are sent."),
      DescriptionKey(
        "grid", .choice(NationalGrid.allCases.map(\.rawValue)),
        "The grid of the fields `easting` and `northing`: EPSG:27700 is the National Grid of Great Britain."),
      DescriptionKey("local_names", .boolean, "True if the service, asked without a language, answers in the language of each place."),
      DescriptionKey("key", .table(key), "Where the key goes."),
      DescriptionKey("settings", .map(words: [], .table(setting)), "Settings of an instance, for use in templates as `{settings.NAME}`."),
      DescriptionKey("terms", .table(terms), "What the service's terms permit.", required: true),
      DescriptionKey("attributions", .list(.table(attribution)), "The credits that must be shown.", required: true),
      DescriptionKey("rate", .table(rate), "How often the service may be called."),
      DescriptionKey("prices", .table(prices), "What calls cost; without it they are free."),
      DescriptionKey("session", .table(session), "How the service bills a session. Without it, no session token is made."),
      DescriptionKey("types", .map(words: PlaceType.all.map(\.rawValue), .oneOrMore(.text)), "The service's words for each type."),
      DescriptionKey("tables", .map(words: [], .map(words: [], .text)), "Tables for the converter `map`."),
      DescriptionKey("errors", .list(.table(error)), "What the service's errors mean; the first rule that fits counts."),
      DescriptionKey("fields", fields, "The fields of a row, for all calls."),
      DescriptionKey("matches", .map(words: matchedTexts, .table(matches)), "Where the service tells which parts of a text match."),
    ] + calls.map { call in DescriptionKey(call.rawValue, .table(keys(of: call)), "The call \(call.rawValue).") }

  /// The fields whose matching parts `[matches]` can name.
  static let matchedTexts = ["text", "primary", "secondary"]

  private static let fields = ValueShape.map(words: RowField.keys, .alternatives(allowsPaths: true))

  private static let key = [
    DescriptionKey("query", .text, "The name of the query parameter that holds the key."),
    DescriptionKey("header", .text, "The name of the header that holds the key."),
    DescriptionKey("prefix", .text, "What stands before the key in the header, such as `Bearer `."),
    DescriptionKey("required", .boolean, "False if the service can be called without a key; true is the default."),
  ]

  private static let setting = [
    DescriptionKey("summary", .text, "One sentence.", required: true),
    DescriptionKey("required", .boolean, "True if an instance must have it."),
    DescriptionKey("default", .text, "The value of an instance that does not set it."),
    DescriptionKey("choices", .list(.text), "The only values that are permitted."),
  ]

  private static let terms = [
    DescriptionKey("source", .text, "The document that has the terms, with its date.", required: true),
    DescriptionKey("ids", .duration, "How long ids may be stored; `never` is the default, as for the other durations."),
    DescriptionKey("coordinates", .duration, "How long coordinates may be stored."),
    DescriptionKey("other", .duration, "How long everything else may be stored."),
    DescriptionKey("nothing_found", .duration, "How long an empty answer may be stored."),
    DescriptionKey("stale", .duration, "How long after its expiry an answer may be used while the service fails."),
    DescriptionKey("shared", .choice(["everybody", "user", "session"]), "The users who may see an answer; `user` is the default."),
    DescriptionKey("blending", .text, "The rows that its rows may be blended with: `free`, `never` (the default) or `family:NAME`."),
    DescriptionKey("autocomplete_allowed", .boolean, "False if the service must not be asked on every keystroke."),
    DescriptionKey("keeps_order", .boolean, "True if the order of the rows must not change."),
    DescriptionKey("needs_contact", .boolean, "True if requests must carry a contact; the instance then needs `contact`."),
  ]

  private static let attribution = [
    DescriptionKey("text", .text, "The credit.", required: true),
    DescriptionKey("url", .address, "The page that it links to."),
  ]

  private static let rate = [
    DescriptionKey("per_second", .number(0.0001...10_000), "Calls in a second."),
    DescriptionKey("burst", .integer(1...1_000), "Calls that may come at once after a quiet time."),
    DescriptionKey("concurrent", .integer(1...Rate.maxConcurrent), "Calls at the same time."),
    DescriptionKey(
      "quota_window", .choice(QuotaWindow.allCases.map(\.rawValue)),
      "When a quota that is used up begins again, if an error does not say it."),
  ]

  private static let prices = [
    DescriptionKey("currency", .text, "An ISO 4217 code; needed if a class has a price."),
    DescriptionKey("date", .date, "The day of the price list; needed if a class has a price."),
    DescriptionKey("source", .address, "The page of the price list; needed if a class has a price."),
    DescriptionKey("classes", .map(words: [], .table(priceClass)), "The lines of the price list.", required: true),
    DescriptionKey(
      "calls", .map(words: calls.map(\.rawValue), .text), "The class of each call; a call without one is free.", required: true),
  ]

  private static let priceClass = [
    DescriptionKey(
      "per_thousand", .number(0...1_000_000),
      "The price of a thousand calls; without it the price is not known until an instance sets it in `prices`: a budget that limits only "
        + "money refuses the calls."),
    DescriptionKey("free_per_month", .integer(0...1_000_000_000), "Calls in a month that are free."),
  ]

  private static let session = [
    DescriptionKey("idle_seconds", .integer(1...3_600), "How long a token lives without use; 180 is the default."),
    DescriptionKey(
      "endings", .map(words: [], .text),
      "For each class of the call that ends a session, the autocomplete calls that are billed: `none`, `all`, or the first so many."),
  ]

  static let error = [
    DescriptionKey("status", .oneOrMore(.integer(100...599)), "The HTTP statuses; any other than 2xx without it."),
    DescriptionKey("path", .path(example: "$.error.message"), "A value of the answer that is looked at."),
    DescriptionKey("is", .oneOrMore(.text), "The value must be one of these texts."),
    DescriptionKey("contains", .oneOrMore(.text), "The value must contain one of these texts, in any case of letters."),
    DescriptionKey(
      "cause", .choice(ErrorRule.causes.map(\.word)), "What it means; `nothing_found` is an answer without rows.", required: true),
    DescriptionKey("retry_after", .integer(1...86_400), "Seconds to wait, if the header Retry-After is missing."),
    DescriptionKey(
      "message", .text,
      "The rest of a sentence that begins with the service's name, without a full stop, such as `has blocked the key: see its dashboard`."),
  ]

  private static let matches = [
    DescriptionKey("ranges", .path(example: "@.highlights[*]"), "The list of ranges in a row.", required: true),
    DescriptionKey("start", .path(example: "@.start"), "The start of a range, from 0; `@` is the range.", required: true),
    DescriptionKey("end", .path(example: "@.end"), "The end of a range, exclusive."),
    DescriptionKey("length", .path(example: "@.length"), "The length of a range, if it has no end."),
  ]

  /// The keys in the table of a call.
  private static func keys(of call: Call) -> [DescriptionKey] {
    var keys = [
      DescriptionKey("host", .host, "The host, if it is not the first one of `hosts`."),
      DescriptionKey("method", .choice(["GET", "POST"]), "The method; GET without a body, POST with one."),
      DescriptionKey(
        "path", .template(allowsPaths: false), "The path, which begins with a slash; each part between slashes is a template.",
        required: true),
      DescriptionKey(
        "query", .map(words: [], .alternatives(allowsPaths: false)),
        "The query's parameters in their order; one without a value is left out."),
      DescriptionKey("headers", .map(words: [], .alternatives(allowsPaths: false)), "Further headers; one without a value is left out."),
      DescriptionKey("body", .body, "The JSON body; members without a value are left out."),
      DescriptionKey(
        "rows", .path(example: "$.features[*]"),
        "The rows of the answer: `$` for a row that is the whole answer, `$[*]` for an answer that is a list.",
        required: true),
      DescriptionKey("rows_may_be_missing", .boolean, "True if an answer without the list of rows means that nothing was found."),
      DescriptionKey("fields", fields, "Fields of this call; each replaces the one with its name in `[fields]`, and the others stay."),
    ]
    if call != .details {
      keys.append(DescriptionKey("maximum_rows", .integer(1...100), "The most rows that the service returns; 20 is the default."))
    }
    if call == .autocomplete || call == .search {
      keys.append(DescriptionKey("minimum_letters", .integer(1...10), "The fewest letters worth asking with; 1 is the default."))
    }
    if call == .search { keys.append(DescriptionKey("paging", .table(paging), "How further pages are requested.")) }
    return keys
  }

  private static let paging = [
    DescriptionKey("token", .path(example: "$.next_page"), "The value of the answer that the next request sends as `{page}`."),
    DescriptionKey("last", .integer(1...10_000), "The last row, or with `{page_number}` the last page, that can be requested."),
  ]
}
