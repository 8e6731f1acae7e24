import PlacesKit
import Testing

@testable import QueryEngine

@Suite("Stored search pages")
struct PagesTests {
  private func page(_ user: UInt32, _ rows: [Place] = [], at now: Double) -> SearchPageState {
    SearchPageState(
      user: user, parameters: [], tokensByProvider: [:], shownKeys: [], unshownRows: ["a": .init(rows: rows, fetchedAt: 0)],
      expiresAt: now + SearchPages.lifetime
    )
  }

  @Test("A user's pages are bounded in size, and the newest are kept")
  func room() {
    let pages = SearchPages()
    let rows = (0..<20).map { Place.named("\($0)", [.website: .string(String(repeating: "x", count: 50_000))]) }
    let other = pages.store(page(2, rows, at: 0), at: 0)
    let own = (0..<20).map { pages.store(page(1, rows, at: Double($0)), at: Double($0)) }
    #expect((2...5).contains(pages.count), "\(pages.count) megabytes are stored")
    #expect(pages.page(own[19], of: 1, at: 20) != nil)
    #expect(pages.page(own[0], of: 1, at: 20) == nil)
    #expect(pages.page(other, of: 2, at: 20) != nil)
    #expect(pages.page(other, of: 1, at: 20) == nil)
    _ = pages.store(page(3, at: 1_000), at: 1_000)
    #expect(pages.count == 1)
  }

  @Test("One user's pages do not replace another user's")
  func others() {
    let pages = SearchPages()
    let other = pages.store(page(2, at: 0), at: 0)
    for number in 0..<3_000 { _ = pages.store(page(1, at: Double(number) / 1_000), at: Double(number) / 1_000) }
    #expect(pages.page(other, of: 2, at: 3) != nil)
    #expect(pages.count < 1_000)
  }

  @Test("A purge removes the pages of its share")
  func purge() {
    let pages = SearchPages()
    let own = pages.store(page(1, at: 0), at: 0)
    let other = pages.store(page(2, at: 0), at: 0)
    pages.remove(.init(provider: "b"))
    #expect(pages.count == 2)
    pages.remove(.init(user: 1))
    #expect(pages.page(own, of: 1, at: 1) == nil && pages.page(other, of: 2, at: 1) != nil)
    pages.remove(.init(provider: "a"))
    #expect(pages.count == 0)
  }
}
