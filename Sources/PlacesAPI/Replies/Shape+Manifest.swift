import PlacesKit

// What a provider declares of itself; places-provider(7) tells what the daemon makes of it.
extension Shape {
  static let manifest = Shape.record(
    Record(
      "Manifest", "What a provider is, can and may do.",
      [
        .always("plugin", .string, "The plugin's name."), .always("name", .string, "The name for people."),
        .always("version", .string, "Its version."), .always("summary", .string, "One sentence."),
        .maybe("autocomplete", capability, "How it suggests; without it, never."),
        .maybe("search", capability, "How it searches."), .maybe("details", capability, "How it tells details."),
        .maybe("reverse", capability, "How it tells what is at a point."),
        .maybe("geocode", capability, "How it finds addresses; without it, as it searches."),
        .always("hosts", .list(.string), "Where its requests may go; empty where it needs no network."),
        .always("needsBaseURL", .boolean, "Whether the configuration must name its address."),
        .always(
          "credential",
          .other(
            [
              "oneOf": [
                ["const": "none"], ["type": "object", "required": ["header"]], ["type": "object", "required": ["query"]],
              ]
            ], "none, {\"header\": {\"name\", \"prefix\"}} or {\"query\": {\"name\"}}"),
          "Where its key goes."),
        .always("needsCredential", .boolean, "Whether it needs a key."),
        .always("settings", .list(setting), "Its own keys of the configuration."),
        .always("terms", terms, "What its contract allows to be done with its answers."),
        .always("attributions", .list(credit), "The credits that its rows must be shown with."),
        .always("rate", rate, "How often it may be called."), .always("prices", prices, "What its calls cost."),
        .maybe("sessions", sessions, "How it bills sessions; without it, it has none."),
        .always("countries", .list(.string), "Two-letter codes of what it covers; empty for all."),
        .maybe("area", area, "The area that it covers; without it, all."),
        .maybe("coordinateDecimals", .integer, "Decimals that it is told coordinates with; without it, all."),
        .always("givesCoordinates", .boolean, "Whether its rows have coordinates."),
        .always("givesLocalNames", .boolean, "Whether it names places in their own language where it is told none."),
        .always("typeWords", .keyed(by: "type of the type table", .list(.string)), "Its own words for types."),
      ]))

  private static let capability = Shape.record(
    Record(
      "Capability", "How well a provider does one of the five calls.",
      [
        .always(
          "parameters", .keyed(by: "parameter", .word(Capability.Support.self)), "How parameters are served; others are unsupported."),
        .always("minimumLetters", .integer, "The fewest letters worth asking with."),
        .always("maximumRows", .integer, "The most rows of one call."),
        .always("kinds", .list(.word(Suggestion.Kind.self)), "Which kinds of rows it gives."),
        .always("narrows", .boolean, "Whether one more letter may be answered from a whole answer for the text before it."),
        .always("fields", .list(.string), "The fields that it gives."), .always("pages", .boolean, "Whether its answers have pages."),
      ]))

  private static let setting = Shape.record(
    Record(
      "Setting", "A key of the configuration that is the plugin's own.",
      [
        .always("name", .string, "The key."),
        .always("kind", .words(["string", "integer", "number", "boolean", "strings", "url"]), "What values it takes."),
        .always("summary", .string, "One sentence."), .always("required", .boolean, "Whether it must be given."),
        .maybe("defaultValue", .any, "What stands where it is not given."),
        .always("choices", .list(.string), "The only values allowed; empty for any."),
      ]))

  private static let terms = Shape.record(
    Record(
      "Terms", "What a contract allows.",
      [
        .always("idsSeconds", .orNull(.number), "How long ids may be kept; null for ever, 0 not at all."),
        .always("coordinatesSeconds", .orNull(.number), "How long coordinates may be kept."),
        .always("otherSeconds", .orNull(.number), "How long everything else may be kept."),
        .always("negativeSeconds", .number, "How long it may be kept that nothing was found."),
        .always("staleSeconds", .number, "How long after its time an answer may still be given."),
        .always("isolation", .words(["system", "user", "session"]), "Who may see an answer beside who caused it."),
        .always(
          "mixing",
          .other(
            ["oneOf": [["enum": ["free", "never"]], ["type": "object", "required": ["family"]]]], "free, never, or {\"family\": NAME}"),
          "What its rows may be blended with."),
        .always("autocompleteAllowed", .boolean, "Whether it may be asked on every keystroke."),
        .always("keepsOrder", .boolean, "Whether its rows must keep their order."),
        .always("needsContact", .boolean, "Whether requests must name the operator."),
        .always("source", .string, "Where the rules come from."),
      ]))

  private static let rate = Shape.record(
    Record(
      "Rate", "How often a service may be called, over all users.",
      [
        .maybe("perSecond", .number, "Calls a second; without it, any."),
        .always("burst", .integer, "Calls that may come at once after a quiet time."), .always("concurrent", .integer, "Calls at once."),
      ]))

  private static let prices = Shape.record(
    Record(
      "Prices", "What calls cost.",
      [
        .always("currency", .string, "ISO 4217."),
        .always(
          "classes",
          .list(
            .record(
              Record(
                "PriceClass", "A line of the price list.",
                [
                  .always("name", .string, "The class."),
                  .always("micros", .integer, "A call's price in millionths of the currency's unit."),
                  .always("freePerMonth", .integer, "Calls a month that cost nothing."),
                ]))), "The price list."),
        .always("calls", .keyed(by: "call", .string), "The class of each call; one without is free."),
        .always(
          "fieldClasses", .keyed(by: "call", .keyed(by: "field", .string)), "The class of each field, where the dearest decides."),
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
          "Which calls before the last one are billed."),
        .always("idleSeconds", .number, "How long a session lives without use."),
      ]))
}
