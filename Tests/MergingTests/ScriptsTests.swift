@testable import Merging
import PlacesKit
import Testing

@Suite("Towns with names in two scripts")
struct ScriptsTests {
  private func compare(_ a: String, _ b: String, metres: Double = 600, at point: (Double, Double) = (45, 20)) -> MatchPrediction {
    var (first, second) = (MatchRecord(source: "a", id: "1", name: a), MatchRecord(source: "b", id: "2", name: b))
    first.location = Coordinate(latitude: point.0, longitude: point.1)
    second.location = Coordinate(latitude: point.0 + metres / 111_195, longitude: point.1)
    return Matcher.compare(first, second)
  }

  @Test(
    "are the same where the names sound alike",
    arguments: [
      ("Kharkiv", "Харків"), ("Tsaritsyn", "Царицын"), ("Chapayevsk", "Чапаевск"), ("Aqtoghay", "Ақтоғай"), ("Akhty", "Ахты"),
      ("Chalkída", "Χαλκίδα"), ("Néa Ionía", "Νέα Ιωνία"), ("‘Ajjūl", "عجول"), ("‘Ayn al Bāshā", "عين الباشا"), ("Chabahar", "چاہ بہار"),
      ("Yavné", "יבנה"), ("Sathon", "เขตสาทร"), ("Debre Birhan", "ደብረ ብርሃን"), ("Kirti Nagar", "कीर्ति नगर"), ("Jermuk", "Ջերմուկ"),
      ("Ch’iat’ura", "ჭიათურა"), ("Battambang", "បាត់ដំបង"), ("Luang Prabang", "ຫລວງພະບາງ"), ("Mandalay", "မန္တလေးမြို့"), ("Gaoan", "高安市"),
      ("Niigata", "にいがた"), ("Gangneung", "강릉시"), ("Potomac Park", "پوتوماک پارک، مریلند"), ("Yukon", "یکون، اوکلاہوما"),
      ("Waverly", "ویورلی، اوهایو"), ("Nakhon Sawan", "นครสวรรค์"), ("Kdol", "ភូមិ ក្តុល"), ("Myitkyina", "မြစ်ကြီးနား"), ("Ulsan", "울산광역시"),
      ("Verin Dvin", "Վերին Դվին"),
    ])
  func alike(_ latin: String, _ other: String) {
    #expect(compare(latin, other).decision == .same, "\(compare(latin, other))")
  }

  @Test(
    "match by Japanese readings, but only in Japan",
    arguments: [("Komatsu", "小松市"), ("Kawaguchi", "川口"), ("Niigata", "新潟"), ("Ogawa", "小川"), ("Yawata", "八幡")])
  func readings(_ latin: String, _ characters: String) {
    let inJapan = compare(latin, characters, at: (36, 139))
    #expect(inJapan.decision == .same, "\(inJapan)")
    #expect(compare(latin, characters, at: (36, 115)).probability < inJapan.probability)
  }

  @Test(
    "are not read as the letters of another name of the same town",
    arguments: [
      ("保" as Unicode.Scalar, "nishitokyo", "ho"), ("無", "shitokyoshi", "nashi"), ("郷", "saitama", "go"), ("港", "yoichi", "minato"),
      ("門", "mitsuishi", "kado"), ("騨", "rukawa", "da"),
    ])
  func alignmentErrors(_ character: Unicode.Scalar, _ error: String, _ reading: String) {
    for first in [true, false] {
      let readings = KanjiReadings.readings(character, first: first) ?? []
      #expect(!readings.contains(error) && !readings.isEmpty)
    }
    #expect(KanjiReadings.readings(character, first: true)?.contains(reading) == true)
  }

  @Test("whose names have nothing in common are the same only if their locations agree")
  func exonyms() {
    for (latin, other) in [("Famagusta", "Αμμόχωστος"), ("Prayagraj", "इलाहाबाद"), ("Acre", "עכו")] {
      #expect(compare(latin, other, metres: 30).probability > compare(latin, other, metres: 1_500).probability + 0.1)
      #expect(compare(latin, other, metres: 4_000).decision == .different)
    }
  }

  @Test(
    "are not the same if the names distinguish neighbours",
    arguments: [
      ("Krasnogorsk", "Зеленогорск"), ("Ramat HaShofet", "עין גב"), ("Kawaguchi", "大阪市"), ("Nea Poli", "Παλαιό Φάληρο"), ("Suwon", "부천시"),
      ("Káto Lekhónia", "Άνω Λεχώνια"), ("Dolno Količani", "Горно Количани"), ("Kyaik Htaw North", "ကျိုက်ထော် တောင်"), ("Nor Dvin", "Վերին Դվին"),
    ])
  func neighbours(_ latin: String, _ other: String) { #expect(compare(latin, other, metres: 3_000).decision != .same) }

  @Test("sound alike only if their digits are equal")
  func digits() {
    var words = WordBuffer()
    func letters(_ name: String) -> Range<Int> {
      let text = words.add(name)
      return words.joined(text.words)
    }
    let latin = (0...9).map { letters("Gate \($0)") }
    let cyrillic = (0...9).map { letters("Гате \($0)") }
    for i in 0...9 {
      for j in 0...9 {
        let similarity = words.phoneticSimilarity(latin[i], cyrillic[j])
        #expect((similarity == 1) == (i == j), "Gate \(i), Гате \(j): \(similarity)")
      }
    }
  }

  @Test("keep all letters of a script without transliteration")
  func unknown() {
    #expect(compare("ᏣᎳᎩ", "ᏣᎳᎩ", metres: 0).decision == .same)
    #expect(compare("ᏣᎳᎩ ᎠᏰᎵ", "ᏣᎳᎩ ᎤᏙᏓ", metres: 3_000).decision != .same)
  }

  @Test(
    "a city that is also a region is one row for all services; a region's capital is not the region",
    arguments: [("Berlin", 2_100.0, true), ("Hamburg", 4_000, true), ("Salzburg", 45_000, false), ("Luxembourg", 22_000, false)])
  func cityStates(_ name: String, _ metres: Double, _ same: Bool) {
    let city = place("1", name, at: (50, 10), types: ["locality"])
    for region: PlaceType in ["administrative_area_level_1", "country"] {
      let other = place("2", name, at: (50 + metres / 111_195, 10), types: [region])
      #expect(merge([batch("photon", [city]), batch("pelias", [other])]).count == (same ? 1 : 2))
    }
  }

  @Test(
    "A run of Chinese numerals becomes a number as a whole, or stays as it is",
    arguments: [
      ("二十一号", "21号"), ("第三中学", "第3中学"), ("一二三四号", "一二三四号"), ("一万二号", "一万二号"), ("一百二十三号", "一百二十三号"),
      ("第一百中学", "第一百中学"),
    ])
  func chineseNumerals(text: String, digits: String) { #expect(NumeralNormalization.inDigits(text) == digits) }
}
