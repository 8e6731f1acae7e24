import Glibc
import JSON
import PlacesAPI
import PlacesClient
import PlacesKit

/// `placesctl search`, `details`, `photo`, `reverse`.
enum PlaceCommands {
  static let all = [search, details, photo, reverse, ResolveCommand.command]

  static let search = Command(
    path: ["search"],
    arguments: [
      Argument(
        "TEXT", .any, sets: "query",
        "The text to search for; several words are one text. Without it, all places of the type around a point or in an area.")
    ],
    options: [
      .near, .language, .region, .country,
      Option("type", short: "t", .word(.types), "TYPE", sets: "includedType", "The preferred type of the places."),
      Option("strict", sets: "strictTypeFiltering", "Exclude places of other types."),
      Option("open-now", sets: "openNow", "Only places that are open now."),
      Option("min-rating", .number, "RATING", sets: "minRating", "Only places with at least this rating, from 0 to 5."),
      Option(
        "price", .list(of: .choice(PriceLevel.allCases.map(\.rawValue))), "LEVEL", sets: "priceLevels",
        "Only places of this price level: free, inexpensive, moderate, expensive, very_expensive."),
      Option("sort", .choice(["relevance", "distance"]), "ORDER", sets: "rankBy", "The order of the places: relevance or distance."),
      .fields,
      .limit,
      Option("page", .text, "TOKEN", sets: "pageToken", "Show the next page, by the token that the previous page printed."), .provider,
      .bias,
      .within,
      .origin, Option("allow-price", sets: "allowPrice", "Allow a filter to make a call more expensive."), .timeout, .session, .cache,
      .explain,
      .unfold,
    ],
    summary: "Search places by text and filters.",
    notes: ["Each field requested by name has its own column.", SamePlaceMark.note],
    run: runSearch)

  static let details = Command(
    path: ["details"], arguments: [Argument("ID", .one, sets: "id", "The place's id, such as gazetteer:2950159.")],
    options: [.fields, .language, .region, .timeout, .session, .cache, .explain], summary: "Show the details of one place.",
    run: runDetails)

  static let photo = Command(
    path: ["photo"],
    arguments: [Argument("ID", .one, sets: "id", "The photo's id, from the field photos of a place.")],
    options: [
      Option("output", short: "o", .text, "FILE", "The file to write; - writes to standard output."),
      Option("max-width", .integer, "PIXELS", sets: "maxWidth", "The maximum width, up to 4800; by default 1024."),
      Option("max-height", .integer, "PIXELS", sets: "maxHeight", "The maximum height, up to 4800; by default 1024."), .timeout,
    ],
    summary: "Download a photo of a place.",
    notes: [
      "The printed credits must be shown with the photo. Most services forbid storing photos: write them to a temporary file.",
      "With --json, the reply is printed, which contains the file in base64, and --output is not needed.",
    ],
    run: runPhoto)

  static let reverse = Command(
    path: ["reverse"],
    arguments: [
      Argument(
        "POINT", .one, as: .point, sets: "location", "The point: LAT,LON in degrees, a plus code, a map link or the name of a place.")
    ],
    options: [
      Option("radius", .number, "METRES", sets: "radius", "The maximum distance of a place's location from the point."), .types, .fields,
      .limit,
      .language, .region,
      .provider,
      .timeout, .cache, .explain, .unfold,
    ],
    summary: "Find the places at a point.", notes: ["Each field requested by name has its own column.", SamePlaceMark.note],
    run: runReverse)

  /// Applies --unfold, which requests a separate row for each source.
  private static func applyUnfold(_ object: inout JSONObject, _ invocation: Invocation) {
    if invocation.has("unfold") { object["fold"] = false }
  }

  /// Adds the basic fields to the parameters unless the user named fields.
  private static func addBasicFields(_ object: inout JSONObject) { if object["fields"] == nil { object["fields"] = ["basic"] } }

