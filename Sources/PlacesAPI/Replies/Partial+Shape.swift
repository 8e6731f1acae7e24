extension Partial {
  /// The params of the notification.
  public static let shape = Shape.record(
    Record(
      "Partial", "The parameters of places.partial: the rows of a streamed request so far.",
      [
        .required("request", .any, "The id of the request."),
        .required("revision", .integer, "The number of this answer to the request, from 1."),
        .optional("suggestions", .list(.suggestion), "The rows of an autocomplete so far."),
        .optional("places", .list(.place), "The rows of a search so far."), Shape.reports, Shape.attributions,
      ]))
}
