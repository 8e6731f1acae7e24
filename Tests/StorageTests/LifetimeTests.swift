import PlacesKit
import Testing

@testable import Storage

@Suite("The lifetime of an answer")
struct LifetimeTests {
  static let here = Coordinate.zero

  @Test(
    "the strictest kind of data in it decides",
    arguments: [
      (terms(100), answer("a"), 100.0), (terms(0), answer("a"), 0), (terms(100, ids: 10), answer("a", id: "x"), 10),
      (terms(100, ids: 10), answer("a"), 100), (terms(100, coordinates: 20), answer("a", location: here), 20),
      (terms(0, ids: .some(nil), coordinates: 2_592_000), answer("a", location: here, id: "x"), 0),
      (terms(nil), answer("a", id: "x"), 2_592_000), (terms(1e12), answer("a"), 2_592_000), (terms(.infinity), answer("a"), 2_592_000),
      (terms(-5), answer("a"), 0), (terms(100, negative: 7), answer(), 7), (terms(100, negative: 0), .notFound, 0),
      (Terms.nothing, answer("a"), 0), (Terms.nothing, .notFound, 0),
    ])
  func lifetime(terms: Terms, answer: Answer, seconds: Double) { #expect(answer.lifetime(under: terms) == seconds) }

  @Test("a place with a plus code has coordinates")
  func plusCode() {
    let place = Place(id: "x", values: [.plusCode: "9F4M+2V"])
    #expect(Answer.place(place).lifetime(under: terms(100, coordinates: 5)) == 5)
  }

  @Test("every relevant term changes the key", arguments: 0..<6)
  func fingerprint(change: Int) {
    let old = terms(100)
    var new = old
    switch change {
    case 0: new.idsSeconds = nil
    case 1: new.coordinatesSeconds = 99
    case 2: new.otherSeconds = 101
    case 3: new.negativeSeconds = 1
    case 4: new.staleSeconds = 1
    default: new.isolation = .user
    }
    #expect(old.fingerprint == terms(100).fingerprint)
    #expect(old.fingerprint != new.fingerprint)
  }
}
