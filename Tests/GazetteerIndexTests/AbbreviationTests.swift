import GazetteerIndex
import PlacesKit
import Testing

@Suite("Names with abbreviated words")
struct WrittenShortTests {
  private static func index() throws -> SmallIndex {
    func line(_ id: Int, _ name: String, _ country: String, _ population: Int, _ others: String = "") -> String {
      SmallIndex.line(id, name, others, 10, 10, country, "", population)
    }
    return try SmallIndex(lines: [
      line(1, "São Paulo", "BR", 10_021_295), line(2, "Paulo Afonso", "BR", 81_000), line(3, "Santa Cruz", "US", 64_000),
      line(4, "Cruz", "PT", 10_000), line(5, "Ústí nad Labem", "CZ", 94_000), line(6, "Ústí", "CZ", 600),
      line(7, "Ciudad Juárez", "MX", 1_321_004), line(8, "Juárez", "MX", 30_000), line(9, "Rothenburg ob der Tauber", "DE", 11_000),
      line(10, "Rothenburg", "DE", 5000), line(11, "North Las Vegas", "US", 234_000), line(12, "Las Vegas", "US", 583_000),
      line(13, "L'Haÿ-les-Roses", "FR", 31_000), line(14, "La Habana", "CU", 2_163_824),
      line(15, "Нижний Новгород", "RU", 1_259_013), line(16, "Великий Новгород", "RU", 215_062),
      // Has the letter as a word.
      line(17, "Novgorodske", "UA", 10_000, "Н'ю Новгород"), line(18, "Novgorodskoye", "UA", 9000, "Н'ю Новгород"),
      line(19, "Novgorodskiy", "UA", 8000, "Н'ю Новгород"), line(20, "Vila A Ponte", "ES", 4000),
      line(24, "Baden-Württemberg", "DE", 11_000_000), line(25, "Bawuka", "NG", 3000), line(26, "Bawula", "NG", 2000),
      line(27, "Bawuma", "NG", 1000),
      line(21, "Vila A Ponte Norte", "ES", 3000), line(22, "Vila A Ponte Sul", "ES", 2000), line(23, "Vila Alta Ponte", "ES", 5_000_000),
    ])
  }

  @Test(
    "Initials, contractions and short parts mean the word",
    arguments: [
      ("s. paulo", "1"), ("s paulo", "1"), ("s. paulo br", "1"), ("sta cruz", "3"), ("sta. cruz us", "3"), ("ústí n. labem", "5"),
      ("usti n labem", "5"), ("cd juarez", "7"), ("rothenburg o.d.t.", "9"), ("rothenburg o. d. tauber", "9"), ("n las vegas", "11"),
      ("н. новгород", "15"), ("ba-wü", "24"), ("ba-wu", "24"),
    ])
  func found(query: String, id: String) throws {
    let index = try WrittenShortTests.index()
    #expect(try index.ids(query).first == id)
    #expect(try index.reader.search(SearchRequest(query: query, fields: [])).rows.first?.id == id)
  }

  @Test(
    "A name that matches as typed comes first, and a letter before an apostrophe is not an initial",
    arguments: [("paulo", "2"), ("cruz", "4"), ("juárez", "8"), ("las vegas", "12"), ("l'ha", "13"), ("l ha", "13")])
  func asTyped(query: String, id: String) throws {
    let index = try WrittenShortTests.index()
    #expect(try index.ids(query).first == id)
    #expect(try !index.ids("l'ha").contains("14"))
  }

  @Test("Only a full stop directly after a single letter makes it a certain initial")
  func points() throws {
    let index = try WrittenShortTests.index()
    #expect(try index.ids("vila a. ponte").contains("23"))
    for query in ["vila a ponte", "vila. a ponte", "vila a ponte."] { #expect(try index.ids(query) == ["20", "21", "22"], "\(query)") }
  }
}
