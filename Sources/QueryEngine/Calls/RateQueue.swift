import Storage

/// Those who wait for a provider's rate: the first of them for the moment at which it lets him go, the others for being the first.
struct RateQueue {
  /// Somebody in the line.
  final class Place: Sendable {
    let user: UInt32
    /// Kept once he is the first.
    let isFirst = Promise<Void>()
    init(of user: UInt32) { self.user = user }
  }

  private var first: Place?
  private var others = RoundRobin<Place>()

  var isEmpty: Bool { first == nil }

  /// Joins the line; gives how many go before him, as far as one knows.
  mutating func join(_ place: Place) -> Int {
    guard first != nil else {
      first = place
      place.isFirst.fulfil(())
      return 0
    }
    defer { others.append(place, of: place.user) }
    return others.before(place.user) + 1
  }

  /// He has gone, by his turn or without it: the next one is the first.
  mutating func leave(_ place: Place) {
    guard first === place else { return others.remove(of: place.user) { $0 === place } }
    first = others.next()?.item
    first?.isFirst.fulfil(())
  }
}
