import PlacesKit

extension Cache {
  /// Stores each part of a place for as long as the terms allow for its class of data.
  /// - Parameter purgeCount: the `purgeCount` that was read before the request was sent. If the place's provider and partition were purged
  ///   since, the place is not stored. By default, earlier purges are ignored.
  public func store(_ place: Place, for key: PlaceKey, under terms: Terms, unlessPurgedSince purgeCount: Int = .max) {
    guard key.partition.column != nil else { return }
    let now = clock.now()
    state.withLock { state in
      guard !state.purges.containsPurge(ofProvider: key.provider, partition: key.partition, after: purgeCount) else { return }
      inbox.add(.place(key, place, terms, at: now))
    }
  }

  /// The known fields of a place that may be served, each with its time. Nil if there are none or the task is cancelled.
  public func place(_ key: PlaceKey) async -> StoredPlace? {
    // The place may not have been written yet, because details are often requested right after the search that returned the place.
    if inbox.containsWrite(of: key) { await writer.writeNow() }
    return await read { $0.place(key, now: $1) }
  }
}
