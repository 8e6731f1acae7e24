extension Partial {
  /// The params of the notification.
  public static let shape = Shape.record(
    Record(
      "Partial", "The params of places.partial: what a streamed request knows so far.",
      [
        .always("request", .any, "The id of the request."), .always("revision", .integer, "Counts the answers to it, from 1."),
        .maybe("suggestions", .list(.suggestion), "The rows so far of an autocomplete."),
        .maybe("places", .list(.place), "The rows so far of a search."), Shape.reports, Shape.attributions,
      ]))
}
