import PlacesKit

// The rows of answers.
extension Shape {
  static let point = Shape.record(
    Record(
      "Point", "A point of WGS 84.",
      [.always("latitude", .number, "Degrees, -90 to 90."), .always("longitude", .number, "Degrees, -180 to 180.")]))

  static let area = Shape.other(ParameterType<Area>.area.schema, "area")

  static let text = Shape.record(
    Record(
      "Text", "A text, and the parts of it that match the typed text.",
      [
        .always("text", .string, "The text."),
        .always(
          "matches",
          .list(
            .record(
              Record(
                "Range", "A half-open range of Unicode code points of the text beside it.",
                [
                  .always("start", .integer, "The first code point, from 0."),
                  .always("end", .integer, "The code point after the last one."),
                ]))),
          "The parts that match, ascending."),
      ]))

  static let source = Shape.record(
    Record(
      "Source", "The origin of a row, or of a part of it.",
      [
        .always("provider", .string, "The provider's id."), .maybe("id", .string, "The provider's id of the place; a query has none."),
        .always("rank", .integer, "The rank of the row in the provider's own answer, from 1."),
      ]))

  static let attribution = Shape.record(
    Record(
      "Attribution", "A credit that must be shown.",
      [
        .always("provider", .string, "The id of the provider."), .always("text", .string, "The credit."),
        .maybe("url", .string, "The address that the credit links to."),
      ]))

  static let explanation = Shape.record(
    Record(
      "Explanation", "Why a row was returned and how it was ranked.",
      [
        .always("match", .string, "How the text matches the typed text, as a code."),
        .maybe("matchedName", .string, "The name by which the text matches, if the row does not show that name."),
        .always("score", .number, "The score that determines the order; if rows are ranked by distance, the distance comes first."),
        .always("parts", .list(part), "The parts of the score."),
        .maybe(
          "importance", .number,
          "The importance of the place by the first of its sources that states one, from 0 to 1; the order uses the mean of all sources."),
        .maybe("partialMatch", .boolean, "True if the leading source says that the place matches only a part of the query."),
        .maybe(
          "leads", .string,
          "Why the leading source precedes the next one: prefer, match, language, weight, details, rank or provider; only with several sources."
        ),
        .always("merges", .list(pair), "The rows that were merged into this one."),
        .always("tied", .list(pair), "Rows that mean the same place but, by the providers' terms, may not be blended with this one."),
        .always("maybe", .list(pair), "Rows that may mean the same place and were not merged."),
        .always(
          "fields",
          .list(
            .record(
              Record(
                "FieldOrigin", "The origin of one member of a row.",
                [
                  .always("field", .string, "The name of the member."), .always("provider", .string, "The provider's id."),
                  .always("at", .time, "The time at which the provider returned it."),
                ]))), "The origins of the row's members."),
      ]))

  private static let part = Shape.record(
    Record(
      "Part", "One term of a sum.",
      [.always("name", .string, "The name of the term."), .always("value", .number, "The value of the term.")]))

  private static let pair = Shape.record(
    Record(
      "Pair", "Two rows that were compared.",
      [
        .always("first", .string, "The id of the first row."), .always("second", .string, "The id of the second row."),
        .always("probability", .number, "The probability that both are the same place, 0 to 1."),
        .always("reasons", .list(part), "The evidence for it; negative values are evidence against it."),
      ]))

  private static let alternatives =
    "The rows of the same place that the providers' terms forbid blending with this row; they have no alternatives themselves."

