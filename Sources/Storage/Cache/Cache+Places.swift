import PlacesKit

extension Cache {
  /// Stores each part of a place for as long as the terms allow for that class of data. Pass the `purgeCount` that was read before the
  /// request was sent: if the place's share was purged since, the place is not stored.
  public func store(_ place: Place, for key: PlaceKey, under terms: Terms, unlessPurgedSince purgeCount: Int = .max) {
    guard key.partition.column != nil else { return }
    let now = clock.now()
    state.withLock { state in
      guard !state.purges.contain(provider: key.provider, partition: key.partition, after: purgeCount) else { return }
      inbox.add(.place(key, place, terms, at: now))
    }
  }

  /// The known fields of a place that may be served, each with its time; nil if there are none, and as soon as the task is cancelled.
  public func place(_ key: PlaceKey) async -> StoredPlace? {
    // Details are often requested right after the search that returned most of the fields.
    if inbox.holds(key) { await writer.writeNow() }
    return await read { $0.place(key, now: $1) }
  }
}
