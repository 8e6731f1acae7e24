import PlacesKit

extension Cache {
  /// Keeps each part of a place for as long as the terms allow that kind of data. `earlier` is what `purges` was when the service was
  /// asked: what was purged since is not kept. Left out, nothing was.
  public func keep(_ place: Place, for key: PlaceKey, under terms: Terms, since earlier: Int = .max) {
    guard key.partition.column != nil else { return }
    let now = clock.now()
    state.withLock { state in
      guard !state.purges.concern(provider: key.provider, partition: key.partition, since: earlier) else { return }
      inbox.add(.place(key, place, terms, at: now))
    }
  }

  /// What is known of a place and may be given, field by field with its time; nil where nothing is, and as soon as the
  /// task is cancelled.
  public func place(_ key: PlaceKey) async -> KeptPlace? {
    // Details are often asked for right after the search that told most of them.
    if inbox.holds(key) { await writer.writeNow() }
    return await read { $0.place(key, now: $1) }
  }
}
