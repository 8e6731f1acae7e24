import PlacesKit

// A provider's manifest; places-provider(7) describes how the daemon uses it.
extension Shape {
  static let manifest = Shape.record(
    Record(
      "Manifest", "The declaration of a provider's capabilities, terms and prices.",
      [
        .always("plugin", .string, "The plugin's name."), .always("name", .string, "The display name."),
        .always("version", .string, "The version."), .always("summary", .string, "A summary in one sentence."),
        .maybe("autocomplete", capability, "How it suggests; absent if it does not suggest."),
        .maybe("search", capability, "How it searches; absent if it does not search."),
        .maybe("details", capability, "How it returns the details of a place; absent if it does not."),
        .maybe("reverse", capability, "How it finds the places at a point; absent if it does not."),
        .maybe("geocode", capability, "How it finds addresses by a call of its own; if absent, its search finds them."),
        .always("hosts", .list(.string), "The hosts that its requests may go to; empty if it needs no network."),
        .always("needsBaseURL", .boolean, "True if the configuration must contain its address."),
        .always(
          "credential",
          .other(
            [
              "oneOf": [
                ["const": "none"], ["type": "object", "required": ["header"]], ["type": "object", "required": ["query"]],
              ]
            ], "none, {\"header\": {\"name\", \"prefix\"}} or {\"query\": {\"name\"}}"),
          "Where the key is put in a request."),
        .always("needsCredential", .boolean, "True if it needs a key."),
        .always("settings", .list(setting), "The plugin's own keys of the configuration."),
        .always("terms", terms, "What its contract allows to do with its answers."),
        .always("attributions", .list(credit), "The credits that must be shown with its rows."),
        .always("rate", rate, "How often it may be called."), .always("prices", prices, "The prices of its calls."),
        .maybe("sessions", sessions, "How it bills sessions; absent if it has no sessions."),
        .always("countries", .list(.string), "The two-letter codes of the countries that it covers; empty for all."),
        .maybe("area", area, "The area that it covers; absent for the whole world."),
        .maybe("coordinateDecimals", .integer, "The number of decimals of coordinates in its requests; absent for all."),
        .always("givesCoordinates", .boolean, "True if its rows have coordinates."),
        .always("givesLocalNames", .boolean, "True if it returns local names for a request without a language."),
        .always("typeWords", .keyed(by: "type of the type table", .list(.string)), "Its own names for types."),
      ]))

  private static let capability = Shape.record(
    Record(
      "Capability", "How a provider supports a call.",
      [
        .always(
          "parameters", .keyed(by: "parameter", .word(Capability.Support.self)),
          "How each parameter is supported; parameters that are not listed are unsupported."),
        .always("minimumLetters", .integer, "The minimum length of a query, in letters."),
        .always("maximumRows", .integer, "The maximum number of rows of one call."),
        .always("kinds", .list(.word(Suggestion.Kind.self)), "The kinds of rows that it returns."),
        .always("narrows", .boolean, "True if an exhaustive answer contains the answers to all longer texts."),
        .always("fields", .list(.string), "The fields that it returns."), .always("pages", .boolean, "True if its answers have pages."),
      ]))

  private static let setting = Shape.record(
    Record(
      "Setting", "A configuration key that belongs to the plugin.",
      [
        .always("name", .string, "The key."),
        .always("kind", .words(["string", "integer", "number", "boolean", "strings", "url"]), "The type of its value."),
        .always("summary", .string, "A summary in one sentence."),
        .always("required", .boolean, "True if the configuration must contain it."),
        .maybe("defaultValue", .any, "The default value."),
        .always("choices", .list(.string), "The allowed values; empty for any."),
      ]))

  private static let terms = Shape.record(
    Record(
      "Terms", "What the provider's contract allows.",
      [
        .always("idsSeconds", .orNull(.number), "How long ids may be stored; null for ever, 0 not at all."),
        .always("coordinatesSeconds", .orNull(.number), "How long coordinates may be stored."),
        .always("otherSeconds", .orNull(.number), "How long everything else may be stored."),
        .always("negativeSeconds", .number, "How long an empty answer may be stored."),
        .always("staleSeconds", .number, "How long after its expiry an answer may still be served."),
        .always(
          "isolation", .words(["system", "user", "session"]),
          "Who may receive a stored answer: every user, the same user, or the same session."),
        .always(
          "mixing",
          .other(
            ["oneOf": [["enum": ["free", "never"]], ["type": "object", "required": ["family"]]]], "free, never, or {\"family\": NAME}"),
          "Which rows may be blended with its rows."),
        .always("autocompleteAllowed", .boolean, "True if it may be queried on every keystroke."),
        .always("keepsOrder", .boolean, "True if its rows must keep their order."),
        .always("needsContact", .boolean, "True if requests must name the operator."),
        .always("source", .string, "The document that contains the rules."),
      ]))

  private static let rate = Shape.record(
    Record(
      "Rate", "How often a service may be called, by all users together.",
      [
        .maybe("perSecond", .number, "Calls per second; absent for no limit."),
        .always("burst", .integer, "The maximum number of calls in a burst."),
        .always("concurrent", .integer, "The maximum number of concurrent calls."),
      ]))

  private static let prices = Shape.record(
    Record(
      "Prices", "The prices of calls.",
      [
        .always("currency", .string, "The currency, as an ISO 4217 code."),
        .always(
          "classes",
          .list(
            .record(
              Record(
                "PriceClass", "One class of the price list.",
                [
                  .always("name", .string, "The name of the class."),
                  .always("micros", .integer, "The price of a call, in millionths of the currency unit."),
                  .always("freePerMonth", .integer, "The number of free calls per month."),
                ]))), "The price list."),
        .always("calls", .keyed(by: "call", .string), "The price class of each call; a call without a class is free."),
        .always(
          "fieldClasses", .keyed(by: "call", .keyed(by: "field", .string)),
          "The price class of each field; the most expensive requested field determines the price."),
      ]))

  private static let sessions = Shape.record(
    Record(
      "SessionRule", "How the calls of a session are billed.",
      [
        .always(
          "endings",
          .keyed(
            by: "class of the call that ends it",
            .other(
              ["oneOf": [["enum": ["none", "all"]], ["type": "object", "required": ["first"]]]], "none, all, or {\"first\": COUNT}")),
          "Which earlier calls of the session are billed."),
        .always("idleSeconds", .number, "The time after which an unused session ends."),
      ]))
}
