import PlacesKit

extension Suggestion {
  /// Fuses rows. The texts are those of the leading row or, if it lacks the house number, of the first row that has it. The location is the
  /// most precise one, and all types, names and ids are collected.
  public static func fuse(_ leading: FusionInput<Suggestion>, _ others: [FusionInput<Suggestion>]) -> (Suggestion, [FieldSource]) {
    if others.isEmpty { return alone(leading) }
    let parts = [leading] + others
    var fused = leading.row
    let textPart = others.first { addsHouseNumber($0.row, beyond: leading.row) } ?? leading
    (fused.text, fused.primary, fused.secondary) = (textPart.row.text, textPart.row.primary, textPart.row.secondary)
    fused.language = textPart.row.language ?? fused.language
    var sources = [textPart.source(of: "text")]
    if let best = LocationPrecision.best(parts) {
      fused.location = best.row.location
      sources.append(best.source(of: "location"))
    }
    fused.types = union(parts.map(\.row.types))
    if let partWithTypes = parts.first(where: { !$0.row.types.isEmpty }) { sources.append(partWithTypes.source(of: "types")) }
    /// Takes a field from the first part that has it.
    func take<Value>(_ field: WritableKeyPath<Suggestion, Value?>, _ name: String) {
      guard let part = parts.first(where: { $0.row[keyPath: field] != nil }) else { return }
      fused[keyPath: field] = part.row[keyPath: field]
      sources.append(part.source(of: name))
    }
    take(\.importance, "importance")
    take(\.viewport, "viewport")
    take(\.iconImageURL, "iconImageURL")
    take(\.url, "url")
    fused.distance = parts.lazy.compactMap(\.row.distance).min()
    fused.evidence = Evidence.fuse(parts.map(\.row.evidence))
    return (fused, sources)
  }

  /// Whether a row's text has a house number that the leading row lacks, and is in the leading row's language.
  private static func addsHouseNumber(_ row: Suggestion, beyond leading: Suggestion) -> Bool {
    guard leading.evidence.houseNumber == nil, let number = row.evidence.houseNumber else { return false }
    func has(_ row: Suggestion) -> Bool { row.text.text.split { $0 == " " || $0 == "," }.contains(number[...]) }
    return has(row) && !has(leading) && (row.language ?? leading.language) == leading.language
  }

  /// The result for a single row: the row, and the provider as the source of each field that the row has.
  private static func alone(_ part: FusionInput<Suggestion>) -> (Suggestion, [FieldSource]) {
    var row = part.row
    row.normalizeAlone()
    let fields = [
      ("text", true), ("location", row.location != nil), ("types", !row.types.isEmpty), ("importance", row.importance != nil),
      ("viewport", row.viewport != nil), ("iconImageURL", row.iconImageURL != nil), ("url", row.url != nil),
    ]
    return (row, fields.filter(\.1).map { part.source(of: $0.0) })
  }
}
