import PlacesKit

// The rows of answers.
extension Shape {
  static let point = Shape.record(
    Record(
      "Point", "A point of WGS 84.",
      [.required("latitude", .number, "Degrees, -90 to 90."), .required("longitude", .number, "Degrees, -180 to 180.")]))

  static let area = Shape.other(ParameterType<Area>.area.schema, "area")

  static let text = Shape.record(
    Record(
      "Text", "A text, and the parts of it that match the typed text.",
      [
        .required("text", .string, "The text."),
        .required(
          "matches",
          .list(
            .record(
              Record(
                "Range", "A half-open range of Unicode code points of the text beside it.",
                [
                  .required("start", .integer, "The first code point, from 0."),
                  .required("end", .integer, "The code point after the last one."),
                ]))),
          "The parts that match, ascending."),
      ]))

  static let source = Shape.record(
    Record(
      "Source", "The origin of a row, or of a part of it.",
      [
        .required("provider", .string, "The provider's id."), .optional("id", .string, "The provider's id of the place; a query has none."),
        .required("rank", .integer, "The rank of the row in the provider's own answer, from 1."),
      ]))

  static let attribution = Shape.record(
    Record(
      "Attribution", "A credit that must be shown.",
      [
        .required("provider", .string, "The id of the provider."), .required("text", .string, "The credit."),
        .optional("url", .string, "The address that the credit links to."),
      ]))

  static let explanation = Shape.record(
    Record(
      "Explanation", "Why a row was returned and how it was ranked.",
      [
        .required("match", .string, "How the text matches the typed text, as a code."),
        .optional("matchedName", .string, "The name by which the text matches, if the row does not show that name."),
        .required("score", .number, "The score that determines the order; if rows are ranked by distance, the distance comes first."),
        .required("parts", .list(part), "The parts of the score."),
        .optional(
          "importance", .number,
          "The importance of the place by the first of its sources that states one, from 0 to 1; the order uses the mean of all sources."),
        .optional("partialMatch", .boolean, "True if the leading source says that the place matches only a part of the query."),
        .optional(
          "leads", .string,
          "Why the leading source precedes the next one: prefer, match, language, weight, details, rank or provider; only with several sources."
        ),
        .required("merges", .list(pair), "The rows that were merged into this one."),
        .required("tied", .list(pair), "Rows that mean the same place but, by the providers' terms, may not be blended with this one."),
        .required("maybe", .list(pair), "Rows that may mean the same place and were not merged."),
        .required(
          "fields",
          .list(
            .record(
              Record(
                "FieldOrigin", "The origin of one member of a row.",
                [
                  .required("field", .string, "The name of the member."), .required("provider", .string, "The provider's id."),
                  .required("at", .time, "The time at which the provider returned it."),
                ]))), "The origins of the row's members."),
      ]))

  private static let part = Shape.record(
    Record(
      "Part", "One term of a sum.",
      [.required("name", .string, "The name of the term."), .required("value", .number, "The value of the term.")]))

  private static let pair = Shape.record(
    Record(
      "Pair", "Two rows that were compared.",
      [
        .required("first", .string, "The id of the first row."), .required("second", .string, "The id of the second row."),
        .required("probability", .number, "The probability that both are the same place, 0 to 1."),
        .required("reasons", .list(part), "The evidence for it; negative values are evidence against it."),
      ]))

  private static let alternatives =
    "The rows of the same place that the providers' terms forbid blending with this row; they have no alternatives themselves."

