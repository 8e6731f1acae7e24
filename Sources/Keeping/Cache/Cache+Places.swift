import PlacesKit

extension Cache {
  /// Keeps each part of a place for as long as the terms allow that kind of data.
  public func keep(_ place: Place, for key: PlaceKey, under terms: Terms) {
    guard key.partition.column != nil else { return }
    inbox.add(.place(key, place, terms, at: clock.now()))
  }

  /// What is known of a place and may be given, field by field with its time; nil where nothing is, and as soon as the
  /// task is cancelled.
  public func place(_ key: PlaceKey) async -> KeptPlace? { await read { $0.place(key, now: $1) } }
}
