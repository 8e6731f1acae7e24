import PlacesKit

extension Suggestion {
  /// The leading row's texts, which belong together; the most exact location; all types, names and ids.
  public static func fuse(_ leading: FusedPart<Suggestion>, _ others: [FusedPart<Suggestion>]) -> (Suggestion, [FieldSource]) {
    if others.isEmpty { return alone(leading) }
    let parts = [leading] + others
    var fused = leading.row
    var sources = [leading.source(of: "text")]
    if let best = Precision.best(parts) {
      fused.location = best.row.location
      sources.append(best.source(of: "location"))
    }
    if let typed = parts.first(where: { !$0.row.types.isEmpty }) {
      fused.types = union([typed.row.types] + parts.map(\.row.types))
      sources.append(typed.source(of: "types"))
    }
    if let rated = parts.first(where: { $0.row.importance != nil }) {
      fused.importance = rated.row.importance
      sources.append(rated.source(of: "importance"))
    }
    fused.distance = parts.lazy.compactMap(\.row.distance).first
    fused.evidence = Evidence.fuse(parts.map(\.row.evidence))
    return (fused, sources)
  }

  private static func alone(_ part: FusedPart<Suggestion>) -> (Suggestion, [FieldSource]) {
    var row = part.row
    row.standAlone()
    let known = [
      ("text", true), ("location", row.location != nil), ("types", !row.types.isEmpty), ("importance", row.importance != nil),
    ]
    return (row, known.filter(\.1).map { part.source(of: $0.0) })
  }
}
