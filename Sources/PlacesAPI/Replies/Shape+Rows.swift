import PlacesKit

// The rows of answers.
extension Shape {
  static let point = Shape.record(
    Record(
      "Point", "A point of WGS 84.",
      [.always("latitude", .number, "Degrees, -90 to 90."), .always("longitude", .number, "Degrees, -180 to 180.")]))

  static let area = Shape.other(Kind<Area>.area.schema, "area")

  static let text = Shape.record(
    Record(
      "Text", "A text, and which parts of it match what was typed.",
      [
        .always("text", .string, "The text."),
        .always(
          "matches",
          .list(
            .record(
              Record(
                "Range", "A half-open range of Unicode code points of the text beside it.",
                [.always("start", .integer, "The first code point, from 0."), .always("end", .integer, "Behind the last one.")]))),
          "The parts that match, ascending."),
      ]))

  static let source = Shape.record(
    Record(
      "Source", "Where a row, or a part of it, comes from.",
      [
        .always("provider", .string, "The provider's id."), .maybe("id", .string, "The place's id there; a query has none."),
        .always("rank", .integer, "The row's place in the provider's own answer, from 1."),
      ]))

  static let attribution = Shape.record(
    Record(
      "Attribution", "A credit that must be shown.",
      [
        .always("provider", .string, "Whose it is."), .always("text", .string, "The credit."),
        .maybe("url", .string, "Where it leads."),
      ]))

  static let explanation = Shape.record(
    Record(
      "Explanation", "Why a row is there and stands where it stands.",
      [
        .always("match", .string, "How the text fits what was typed, in a word."),
        .always("score", .number, "What the order goes by, after the distance where places are ranked by it."),
        .always("parts", .list(part), "What the score is made of."),
        .maybe(
          "leads", .string,
          "Why the leading source leads the next one: prefer, match, language, weight, details, rank or provider; only of several."),
        .always("merges", .list(pair), "Which rows were joined into it."),
        .always("tied", .list(pair), "Which rows mean the same place as one of this row's, and terms forbid to blend them."),
        .always("maybe", .list(pair), "Which rows may be the same, and were not joined."),
        .always(
          "fields",
          .list(
            .record(
              Record(
                "FieldOrigin", "Where a member of the row comes from.",
                [
                  .always("field", .string, "The member."), .always("provider", .string, "The provider's id."),
                  .always("at", .time, "When the provider told it."),
                ]))), "Where the members come from."),
      ]))

  private static let part = Shape.record(
    Record(
      "Part", "A part of a sum.",
      [.always("name", .string, "What it stands for."), .always("value", .number, "What it adds.")]))

  private static let pair = Shape.record(
    Record(
      "Pair", "Two rows that were compared.",
      [
        .always("first", .string, "A row's id."), .always("second", .string, "The other's."),
        .always("probability", .number, "How likely they are one place, 0 to 1."),
        .always("reasons", .list(part), "What speaks for it, and against it where negative."),
      ]))

  private static let alternatives =
    "The other sources of the same place that terms forbid to blend with this row, each whole; they have none themselves."

  static let suggestion = Shape.record(
    Record(
      "Suggestion", "One row of an autocomplete answer.",
      [
        .always("kind", .word(Suggestion.Kind.self), "What was suggested."),
        .maybe("id", .string, "The id of the leading source; a query has none."), .always("text", text, "The whole row."),
        .maybe("primary", text, "Its first part, such as the name."), .maybe("secondary", text, "The rest, such as the region."),
        .always("row", .string, "The row's name within its request."),
        .always("types", .list(.string), "Words of the type table and services' own, most specific first."),
        .maybe("language", .string, "The text's language."), .maybe("location", point, "Where the place is."),
        .maybe("distance", .number, "Metres from the request's origin."),
        .maybe("group", .string, "Rows with the same one mean the same place, and terms forbid to blend them; only without `fold`."),
        .always("sources", .list(source), "The sources that are blended into this row, the leading one first."),
        .maybe("attributions", .list(attribution), "What this row must show beyond the answer's."),
        .maybe("alternatives", .list(.enclosing("Suggestion")), alternatives),
        .maybe("explain", explanation, "Only with `explain`."),
      ]))

  static let place = Shape.record(
    Record(
      "Place", "A place: the fields asked for that are known, and these.",
      [.always("id", .string, "The id of the leading source."), .always("row", .string, "The row's name within its request.")]
        + PlaceField.allCases.map { .maybe($0.rawValue, $0.shape, $0.summary) } + [
          .maybe("distance", .number, "Metres from the request's origin or point."),
          .maybe("group", .string, "Rows with the same one mean the same place, and terms forbid to blend them; only without `fold`."),
          .always("sources", .list(source), "The sources that are blended into this row, the leading one first."),
          .always("attributions", .list(attribution), "What this place must show beyond the answer's."),
          .maybe("alternatives", .list(.enclosing("Place")), alternatives),
          .maybe(
            "provenance",
            .keyed(
              by: "field",
              .record(
                Record(
                  "Provenance", "Where a field comes from.",
                  [.always("provider", .string, "The provider's id."), .always("at", .time, "When the provider told it.")]))),
            "Where each field comes from; only with `explain`."),
          .maybe("explain", explanation, "Only with `explain`."),
        ]))

  static let report = Shape.record(
    Record(
      "Report", "How one provider fared with a request.",
      [
        .always("provider", .string, "The provider's id."), .always("outcome", .word(ProviderReport.Outcome.self), "What became of it."),
        .always("count", .integer, "Rows that it gave."), .always("latencyMs", .number, "How long it took."),
        .maybe("served", .word(ProviderReport.Served.self), "Where the answer comes from."),
        .maybe("cause", .string, "Why there is none, in a word."), .maybe("message", .string, "The same in a sentence."),
        .maybe("detail", .string, "The same in a closer word, such as Google's rateLimitExceeded."),
        .maybe("retryAfterMs", .integer, "When asking again may help."),
      ]))

  static let reports = Member.always("providers", .list(report), "How each provider fared.")
  static let attributions = Member.always("attributions", .list(attribution), "The credits that must be shown with the answer.")
  static let isComplete = Member.always("complete", .boolean, "Whether every provider that was asked answered.")

  static let places = Shape.record(
    Record(
      "Places", "What a search and a reverse search answer.",
      [
        .always("places", .list(place), "The rows, best first."), reports, attributions, isComplete,
        .maybe("nextPageToken", .string, "Asks for the next page as `pageToken`."),
      ]))
}
