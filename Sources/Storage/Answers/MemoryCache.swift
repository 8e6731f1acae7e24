/// A cache with a limit in bytes that evicts the least recently used entries. The entries are a doubly linked list in an array.
struct MemoryCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Node {
    var key: Key
    var value: Value
    var bytes: Int
    var newer: Int?
    var older: Int?
  }

  private var nodes: [Node?] = []
  private var vacant: [Int] = []
  private var places: [Key: Int] = [:]
  private var newest: Int?
  private var oldest: Int?
  private(set) var bytes = 0
  let limit: Int

  var count: Int { places.count }

  /// `limit` is in bytes; an entry larger than a quarter of it is not stored.
  init(limit: Int) { self.limit = max(0, limit) }

  /// Returns an entry and makes it the most recently used one.
  mutating func find(_ key: Key) -> Value? {
    guard let place = places[key], let value = nodes[place]?.value else { return nil }
    unlink(place)
    linkAsNewest(place)
    return value
  }

  mutating func insert(_ value: Value, for key: Key, bytes size: Int) {
    remove(key)
    guard size >= 0, size <= limit / 4 else { return }
    let node = Node(key: key, value: value, bytes: size, newer: nil, older: nil)
    let place: Int
    if let free = vacant.popLast() {
      place = free
      nodes[place] = node
    } else {
      place = nodes.count
      nodes.append(node)
    }
    places[key] = place
    bytes += size
    linkAsNewest(place)
    while bytes > limit, let oldest, let key = nodes[oldest]?.key { remove(key) }
  }

  mutating func remove(_ key: Key) {
    guard let place = places.removeValue(forKey: key) else { return }
    unlink(place)
    bytes -= nodes[place]?.bytes ?? 0
    nodes[place] = nil
    vacant.append(place)
  }

  /// Calls `body` with every key and the size of its entry.
  func forEach(_ body: (Key, Int) -> Void) {
    for node in nodes { if let node { body(node.key, node.bytes) } }
  }

  /// Removes the matching entries and returns their number.
  @discardableResult
  mutating func removeAll(where isDone: (Key, Value) -> Bool) -> Int {
    let done = nodes.compactMap { node in node.flatMap { isDone($0.key, $0.value) ? $0.key : nil } }
    for key in done { remove(key) }
    return done.count
  }

  /// All entries, in no particular order.
  var entries: [(key: Key, value: Value, bytes: Int)] { nodes.compactMap { $0.map { ($0.key, $0.value, $0.bytes) } } }

  private mutating func unlink(_ place: Int) {
    guard let node = nodes[place] else { return }
    if let newer = node.newer { nodes[newer]?.older = node.older } else if newest == place { newest = node.older }
    if let older = node.older { nodes[older]?.newer = node.newer } else if oldest == place { oldest = node.newer }
    nodes[place]?.newer = nil
    nodes[place]?.older = nil
  }

  private mutating func linkAsNewest(_ place: Int) {
    nodes[place]?.older = newest
    if let newest { nodes[newest]?.newer = place }
    newest = place
    if oldest == nil { oldest = place }
  }
}
