import PlacesKit

// A provider's manifest; places-provider(7) describes how the daemon uses it.
extension Shape {
  static let manifest = Shape.record(
    Record(
      "Manifest", "The declaration of a provider's capabilities, terms and prices.",
      [
        .required("plugin", .string, "The plugin's name."), .required("name", .string, "The display name."),
        .required("version", .string, "The version."), .required("summary", .string, "A summary in one sentence."),
        .optional("autocomplete", capability, "How it suggests; absent if it does not suggest."),
        .optional("search", capability, "How it searches; absent if it does not search."),
        .optional("details", capability, "How it returns the details of a place; absent if it does not."),
        .optional("reverse", capability, "How it finds the places at a point; absent if it does not."),
        .optional("geocode", capability, "How it finds addresses by a call of its own; if absent, its search finds them."),
        .required("hosts", .list(.string), "The hosts that its requests may go to; empty if it needs no network."),
        .required("needsBaseURL", .boolean, "True if the configuration must contain its address."),
        .required(
          "credential",
          .other(
            [
              "oneOf": [
                ["const": "none"], ["type": "object", "required": ["header"]], ["type": "object", "required": ["query"]],
              ]
            ], "none, {\"header\": {\"name\", \"prefix\"}} or {\"query\": {\"name\"}}"),
          "Where the key is put in a request."),
        .required("needsCredential", .boolean, "True if it needs a key."),
        .required("settings", .list(setting), "The plugin's own keys of the configuration."),
        .required("terms", terms, "What its contract allows to do with its answers."),
        .required("attributions", .list(credit), "The credits that must be shown with its rows."),
        .required("rate", rate, "How often it may be called."), .required("prices", prices, "The prices of its calls."),
        .optional("sessions", sessions, "How it bills sessions; absent if it has no sessions."),
        .required("countries", .list(.string), "The two-letter codes of the countries that it covers; empty for all."),
        .optional("area", area, "The area that it covers; absent for the whole world."),
        .optional("coordinateDecimals", .integer, "The number of decimals of coordinates in its requests; absent for all."),
        .required("givesCoordinates", .boolean, "True if its rows have coordinates."),
        .required("givesLocalNames", .boolean, "True if it returns local names for a request without a language."),
        .required("typeWords", .keyed(by: "type of the type table", .list(.string)), "Its own names for types."),
      ]))

  private static let capability = Shape.record(
    Record(
      "Capability", "How a provider supports a call.",
      [
        .required(
          "parameters", .keyed(by: "parameter", .word(Capability.Support.self)),
          "How each parameter is supported; parameters that are not listed are unsupported."),
        .required("minimumLetters", .integer, "The minimum length of a query, in letters."),
        .required("maximumRows", .integer, "The maximum number of rows of one call."),
        .required("kinds", .list(.word(Suggestion.Kind.self)), "The kinds of rows that it returns."),
        .required("narrows", .boolean, "True if an exhaustive answer contains the answers to all longer texts."),
        .required("fields", .list(.string), "The fields that it returns."), .required("pages", .boolean, "True if its answers have pages."),
      ]))

  private static let setting = Shape.record(
    Record(
      "Setting", "A configuration key that belongs to the plugin.",
      [
        .required("name", .string, "The key."),
        .required("kind", .words(["string", "integer", "number", "boolean", "strings", "url"]), "The type of its value."),
        .required("summary", .string, "A summary in one sentence."),
        .required("required", .boolean, "True if the configuration must contain it."),
        .optional("defaultValue", .any, "The default value."),
        .required("choices", .list(.string), "The allowed values; empty for any."),
      ]))

  private static let terms = Shape.record(
    Record(
      "Terms", "What the provider's contract allows.",
      [
        .required("idsSeconds", .orNull(.number), "How long ids may be stored; null for ever, 0 not at all."),
        .required("coordinatesSeconds", .orNull(.number), "How long coordinates may be stored."),
        .required("otherSeconds", .orNull(.number), "How long everything else may be stored."),
        .required("negativeSeconds", .number, "How long an empty answer may be stored."),
        .required("staleSeconds", .number, "How long after its expiry an answer may still be served."),
        .required(
          "isolation", .words(["system", "user", "session"]),
          "Who may receive a stored answer: every user, the same user, or the same session."),
        .required(
          "mixing",
          .other(
            ["oneOf": [["enum": ["free", "never"]], ["type": "object", "required": ["family"]]]], "free, never, or {\"family\": NAME}"),
          "Which rows may be blended with its rows."),
        .required("autocompleteAllowed", .boolean, "True if it may be queried on every keystroke."),
        .required("keepsOrder", .boolean, "True if its rows must keep their order."),
        .required("needsContact", .boolean, "True if requests must name the operator."),
        .required("source", .string, "The document that contains the rules."),
      ]))

  private static let rate = Shape.record(
    Record(
      "Rate", "How often a service may be called, by all users together.",
      [
        .optional("perSecond", .number, "Calls per second; absent for no limit."),
        .required("burst", .integer, "The maximum number of calls in a burst."),
        .required("concurrent", .integer, "The maximum number of concurrent calls."),
      ]))

  private static let prices = Shape.record(
    Record(
      "Prices", "The prices of calls.",
      [
        .required("currency", .string, "The currency, as an ISO 4217 code."),
        .required(
          "classes",
          .list(
            .record(
              Record(
                "PriceClass", "One class of the price list.",
                [
                  .required("name", .string, "The name of the class."),
                  .required("micros", .integer, "The price of a call, in millionths of the currency unit."),
                  .required("freePerMonth", .integer, "The number of free calls per month."),
                ]))), "The price list."),
        .required("calls", .keyed(by: "call", .string), "The price class of each call; a call without a class is free."),
        .required(
          "fieldClasses", .keyed(by: "call", .keyed(by: "field", .string)),
          "The price class of each field; the most expensive requested field determines the price."),
      ]))

  private static let sessions = Shape.record(
    Record(
      "SessionRule", "How the calls of a session are billed.",
      [
        .required(
          "endings",
          .keyed(
            by: "class of the call that ends it",
            .other(
              ["oneOf": [["enum": ["none", "all"]], ["type": "object", "required": ["first"]]]], "none, all, or {\"first\": COUNT}")),
          "Which earlier calls of the session are billed."),
        .required("idleSeconds", .number, "The time after which an unused session ends."),
      ]))
}
