/// A cache that evicts the least recently used entries if it exceeds a size in bytes. The entries are a doubly linked list in an array.
struct MemoryCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// An entry, linked to the entries that were used before and after it.
  private struct Node {
    var key: Key
    var value: Value
    var bytes: Int
    /// The index of the entry that was used next after this one; nil for the newest.
    var newer: Int?
    /// The index of the entry that was used last before this one; nil for the oldest.
    var older: Int?
  }

  private var nodes: [Node?] = []
  private var freeIndices: [Int] = []
  private var indices: [Key: Int] = [:]
  private var newest: Int?
  private var oldest: Int?
  private(set) var bytes = 0
  /// The maximum size in bytes. An entry larger than a quarter of it is not stored.
  let limit: Int

  var count: Int { indices.count }

  init(limit: Int) { self.limit = max(0, limit) }

  /// Returns an entry and makes it the most recently used one; nil if there is none.
  mutating func find(_ key: Key) -> Value? {
    guard let index = indices[key], let value = nodes[index]?.value else { return nil }
    unlink(index)
    linkAsNewest(index)
    return value
  }

  /// Adds or replaces an entry of this size, and evicts the least recently used entries if the cache exceeds its limit.
  mutating func insert(_ value: Value, for key: Key, bytes size: Int) {
    remove(key)
    guard size >= 0, size <= limit / 4 else { return }
    let node = Node(key: key, value: value, bytes: size, newer: nil, older: nil)
    let index: Int
    if let freeIndex = freeIndices.popLast() {
      index = freeIndex
      nodes[index] = node
    } else {
      index = nodes.count
      nodes.append(node)
    }
    indices[key] = index
    bytes += size
    linkAsNewest(index)
    while bytes > limit, let oldest, let key = nodes[oldest]?.key { remove(key) }
  }

  mutating func remove(_ key: Key) {
    guard let index = indices.removeValue(forKey: key) else { return }
    unlink(index)
    bytes -= nodes[index]?.bytes ?? 0
    nodes[index] = nil
    freeIndices.append(index)
  }

  /// Calls `body` with every key and the size of its entry.
  func forEach(_ body: (Key, Int) -> Void) {
    for node in nodes { if let node { body(node.key, node.bytes) } }
  }

  /// Removes the matching entries and returns their number.
  @discardableResult
  mutating func removeAll(where shouldRemove: (Key, Value) -> Bool) -> Int {
    let removedKeys = nodes.compactMap { node in node.flatMap { shouldRemove($0.key, $0.value) ? $0.key : nil } }
    for key in removedKeys { remove(key) }
    return removedKeys.count
  }

  /// All entries, in no particular order.
  var entries: [(key: Key, value: Value, bytes: Int)] { nodes.compactMap { $0.map { ($0.key, $0.value, $0.bytes) } } }

  private mutating func unlink(_ index: Int) {
    guard let node = nodes[index] else { return }
    if let newer = node.newer { nodes[newer]?.older = node.older } else if newest == index { newest = node.older }
    if let older = node.older { nodes[older]?.newer = node.newer } else if oldest == index { oldest = node.newer }
    nodes[index]?.newer = nil
    nodes[index]?.older = nil
  }

  private mutating func linkAsNewest(_ index: Int) {
    nodes[index]?.older = newest
    if let newest { nodes[newest]?.newer = index }
    newest = index
    if oldest == nil { oldest = index }
  }
}
