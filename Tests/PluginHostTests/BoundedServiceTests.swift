import PlacesKit
import Testing

@testable import PluginHost

/// A provider that always returns the same answer.
private struct Answering: PlaceService, PhotoService {
  var page = Page<Suggestion>(rows: [])
  var place = Place(id: "1")
  var image = PhotoImage(format: .jpeg, bytes: [])

  var manifest: Manifest {
    Manifest(
      plugin: "a", name: "A", version: "1", summary: "s", autocomplete: Capability(parameters: [:], maximumRows: 60),
      search: Capability(parameters: [:]), terms: .nothing, attributions: [])
  }

  func autocomplete(_ request: AutocompleteRequest) async throws(ProviderError) -> Page<Suggestion> { page }
  func search(_ request: SearchRequest) async throws(ProviderError) -> Page<Place> {
    Page(rows: [place], exhaustive: true, next: page.next)
  }
  func details(_ request: DetailsRequest) async throws(ProviderError) -> Place { place }
  func photo(_ request: PhotoRequest) async throws(ProviderError) -> PhotoImage { image }
}

/// A provider that has no photographs.
private struct Photoless: PlaceService {
  var manifest: Manifest { Answering().manifest }
}

@Suite("A provider's answer")
struct BoundedServiceTests {
  private func suggestions(_ rows: [Suggestion], next: String? = nil) async throws -> Page<Suggestion> {
    try await BoundedService(provider: Answering(page: Page(rows: rows, exhaustive: true, next: next)))
      .autocomplete(AutocompleteRequest(query: "q"))
  }

  @Test("of usual size is not changed")
  func usual() async throws {
    var evidence = Evidence()
    (evidence.country, evidence.otherNames) = ("LI", ["Vadutz"])
    let row = Suggestion(
      kind: .place, id: "1", text: FormattedText("Vaduz", matches: [TextRange(start: 0, end: 2), TextRange(start: 2, end: 5)]),
      types: ["locality"], language: "gsw-u-sd-chzh", evidence: evidence, attributions: [Attribution(text: "A", url: "https://a")])
    let page = Page(rows: Array(repeating: row, count: 60), exhaustive: true, next: String(repeating: "n", count: 4_096))
    #expect(try await suggestions(page.rows, next: page.next) == page)
  }