  static let suggestion = Shape.record(
    Record(
      "Suggestion", "One row of an autocomplete answer.",
      [
        .always("kind", .word(Suggestion.Kind.self), "The kind of suggestion."),
        .maybe("id", .string, "The id of the leading source; a query has none."), .always("text", text, "The whole text of the row."),
        .maybe("primary", text, "Its first part, such as the name."), .maybe("secondary", text, "The rest, such as the region."),
        .always("row", .string, "The identifier of the row within its request."),
        .always("types", .list(.string), "Types of the type table and the service's own types, most specific first."),
        .maybe("language", .string, "The text's language."), .maybe("location", point, "The location of the place."),
        .maybe("viewport", .rectangle, "The area of the place, to which a map can be fitted."),
        .maybe(
          "distance", .number,
          "The distance from the request's origin to the location, in metres; 0 if the origin is in the place, as far as a provider says."),
        .maybe("iconImageURL", .string, "The http or https address of an image of the row, such as its category's icon."),
        .maybe("url", .string, "The http or https address of a page about the row, such as the article that a completion names."),
        .maybe(
          "group", .string,
          "Rows with the same group mean the same place but may not be blended, by the providers' terms; only without `fold`."),
        .always("sources", .list(source), "The sources that are blended into this row, the leading one first."),
        .maybe("attributions", .list(attribution), "Credits that must be shown with this row, in addition to those of the answer."),
        .maybe("alternatives", .list(.enclosing("Suggestion")), alternatives),
        .maybe("explain", explanation, "Only with `explain`."),
      ]))

  static let place = Shape.record(
    Record(
      "Place", "A place: the requested fields that are known, and the members below.",
      [.always("id", .string, "The id of the leading source."), .always("row", .string, "The identifier of the row within its request.")]
        + PlaceField.allCases.map { .maybe($0.rawValue, $0.shape, $0.summary) } + [
          .maybe(
            "distance", .number,
            "The distance from the request's origin or point to the location, in metres; 0 if the point is in the place, as far as a provider says."
          ),
          .maybe(
            "group", .string,
            "Rows with the same group mean the same place but may not be blended, by the providers' terms; only without `fold`."),
          .maybe(
            "confidence", .number,
            "The probability that this is the meant place, 0 to 1, in hundredths; only in the candidates of places.resolve."),
          .maybe("partialMatch", .boolean, "True if the leading source says that the place matches only a part of the query."),
          .always("sources", .list(source), "The sources that are blended into this row, the leading one first."),
          .always("attributions", .list(attribution), "Credits that must be shown with this place, in addition to those of the answer."),
          .maybe("alternatives", .list(.enclosing("Place")), alternatives),
          .maybe(
            "provenance",
            .keyed(
              by: "field",
              .record(
                Record(
                  "Provenance", "The origin of a field.",
                  [.always("provider", .string, "The provider's id."), .always("at", .time, "The time at which the provider returned it.")])
              )),
            "The origin of each field; only with `explain`."),
          .maybe("explain", explanation, "Only with `explain`."),
        ]))

  static let report = Shape.record(
    Record(
      "Report", "The outcome of a request at one provider.",
      [
        .always("provider", .string, "The provider's id."), .always("outcome", .word(ProviderReport.Outcome.self), "The outcome."),
        .always("count", .integer, "The number of rows that it returned."),
        .always(
          "latencyMs", .number, "The duration, in milliseconds; for a provider on this machine rounded up to 10, 100, 1000 and so on."),
        .maybe("served", .word(ProviderReport.Served.self), "The origin of the answer."),
        .maybe("cause", .string, "Why there is no answer, as a code."),
        .maybe("message", .string, "The reason as a sentence; if the outcome is empty, a hint for a better request."),
        .maybe("detail", .string, "A more specific code, such as Google's rateLimitExceeded."),
        .maybe("retryAfterMs", .integer, "The time in milliseconds after which a retry can succeed."),
      ]))

  static let reports = Member.always("providers", .list(report), "The outcome of each provider.")
  static let attributions = Member.always("attributions", .list(attribution), "The credits that must be shown with the answer.")
  static let isComplete = Member.always("complete", .boolean, "True if every provider that was queried answered.")

  static let places = Shape.record(
    Record(
      "Places", "The result of a search and of a reverse search.",
      [
        .always("places", .list(place), "The rows, best first."), reports, attributions, isComplete,
        .maybe("nextPageToken", .string, "The `pageToken` of the next page."),
      ]))
}
