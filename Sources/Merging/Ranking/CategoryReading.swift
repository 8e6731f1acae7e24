import PlacesKit

/// Records which providers read the query as a category, such as `school` or `doctor`. A provider does so if its first row is a business or
/// sight near the bias and does not have the words of the query.
///
/// The text of such a row does not show why the row matches. Without this rule, distant towns whose names begin with the word would precede
/// all schools and doctors nearby.
struct CategoryReading: Sendable {
  /// The indices of the batches of these providers.
  private var batches: Set<Int> = []

  /// The least importance of a settlement that may be meant although a provider reads the query as a category: a city of a million people, or
  /// a smaller one whose name is known in many languages.
  private static let wellKnownImportance = 0.75

  /// Whether a place is so far away and so little known that places of the category near the bias are meant: Church in England.
  func excludes(_ location: Coordinate?, importance: Double, context: MergeContext) -> Bool {
    guard !batches.isEmpty, importance < CategoryReading.wellKnownImportance, let bias = context.bias, let location else { return false }
    return bias.center.distance(to: location) > bias.radius
  }

  /// Adds a provider's first row.
  /// - Parameter match: how the query matches the place of this row.
  mutating func add(_ row: some MergeableRow, batch: Int, match: TextMatch, context: MergeContext) {
    if match > .words, CategoryReading.isNearby(row, context) { batches.insert(batch) }
  }

  /// Whether the row is near the bias, and its provider reads the query as a category.
  func contains(_ row: some MergeableRow, batch: Int, context: MergeContext) -> Bool {
    batches.contains(batch) && CategoryReading.isNearby(row, context)
  }

  /// Whether a row is a business or sight within the radius of the bias.
  static func isNearby(_ row: some MergeableRow, _ context: MergeContext) -> Bool {
    guard let bias = context.bias, let location = row.location, bias.center.distance(to: location) <= bias.radius else { return false }
    return row.types.contains { $0.group != nil } && !row.types.contains { $0.group == .region || $0.group == .address }
  }
}