  static let suggestion = Shape.record(
    Record(
      "Suggestion", "One row of an autocomplete answer.",
      [
        .required("kind", .word(Suggestion.Kind.self), "The kind of suggestion."),
        .optional("id", .string, "The id of the leading source; a query has none."), .required("text", text, "The whole text of the row."),
        .optional("primary", text, "Its first part, such as the name."), .optional("secondary", text, "The rest, such as the region."),
        .required("row", .string, "The identifier of the row within its request."),
        .required("types", .list(.string), "Types of the type table and the service's own types, most specific first."),
        .optional("language", .string, "The text's language."), .optional("location", point, "The location of the place."),
        .optional("viewport", .rectangle, "The area of the place, to which a map can be fitted."),
        .optional(
          "distance", .number,
          "The distance from the request's origin to the location, in metres; 0 if the origin is in the place, as far as a provider says."),
        .optional("iconImageURL", .string, "The http or https address of an image of the row, such as its category's icon."),
        .optional("url", .string, "The http or https address of a page about the row, such as the article that a completion names."),
        .optional(
          "group", .string,
          "Rows with the same group mean the same place but may not be blended, by the providers' terms; only without `fold`."),
        .required("sources", .list(source), "The sources that are blended into this row, the leading one first."),
        .optional("attributions", .list(attribution), "Credits that must be shown with this row, in addition to those of the answer."),
        .optional("alternatives", .list(.reference("Suggestion")), alternatives),
        .optional("explain", explanation, "Only with `explain`."),
      ]))

  static let place = Shape.record(
    Record(
      "Place", "A place: the requested fields that are known, and the members below.",
      [
        .required("id", .string, "The id of the leading source."),
        .required("row", .string, "The identifier of the row within its request."),
      ]
        + PlaceField.allCases.map { .optional($0.rawValue, $0.shape, $0.summary) } + [
          .optional(
            "distance", .number,
            "The distance from the request's origin or point to the location, in metres; 0 if the point is in the place, as far as a provider says."
          ),
          .optional(
            "group", .string,
            "Rows with the same group mean the same place but may not be blended, by the providers' terms; only without `fold`."),
          .optional(
            "confidence", .number,
            "The probability that this is the meant place, 0 to 1, in hundredths; only in the candidates of places.resolve."),
          .optional("partialMatch", .boolean, "True if the leading source says that the place matches only a part of the query."),
          .required("sources", .list(source), "The sources that are blended into this row, the leading one first."),
          .required("attributions", .list(attribution), "Credits that must be shown with this place, in addition to those of the answer."),
          .optional("alternatives", .list(.reference("Place")), alternatives),
          .optional(
            "provenance",
            .keyed(
              by: "field",
              .record(
                Record(
                  "Provenance", "The origin of a field.",
                  [
                    .required("provider", .string, "The provider's id."),
                    .required("at", .time, "The time at which the provider returned it."),
                  ])
              )),
            "The origin of each field; only with `explain`."),
          .optional("explain", explanation, "Only with `explain`."),
        ]))

  static let report = Shape.record(
    Record(
      "Report", "The outcome of a request at one provider.",
      [
        .required("provider", .string, "The provider's id."), .required("outcome", .word(ProviderReport.Outcome.self), "The outcome."),
        .required("count", .integer, "The number of rows that it returned."),
        .required(
          "latencyMs", .number, "The duration, in milliseconds; for a provider on this machine rounded up to 10, 100, 1000 and so on."),
        .optional("served", .word(ProviderReport.Served.self), "The origin of the answer."),
        .optional("cause", .string, "Why there is no answer, as a code."),
        .optional("message", .string, "The reason as a sentence; if the outcome is empty, a hint for a better request."),
        .optional("detail", .string, "A more specific code, such as Google's rateLimitExceeded."),
        .optional("retryAfterMs", .integer, "The time in milliseconds after which a retry can succeed."),
      ]))

  static let reports = Member.required("providers", .list(report), "The outcome of each provider.")
  static let attributions = Member.required("attributions", .list(attribution), "The credits that must be shown with the answer.")
  static let isComplete = Member.required("complete", .boolean, "True if every provider that was queried answered.")

  static let places = Shape.record(
    Record(
      "Places", "The result of a search and of a reverse search.",
      [
        .required("places", .list(place), "The rows, best first."), reports, attributions, isComplete,
        .optional("nextPageToken", .string, "The `pageToken` of the next page."),
      ]))
}
