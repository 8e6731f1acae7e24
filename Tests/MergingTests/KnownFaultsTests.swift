import Merging
import PlacesKit
import Testing

@Suite("Faults that broke others")
struct KnownFaultsTests {
  private let berlin = (52.52, 13.405)

  @Test("a provider that fails takes nothing from what others found")
  func failing() {
    let answer = merge([batch("a", [place("1", "Berlin", at: berlin, types: ["locality"])]), batch("b", [])], query: "ber")
    #expect(answer.map(\.id) == ["a:1"])
  }

  @Test("a provider that names a place twice gives it no second vote")
  func selfAgreement() {
    let twice = batch(
      "a", [place("1", "Berlin", at: berlin), place("2", "Bernau", at: (52.68, 13.58)), place("2", "Bernau", at: (52.68, 13.58))])
    let answer = merge([twice, batch("b", [])], query: "ber", explain: true)
    #expect(answer.map(\.id) == ["a:1", "a:2"])
    #expect(answer.map(\.sources.count) == [1, 1])
    let once = merge([batch("a", Array(twice.rows.prefix(2))), batch("b", [])], query: "ber", explain: true)
    #expect(answer.map(\.explanation?.score) == once.map(\.explanation?.score))
  }

  @Test("a chain of likenesses never joins two places of one provider")
  func chain() {
    // B lies between A and C, and is called like both.
    let answer = merge([
      batch("p", [place("A", "Café Central", at: (48.2100, 16.3650)), place("C", "Café Central", at: (48.2104, 16.3656))]),
      batch("q", [place("B", "Café Central", at: (48.2102, 16.3653))]),
    ])
    #expect(answer.count == 2)
    #expect(answer.allSatisfy { Set($0.sources.map(\.provider)).count == $0.sources.count })
  }

  @Test(
    "names in any script are recognised, in that script and in Latin letters",
    arguments: [
      ("Москва", "Москва"), ("Москва", "Moskva"), ("Αθήνα", "Athina"), ("Владивосток", "Vladivostok"), ("서울", "Seoul"), ("ハルビン", "Harubin"),
      ("慕尼黑", "慕尼黑"), ("กรุงเทพมหานคร", "กรุงเทพมหานคร"), ("القاهرة", "القاهرة"), ("ＢＥＲＬＩＮ", "Berlin"), ("Łódź", "Lodz"), ("!!!", "!!!"),
    ])
  func scripts(_ first: String, _ second: String) {
    let answer = merge([
      batch("a", [place("1", first, at: berlin, types: ["locality"])]),
      batch("b", [place("9", second, at: (52.521, 13.406), types: ["locality"])]),
    ])
    #expect(answer.count == 1)
  }

  @Test(
    "siblings stay apart, however near they are",
    arguments: [
      ("Gate 3", "Gate 4"), ("Terminal 1", "Terminal 2"), ("Terminal One", "Terminal Two"), ("Platform 9", "Platform 10"),
      ("North Hall", "South Hall"), ("Oberhausen Nord", "Oberhausen Süd"), ("Lift II", "Lift III"), ("Walmart", "Walmart Pharmacy"),
    ])
  func siblings(_ first: String, _ second: String) {
    let answer = merge([
      batch("a", [place("1", first, at: berlin, types: ["airport"])]), batch("b", [place("9", second, at: berlin, types: ["airport"])]),
    ])
    #expect(answer.count == 2)
  }

  @Test("a place of the same name in another town is another place")
  func namesakes() {
    let answer = merge([
      batch("a", [place("1", "Springfield", at: (39.80, -89.64), types: ["locality"])]),
      batch("b", [place("9", "Springfield", at: (37.21, -93.29), types: ["locality"])]),
    ])
    #expect(answer.count == 2)
  }

  @Test("without coordinates the town and the house tell branches of a chain apart")
  func branches() {
    func branch(_ id: String, _ street: String, _ number: String, _ postcode: String) -> Suggestion {
      place(id, "Burger King", types: ["restaurant"]) {
        ($0.street, $0.address, $0.houseNumber, $0.postcode, $0.locality) = (street, "\(street) \(number)", number, postcode, "Berlin")
      }
    }
    let answer = merge([
      batch("a", [branch("1", "Kantstraße", "14", "10623")]),
      batch("b", [branch("8", "Kantstr.", "14", "10623"), branch("9", "Frankfurter Allee", "71", "10247")]),
    ])
    #expect(answer.map { Set($0.sources.compactMap(\.id)) } == [["a:1", "b:8"], ["b:9"]])
  }
}
