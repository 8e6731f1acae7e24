@testable import Merging
import Testing

@Suite("Two web addresses")
struct WebAddressTests {
  @Test(
    "have one domain, whatever is before and after it",
    arguments: [
      ("example.com", "https://www.example.com/"), ("example.com", "HTTP://shop.Example.com:8080?a=b"),
      ("example.co.uk", "www.example.co.uk/contact"), ("web.de", "www.web.de"), ("id.me", "https://www.id.me/about"),
      ("example.com", "example.com/?u=https://other.com"),
    ])
  func domains(_ first: String, _ second: String) throws {
    let (one, other) = (try #require(WebAddress(first)), try #require(WebAddress(second)))
    #expect(one.domain == other.domain)
  }

  @Test(
    "are related if they are one page, or if one page is below the other",
    arguments: [
      ("example.com/berlin", "www.example.com/Berlin?menu#top", true), ("example.com/hotel", "example.com/hotel/bar", true),
      ("example.com/berlin", "example.com/hamburg", false), ("example.com/berlin", "example.com/berlin2", false),
      ("berlin.stores.example.com", "berlin.stores.example.com/menu", true),
      ("berlin.stores.example.com", "hamburg.stores.example.com", false),
      ("berlin.stores.example.com", "hamburg.stores.example.com/menu", false),
      ("example.com/a/b/c/d/e", "example.com/a/b/c/d", true),
    ])
  func pages(_ first: String, _ second: String, _ areRelated: Bool) throws {
    let (one, other) = (try #require(WebAddress(first)), try #require(WebAddress(second)))
    #expect(one.isRelated(to: other) == areRelated)
    #expect(other.isRelated(to: one) == areRelated)
  }

  @Test("are those of a whole site with at most one label before the domain, besides www")
  func sites() throws {
    for text in ["example.com", "www.example.com/", "shop.example.com", "www.shop.example.com"] {
      let site = try #require(WebAddress(text))
      #expect(site.page == nil)
    }
    #expect(WebAddress("berlin.shop.example.com")?.page != nil)
  }

  @Test("are shared if many places have pages on the domain, in any country")
  func shared() throws {
    for text in ["tripadvisor.de/Restaurant_Review-1", "www.google.co.uk/maps", "facebook.com/bar", "yelp.com/biz"] {
      let address = try #require(WebAddress(text))
      #expect(address.isShared)
    }
    #expect(WebAddress("lokal.de")?.isShared == false)
  }

  @Test("are none without a domain", arguments: ["", "example", "https://localhost/a.b", "mailto", "/a.b"])
  func none(_ text: String) { #expect(WebAddress(text)?.domain == nil) }
}