  @Test(
    "has no address that a client cannot open safely",
    arguments: [
      ("https://a.example/x?y=%20", true), ("http://a.example", true), ("javascript:alert(1)", false), ("file:///etc/passwd", false),
      ("//a.example", false), ("https://a.example/ x", false), ("https://a.example/\n", false),
      ("https://a.example/" + String(repeating: "x", count: 2_000), true),
      ("https://a.example/" + String(repeating: "x", count: 2_048), false),
    ])
  func addresses(address: String, stays: Bool) async throws {
    let row = Suggestion(kind: .query, text: FormattedText("x"), iconImageURL: address, url: address)
    let given = try #require(try await suggestions([row]).rows.first)
    #expect((given.iconImageURL == address) == stays && (given.iconImageURL == nil) == !stays)
    #expect(given.url == given.iconImageURL)
    var place = Place(id: "1")
    for field in [PlaceField.iconImageURL, .mapURL, .website] { place.values[field] = .string(address) }
    place.attributions = [Attribution(text: "A", url: address)]
    let author: JSONValue = ["text": "A", "url": .string(address)]
    place.values[.reviews] = [["text": "x", "url": .string(address), "author": author]]
    place.values[.photos] = [["id": "1", "attributions": [author]]]
    place.applyLimits()
    for field in [PlaceField.iconImageURL, .mapURL, .website] {
      // A website may lack its scheme, and white space at its ends is removed.
      if field == .website, ["//a.example", "https://a.example/\n"].contains(address) { continue }
      #expect(place.values[field]?.string == (stays ? address : nil), "\(field)")
    }
    #expect(place.attributions == [Attribution(text: "A", url: stays ? address : nil)])
    let review = try #require(place.values[.reviews]?.array?.first)
    let credit = try #require(place.values[.photos]?.array?.first?["attributions"]?.array?.first)
    for object in [review, review["author"], credit] { #expect(object?["url"]?.string == (stays ? address : nil)) }
    #expect(review["text"] == "x" && credit["text"] == "A")
  }

  @Test(
    "has a website in any usual spelling",
    arguments: [
      ("https://a.example ", "https://a.example"), ("HTTP://www.a.example", "HTTP://www.a.example"), (" www.a.example", "www.a.example"),
      ("JavaScript:alert(1)", nil), ("a b.example", nil),
    ] as [(String, String?)])
  func websites(sent: String, kept: String?) {
    var place = Place(id: "1", values: [.website: .string(sent)])
    place.applyLimits()
    #expect(place.values[.website]?.string == kept)
  }

  @Test(
    "has a website without its scheme, but none with another scheme",
    arguments: [
      ("www.example.org", true), ("example.org:8080/x", true), ("javascript:alert(1)", false), ("data:text/html,x", false), ("a b", false),
    ])
  func website(address: String, stays: Bool) {
    var place = Place(id: "1")
    place.values[.website] = .string(address)
    place.applyLimits()
    #expect(place.values[.website]?.string == (stays ? address : nil))
  }

  @Test("has no member with an endless key")
  func longKeys() {
    var place = Place(id: "1")
    place.values[.reviews] = [.object(JSONObject([("text", "x"), (String(repeating: "k", count: 1_001), "y")]))]
    place.applyLimits()
    #expect(place.values[.reviews] == [["text": "x"]])
  }

  @Test("has no empty area as a viewport")
  func emptyViewport() async throws {
    let low = try #require(Coordinate(latitude: 1, longitude: 0))
    let row = Suggestion(kind: .query, text: FormattedText("x"), viewport: Rectangle(low: low, high: .zero))
    #expect(try await suggestions([row]).rows.map(\.viewport) == [nil])
  }

  @Test("of large rows is not changed if it fits")
  func knowing() async throws {
    let text = FormattedText(String(repeating: "x", count: 1_000))
    var row = Suggestion(kind: .place, id: "1", text: text, primary: text, secondary: text)
    row.evidence.address = String(repeating: "x", count: 512)
    row.evidence.otherNames = Array(repeating: "Vaduz", count: 80)
    let page = Page(rows: Array(repeating: row, count: 60), exhaustive: true)
    #expect(page.rows.reduce(0) { $0 + $1.maxReplyBytes } > BoundedService.maxBytes, "each is looked at")
    #expect(try await suggestions(page.rows) == page)
  }

  @Test("has an upper bound of its weight if its evidence is not examined", arguments: ["x", "é", "\"", "\u{1}"])
  func maxReplyBytes(letter: String) throws {
    for count in [0, 1, 10, 64, 65, 1_000] {
      let text = String(repeating: letter, count: count)
      var row = Suggestion(kind: .place, text: FormattedText("a"))
      let bare = row.evidenceSize
      let texts: [WritableKeyPath<Evidence, String?>] = [
        \.address, \.houseNumber, \.street, \.postcode, \.locality, \.region, \.country, \.phone, \.website,
      ]
      for (number, member) in texts.enumerated() {
        row.evidence[keyPath: member] = text
        #expect(row.evidenceSize == bare + (number + 1) * text.utf8.count)
        #expect(row.maxReplyBytes >= row.replyBytes)
      }
      for lists in [\Evidence.otherNames, \Evidence.equivalents] {
        row.evidence[keyPath: lists] = Array(repeating: text, count: 100)
        #expect(row.maxReplyBytes >= row.replyBytes)
      }
      #expect(Mirror(reflecting: row.evidence).children.count == texts.count + 2, "each member of the evidence counts")
    }
  }

  @Test("leaves room for other providers' answers, however large its rows are", arguments: ["é", "\"", "\u{1}", "\u{7F}"])
  func room(letter: String) async throws {
    let text = String(repeating: letter, count: 1_000)
    var row = Suggestion(
      kind: .place, id: "1", text: FormattedText(text), attributions: Array(repeating: Attribution(text: text, url: text), count: 38))
    row.evidence.otherNames = [text]
    let page = try await suggestions(Array(repeating: row, count: 50))
    #expect((1..<50).contains(page.rows.count) && !page.exhaustive)
    #expect(page.rows.allSatisfy { $0.attributions.count == 5 })
    #expect(try ProtocolMessage.encode(page).count <= BoundedService.maxBytes)
  }

  @Test("has no code, token, type or id above its maximum length, and no importance beyond 0 to 1")
  func longest() async throws {
    let long = String(repeating: "x", count: 5_000)
    var row = Suggestion(kind: .place, id: "1", text: FormattedText("a"), types: [PlaceType(rawValue: long), "locality"], language: long)
    row.evidence.country = long
    row.distance = -1
    row.importance = 40
    let lost = Suggestion(kind: .place, id: long, text: FormattedText("b"))
    let page = try await suggestions([lost, row], next: long)
    #expect(page == Page(rows: [Suggestion(kind: .place, id: "1", text: FormattedText("a"), types: ["locality"], importance: 1)]))
    #expect(try await suggestions([row], next: long).exhaustive == false, "a page that is lost has rows")
  }

  @Test(
    "has only matches that are within their text and in order",
    arguments: [
      ([-5...9_999], []), ([3...3], []), ([0...6], []), ([0...5], [0...5]), ([2...3, 0...1, 3...5], [2...3, 3...5]),
      ([0...3, 2...4, 4...5], [0...3, 4...5]), ([.min ... .max, 1...2], [1...2]),
    ] as [([ClosedRange<Int>], [ClosedRange<Int>])])
  func matches(given: [ClosedRange<Int>], kept: [ClosedRange<Int>]) async throws {
    func text(_ ranges: [ClosedRange<Int>]) -> FormattedText {
      FormattedText("Väduz", matches: ranges.map { TextRange(start: $0.lowerBound, end: $0.upperBound) })
    }
    let row = Suggestion(kind: .query, text: text(given), primary: text(given), secondary: text(given))
    #expect(try await suggestions([row]).rows == [Suggestion(kind: .query, text: text(kept), primary: text(kept), secondary: text(kept))])
  }

  @Test("about one place is rejected if it is too large, because a part of it may mislead")
  func largePlace() async throws {
    let text = JSONValue.string(String(repeating: "x", count: 1_000))
    let place = Place(id: "1", values: [.photos: .array(Array(repeating: .array(Array(repeating: text, count: 30)), count: 30))])
    let service = BoundedService(provider: Answering(place: place))
    let error = await #expect(throws: ProviderError.self) { try await service.details(DetailsRequest(id: "1", fields: [.photos])) }
    #expect(error == ProviderError(.tooLarge, "A returns more about a place than 512 KiB"))
    #expect(try await service.search(SearchRequest(query: "q", fields: [.photos])) == Page(rows: []))
  }

  @Test("about a place has no part of an id: photographs with longer ones are dropped, and so is the id of a successor")
  func longIDs() async throws {
    func place(_ lengths: [Int], moved: Int) -> Place {
      let photos = lengths.map { JSONValue.object(["id": .string(String(repeating: "p", count: $0)), "width": 1]) }
      let successor = JSONValue.string(String(repeating: "m", count: moved))
      return Place(id: "1", values: photos.isEmpty ? [.movedPlaceID: successor] : [.photos: .array(photos), .movedPlaceID: successor])
    }
    func answer(_ place: Place) async throws -> Place {
      try await BoundedService(provider: Answering(place: place)).details(DetailsRequest(id: "1", fields: [.photos]))
    }
    #expect(try await answer(place([1, 901, 900], moved: 900)) == place([1, 900], moved: 900))
    let lost = try await answer(place([901, 5_000], moved: 901))
    #expect(lost == Place(id: "1"))
  }

  private func photo(_ image: PhotoImage) async throws(ProviderError) -> PhotoImage {
    try await BoundedService(provider: Answering(image: image)).photo(PhotoRequest(id: "1", maxWidth: 10, maxHeight: 10))
  }

  private func failure(of image: PhotoImage) async -> ProviderError? {
    do throws(ProviderError) {
      _ = try await photo(image)
      return nil
    } catch { return error }
  }

  @Test("that is a photo is at most 2 MiB, in the format that it declares, and has a few credits of limited length")
  func photos() async throws {
    let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF]
    let full = jpeg + [UInt8](repeating: 0, count: BoundedService.maxPhotoBytes - jpeg.count)
    let credits = Array(repeating: Attribution(text: String(repeating: "x", count: 2_000), url: "https://a"), count: 9)
    let image = try await photo(PhotoImage(format: .jpeg, bytes: full, attributions: credits))
    #expect(image.bytes == full)
    #expect(image.attributions == Array(repeating: Attribution(text: String(repeating: "x", count: 1_000), url: "https://a"), count: 5))
    let large = await failure(of: PhotoImage(format: .jpeg, bytes: full + [0]))
    #expect(large == ProviderError(.tooLarge, "A's photo is larger than 2 MiB: request a smaller size"))
    for (format, bytes) in [(ImageFormat.png, jpeg), (.jpeg, Array("<html>".utf8)), (.webp, [])] {
      #expect(await failure(of: PhotoImage(format: format, bytes: bytes))?.cause == .decode)
    }
    let service = BoundedService(provider: Photoless())
    await #expect(throws: ProviderError(.unsupported, "A has no photos")) {
      try await service.photo(PhotoRequest(id: "1", maxWidth: 10, maxHeight: 10))
    }
  }
}