  static func runSearch(_ invocation: Invocation, _ context: CommandContext) async throws(Failure) -> ExitCode {
    guard !invocation.arguments.isEmpty || invocation.has("type") else { throw invocation.usage("TEXT or --type missing") }
    let parameters = try invocation.parameters(Search.self) {
      SuggestCommand.addNearness(&$0, invocation)
      addBasicFields(&$0)
      applyUnfold(&$0, invocation)
      if $0["query"] == nil { $0["query"] = "" }
    }
    let result = try await context.call(Search.self, parameters, within: PlacesClient.timeLimit(parameters.deadlineMs))
    return show(result, invocation, context)
  }

  static func runReverse(_ invocation: Invocation, _ context: CommandContext) async throws(Failure) -> ExitCode {
    let parameters = try invocation.parameters(Reverse.self) { applyUnfold(&$0, invocation) }
    let result = try await context.call(Reverse.self, parameters, within: PlacesClient.timeLimit(parameters.deadlineMs))
    return show(result, invocation, context)
  }

  static func runDetails(_ invocation: Invocation, _ context: CommandContext) async throws(Failure) -> ExitCode {
    let parameters = try invocation.parameters(Details.self, adjust: addBasicFields)
    let result = try await context.call(Details.self, parameters, within: PlacesClient.timeLimit(parameters.deadlineMs))
    context.show(result, rows: nil, of: invocation) {
      context.console.lines(PlaceLines.fields(result.place, context.console))
      context.console.printCredits(result.attributions)
    }
    context.console.noteUnanswered(result.providers, of: invocation)
    let missing = missingFields(of: result.place, invocation)
    if !missing.isEmpty { context.console.note("not known: \(missing.joined(separator: ", "))") }
    return .results
  }

  static func runPhoto(_ invocation: Invocation, _ context: CommandContext) async throws(Failure) -> ExitCode {
    let path = invocation.text("output")
    guard path != nil || invocation.has("json") || invocation.has("jsonl") else { throw invocation.usage("--output FILE missing") }
    let parameters = try invocation.parameters(Photo.self)
    let result = try await context.call(Photo.self, parameters, within: PlacesClient.timeLimit(parameters.deadlineMs))
    guard let file = result.file else { throw Failure(.failed, "the daemon's reply is not base64") }
    if let path {
      do throws(TextFile.FileError) {
        if path == "-" { try TextFile.write(file, to: STDOUT_FILENO) } else { try TextFile.replace(path, with: file) }
      } catch { throw Failure(.failed, "\(printable(path)): \(error.reason)") }
    }
    if path != "-" {
      context.show(result, rows: nil, of: invocation) {
        context.console.line(printable("\(path ?? ""): \(result.contentType.rawValue), \(Format.bytes(file.count))"))
        context.console.printCredits(result.attributions)
      }
    }
    context.console.noteUnanswered(result.providers, of: invocation)
    return .results
  }

  /// The fields requested by name that no provider returned.
  private static func missingFields(of place: PlaceRow, _ invocation: Invocation) -> [String] {
    fields(of: invocation).filter { place.values[$0] == nil }.map(\.rawValue)
  }

  /// The fields requested by name.
  static func fields(of invocation: Invocation) -> [PlaceField] {
    let names = invocation.options["fields"].flatMap(Option.ValueType.list(of: .text).json)?.array ?? []
    return names.compactMap { $0.string.flatMap(PlaceField.init) }
  }

  private static func show(_ result: PlacesResult, _ invocation: Invocation, _ context: CommandContext) -> ExitCode {
    context.show(result, rows: "places", of: invocation) {
      context.console.lines(PlaceLines.rows(result.places, requested: fields(of: invocation), context.console))
      context.console.printCredits(result.attributions)
      if let token = result.nextPageToken { context.console.note("There is more: repeat the command with --page \(token)") }
    }
    context.console.noteUnanswered(result.providers, of: invocation)
    if let note = PartialMatchNote.text(invocation.arguments.joined(separator: " "), result.places) { context.console.note(note) }
    if result.places.isEmpty { context.console.noteNothingFound(result.providers, complete: result.complete, of: invocation) }
    return ExitCode(rows: result.places.count, complete: result.complete)
  }
}
