extension Partial {
  /// The params of the notification.
  public static let shape = Shape.record(
    Record(
      "Partial", "The parameters of places.partial: the rows of a streamed request so far.",
      [
        .always("request", .any, "The id of the request."),
        .always("revision", .integer, "The number of this answer to the request, from 1."),
        .maybe("suggestions", .list(.suggestion), "The rows of an autocomplete so far."),
        .maybe("places", .list(.place), "The rows of a search so far."), Shape.reports, Shape.attributions,
      ]))
}
